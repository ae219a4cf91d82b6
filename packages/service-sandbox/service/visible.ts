// Decides which orders a reader can see: an order may become readable some time after it was accepted.
import { notFound } from './problem.ts'
import type { Order } from './records.ts'
import type { World } from './world.ts'

/** Throws not_found for an order that does not exist, or is not visible yet. */
export function visibleOrder(world: World, id: string, nowMs: number): Order {
  const order = world.book.findOrder(id)
  if (order === undefined || order.visibleAtMs > nowMs) throw notFound('order')
  return order
}

// Builds the events that a fact causes, with their payloads (description, "Events"): top-level figures rebased, settled
// figures in the base block, and the multiplier between them. Event names other than withdrawal.status.updated are this
// sandbox's choice.
import type { Fact } from '../facts.ts'
import type { Fill, Order } from '../records.ts'
import { showTime } from '../representation.ts'
import { showDeposit, showFill, showOrder, showWithdrawal } from '../resources.ts'
import type { World } from '../world.ts'

export interface WebhookEvent {
  readonly id: string
  readonly type: string
  readonly createdAt: string
  readonly data: Record<string, unknown>
}

/** Returns the events of a fact that the world has just applied. */
export function eventsOf(fact: Fact, world: World): WebhookEvent[] {
  const event = (type: string, atMs: number, data: Record<string, unknown>): WebhookEvent => ({
    id: world.newId(`event ${type}`),
    type,
    createdAt: showTime(atMs),
    data,
  })
  const orderEvent = (order: Order, atMs: number) => event('order.status.updated', atMs, showOrder(order, 'rebased'))
  const fillEvents = (order: Order, fill: Fill) => [
    event('fill.executed', fill.executedAtMs, showFill(fill, order, 'rebased')),
    orderEvent(order, fill.executedAtMs),
  ]
  switch (fact.kind) {
    case 'order.placed': {
      const order = orderOf(world, fact.order.id)
      return fact.fill === undefined ? [orderEvent(order, order.createdAtMs)] : fillEvents(order, fact.fill)
    }
    case 'order.filled':
      return fillEvents(orderOf(world, fact.fill.orderId), fact.fill)
    case 'order.failed':
      return [orderEvent(orderOf(world, fact.orderId), fact.atMs)]
    case 'deposit.credited':
      return [event('deposit.credited', fact.deposit.createdAtMs, showDeposit(fact.deposit, 'rebased'))]
    case 'withdrawal.accepted':
      return [withdrawalEvent('withdrawal.created', fact.withdrawal.id, fact.withdrawal.createdAtMs)]
    case 'withdrawal.moved':
      return [withdrawalEvent('withdrawal.status.updated', fact.withdrawalId, fact.step.atMs)]
    default:
      return []
  }

  function withdrawalEvent(type: string, id: string, atMs: number): WebhookEvent {
    const withdrawal = world.withdrawals.find(id)
    if (withdrawal === undefined) throw new Error('an event about a withdrawal that does not exist')
    return event(type, atMs, showWithdrawal(withdrawal, 'rebased'))
  }
}

function orderOf(world: World, id: string): Order {
  const order = world.book.findOrder(id)
  if (order === undefined) throw new Error('an event about an order that does not exist')
  return order
}

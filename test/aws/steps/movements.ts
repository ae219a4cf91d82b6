// Runs conversions on the deployed machines, checked against the service's own list of orders.
import * as z from 'zod/mini'
import { StepFailure, type Walk } from '../step.ts'

const result = z.object({ outcome: z.string(), intentId: z.string(), orderId: z.optional(z.string()) })
const orders = z.array(z.object({ id: z.string() }))

/** Orders of the market since this test began. Nobody else may trade it with this account. */
export async function orderIds(walk: Walk): Promise<ReadonlySet<string>> {
  const listed = await walk.read(walk.user.orders(walk.setup), orders)
  return new Set(listed.map(({ id }) => id))
}

/** Converts once, however often this is called. @returns its order */
export async function convertOnce(walk: Walk, what: string, which: 'first' | 'updated'): Promise<string> {
  const before = await orderIds(walk)
  const orderId = await convert(walk, what, which)
  const more = [...(await orderIds(walk))].filter((id) => !before.has(id))
  walk.assert(
    more.every((id) => id === orderId),
    `the service has orders that nobody asked for: ${more.join(', ')}; the conversion is order ${orderId}`,
  )
  walk.see({ outcome: 'FILLED', ordersBeside: 0 })
  walk.note(`order ${orderId}${before.has(orderId) ? ', of before' : ''}`)
  return orderId
}

/**
 * Runs the same id again, whatever has happened.
 * @throws StepFailure if anything moves
 */
export async function convertAgain(walk: Walk, what: string, which: 'first' | 'updated'): Promise<void> {
  const before = await orderIds(walk)
  const orderId = await convert(walk, what, which)
  const after = await orderIds(walk)
  walk.assert(before.has(orderId), `${walk.idOf(what)} moved again: order ${orderId} is new`)
  walk.assert(after.size === before.size, `there are ${after.size} orders; before there were ${before.size}`)
  walk.see({ movedAgain: 0 })
  walk.note(`order ${orderId} again; nothing moved`)
}

async function convert(walk: Walk, what: string, which: 'first' | 'updated'): Promise<string> {
  const { orderId, outcome } = await walk.read(walk.user.convert(walk.idOf(what), which), result)
  if (outcome === 'FILLED' && orderId !== undefined) return orderId
  throw new StepFailure(`${walk.idOf(what)} ended ${outcome}; expected FILLED`)
}

const report = z.object({ outcome: z.string(), orders: z.int(), allFrom: z.optional(z.string()) })

/** A new movement is too young for the audit, so this waits once. */
const MOST_WAIT_SECONDS = 3_600

export async function auditAll(walk: Walk, since: string): Promise<void> {
  const early = await walk.read(walk.user.reconcile(since), report)
  const seconds = early.allFrom === undefined ? 0 : (Date.parse(early.allFrom) - walk.world.now().getTime()) / 1_000
  walk.assert(seconds <= MOST_WAIT_SECONDS, `an audit judges all that moved in ${seconds} seconds only`)
  if (seconds > 0) {
    walk.note(`all that moved is old enough to be judged in ${Math.ceil(seconds / 60)} minutes: waiting`)
    await walk.world.pause(Math.ceil(seconds) + 5)
  }
  const last = await walk.read(walk.user.reconcile(since), report)
  const { size } = await orderIds(walk)
  walk.assert(last.outcome === 'TIES_OUT', `the audit ended ${last.outcome}`)
  walk.assert(last.orders >= size, `the audit judged ${last.orders} orders; the service has ${size}`)
  walk.see({ audit: last.outcome })
  walk.note(`${last.orders} orders tie out`)
}

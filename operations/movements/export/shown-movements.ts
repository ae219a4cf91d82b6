// Reads from the service the orders and withdrawals by which intents are DONE. Many movements are read as pages of the
// list around their time. The list is only quicker: a movement that it does not show is read by its id. Reads only.
import { type Intent, isConversion } from '../../../core/journal/intent.ts'
import type { RebasedOrder } from '../../../core/service/orders.ts'
import { isNotFound } from '../../../core/service/problem.ts'
import type { RebasedReads } from '../../../core/service/rebased-reads.ts'
import type { RebasedWithdrawal } from '../../../core/service/withdrawals.ts'
import { movementIdOf } from '../record-kind.ts'
import { readListed } from './listed-rows.ts'

export interface ShownMovements {
  /**
   * @throws Transient, Refused.
   * @throws Defect for an order that cannot be read
   */
  order(id: string): Promise<RebasedOrder | undefined>
  /** The same for a withdrawal. */
  withdrawal(id: string): Promise<RebasedWithdrawal | undefined>
}

type Reads = Pick<RebasedReads, 'order' | 'walkOrders' | 'withdrawal' | 'walkWithdrawals'>

/** `intents`: one part of the journal, of a bounded size. @throws Transient, Refused */
export async function readShown(intents: readonly Intent[], reads: Reads): Promise<ShownMovements> {
  const moved = intents.filter((intent) => movementIdOf(intent) !== undefined)
  const [orders, withdrawals] = await Promise.all([
    readListed(sentOf(moved.filter(isConversion)), reads.walkOrders),
    readListed(sentOf(moved.filter((intent) => !isConversion(intent))), reads.walkWithdrawals),
  ])
  return {
    order: async (id) => orders.get(id) ?? findById(id, reads.order),
    withdrawal: async (id) => withdrawals.get(id) ?? findById(id, reads.withdrawal),
  }
}

/** When movements were sent, in epoch ms, by the id of the movement. */
function sentOf(intents: readonly Intent[]): ReadonlyMap<string, number> {
  return new Map(
    intents.flatMap(({ attempt, ref }) =>
      attempt === undefined || ref === undefined ? [] : [[ref, attempt.iat * 1000]],
    ),
  )
}

async function findById<Row>(id: string, read: (id: string) => Promise<Row>): Promise<Row | undefined> {
  try {
    return await read(id)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

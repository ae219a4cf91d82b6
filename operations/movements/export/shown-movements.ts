// Reads from the service the orders and withdrawals by which intents are DONE. Many movements are read as pages of the
// list around their time. The list is only quicker: a movement that it does not show is read by its id. Reads only.
import { Defect, Refused, Transient } from '../../../core/errors.ts'
import { type Intent, isConversion } from '../../../core/journal/intent.ts'
import type { RebasedOrder } from '../../../core/service/orders.ts'
import { isNotFound } from '../../../core/service/problem.ts'
import type { RebasedReads } from '../../../core/service/rebased-reads.ts'
import type { RebasedWithdrawal } from '../../../core/service/withdrawals.ts'
import { movementIdOf } from '../../proof/moved.ts'

/** Least movements of one kind for which a list is read. For fewer, reads by id cost no more. */
const LEAST_LISTED = 8
/** Maximum rows of the list that are read for one part: others use the account too. */
const MOST_LISTED = 1_000
/** Milliseconds between a send and the date of its row, usually. Rows beyond it are read by id. */
const ROW_SLACK_MS = 120_000

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
    listed(moved.filter(isConversion), (filter) => reads.walkOrders(filter, LIST_BOUNDS)),
    listed(
      moved.filter((intent) => !isConversion(intent)),
      (filter) => reads.walkWithdrawals(filter, LIST_BOUNDS),
    ),
  ])
  return {
    order: async (id) => orders.get(id) ?? findById(id, reads.order),
    withdrawal: async (id) => withdrawals.get(id) ?? findById(id, reads.withdrawal),
  }
}

/** One row beyond the maximum ends the loop before the walk itself refuses. */
const LIST_BOUNDS = { maxItems: MOST_LISTED + 1 }

interface Window {
  readonly startDate: string
  readonly endDate: string
}

async function listed<Row extends { readonly id: string }>(
  intents: readonly Intent[],
  walk: (window: Window) => AsyncIterable<Row>,
): Promise<ReadonlyMap<string, Row>> {
  const found = new Map<string, Row>()
  const sentMs = intents.flatMap(({ attempt }) => (attempt === undefined ? [] : [attempt.iat * 1000]))
  if (sentMs.length < LEAST_LISTED) return found
  const wanted = new Set(intents.map(({ ref }) => ref))
  const startDate = new Date(Math.min(...sentMs) - ROW_SLACK_MS).toISOString()
  const endDate = new Date(Math.max(...sentMs) + ROW_SLACK_MS).toISOString()
  let seen = 0
  try {
    for await (const row of walk({ startDate, endDate })) {
      if (wanted.has(row.id)) found.set(row.id, row)
      seen += 1
      if (found.size === wanted.size || seen === MOST_LISTED) break
    }
  } catch (error) {
    // A list that changes meanwhile, or has a row that cannot be read, must not hide the other movements.
    if (!(error instanceof Defect || error instanceof Transient || error instanceof Refused)) throw error
  }
  return found
}

async function findById<Row>(id: string, read: (id: string) => Promise<Row>): Promise<Row | undefined> {
  try {
    return await read(id)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

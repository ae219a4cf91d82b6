// Finds what an account has moved that the journal here does not know: what may belong to an id, and whether such a
// movement exists at all. Reads only. It keeps only what may belong to the id, so its memory does not grow with the
// history.

import { mapBounded, READS_AT_ONCE } from '../../../core/bounded.ts'
import { IntentKind } from '../../../core/contract/records.ts'
import { Defect, KeyFault, Transient } from '../../../core/errors.ts'
import { type Intent, isConversion } from '../../../core/journal/intent.ts'
import type { Journal } from '../../../core/journal/journal.ts'
import { findInDoubt } from '../../../core/movements/withdrawal/foreign.ts'
import { DATING_SLACK_MS } from '../../../core/movements/withdrawal/known-rows.ts'
import { printable } from '../../../core/printable.ts'
import type { Order } from '../../../core/service/orders.ts'
import { problemOf } from '../../../core/service/problem.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import type { Withdrawal } from '../../../core/service/withdrawals.ts'
import type { KnownAsset, MovementTest } from './movement-test.ts'

/** Maximum rows of each kind. Within the usual rate limits of a service they are read in minutes. */
const MOST_ROWS = 1_000_000
/**
 * Maximum rows of each kind that are read to find out whether one of them is unknown. Reading more would take longer
 * than the wait that it may avoid.
 */
const MOST_ROWS_BEFORE_A_WAIT = 10_000
/** Maximum candidates. More make no difference to the refusal. */
export const MOST_CANDIDATES = 1_000

export interface Records {
  readonly journal: Pick<Journal, 'find' | 'findClaim'>
  /** Open intents. The movement of any other intent was claimed before the intent ended. */
  readonly openIntents: () => Promise<readonly Intent[]>
}

interface TimeSpan {
  readonly sinceMs: number
  readonly untilMs: number
}

interface Movement {
  readonly kind: IntentKind
  readonly id: string
  /** For people. */
  readonly text: string
  /** Present for a withdrawal. */
  readonly row?: Withdrawal
  readonly order?: Order
}

/** A movement that may belong to the id. */
export interface Candidate extends Movement {
  /** Intents of this journal that are in doubt and may have made it. */
  readonly inDoubt: readonly string[]
}

/**
 * Movements that may belong to the id and that no intent here has claimed, at most `MOST_CANDIDATES`.
 * @throws Refused, Transient; Defect for a list or a journal that is too long
 */
export async function findCandidates(
  test: MovementTest,
  span: TimeSpan,
  { journal, openIntents }: Records,
  client: ServiceClient,
): Promise<readonly Candidate[]> {
  const found: Movement[] = []
  for await (const movement of walkLikely(test, span, client)) {
    if ((await journal.findClaim(movement.kind, movement.id)) !== undefined) continue
    if (found.push(movement) === MOST_CANDIDATES) break
  }
  if (found.length === 0) return []
  // Intents are read after the movements, so that a movement that an own intent made in between is recognised.
  const known = await openIntents()
  const own = ownOrders(known)
  const unowned = found.filter(({ kind, id }) => kind !== IntentKind.Convert || !own.has(id))
  // Their intent may have ended meanwhile, and so have left the list. It has claimed the movement then.
  const claims = await mapBounded(unowned, READS_AT_ONCE, ({ kind, id }) => journal.findClaim(kind, id))
  const unknown = unowned.filter((_, at) => claims[at] === undefined)
  if (unknown.length === 0 && found.length === MOST_CANDIDATES) {
    throw new Defect(`more than ${MOST_CANDIDATES} orders of this journal are under way`)
  }
  return unknown.map((movement) => ({
    ...movement,
    inDoubt: findInDoubt(movement, known).map(({ intentId }) => intentId),
  }))
}

/** Movements of the id's kinds within the time span that fit the request. */
async function* walkLikely(
  { order: isItsOrder, withdrawal: isItsRow }: MovementTest,
  span: TimeSpan,
  client: ServiceClient,
): AsyncGenerator<Movement, void> {
  const filter = { startDate: new Date(span.sinceMs).toISOString() }
  const bounds = { maxItems: MOST_ROWS, isWhole: true }
  let assets: readonly KnownAsset[] | undefined
  if (isItsOrder !== undefined) {
    for await (const order of client.walkOrders(filter, bounds)) {
      if (!isWithin(span, order)) continue
      assets ??= await client.assets()
      if (isItsOrder(order, assets)) yield { kind: IntentKind.Convert, id: order.id, text: textOfOrder(order), order }
    }
  }
  if (isItsRow === undefined) return
  for await (const row of client.walkWithdrawals(filter, bounds)) {
    if (!isWithin(span, row)) continue
    assets ??= await client.assets()
    if (isItsRow(row, assets)) yield { kind: IntentKind.Withdraw, id: row.id, text: textOfRow(row), row }
  }
}

/**
 * Whether the account has a movement that this journal has not made since it began. Without the scope to read, the answer is
 * yes.
 * @throws Transient, KeyFault where the service refuses the key itself
 */
export async function hasMovedElsewhere(
  bornMs: number,
  { journal, openIntents }: Records,
  client: ServiceClient,
): Promise<boolean> {
  const ours = ownOrders(await openIntents())
  const isOurs = async (kind: IntentKind, { id, createdAt }: { readonly id: string; readonly createdAt: string }) => {
    // The test is negated, so that an unreadable time counts as before.
    if (!(Date.parse(createdAt) >= bornMs - DATING_SLACK_MS)) return false
    const holder = await journal.findClaim(kind, id)
    if (holder === undefined) return kind === IntentKind.Convert && ours.has(id)
    return (await journal.find(holder, kind)) !== undefined
  }
  const bounds = { maxItems: MOST_ROWS_BEFORE_A_WAIT, isWhole: true }
  try {
    for await (const order of client.walkOrders({}, bounds)) if (!(await isOurs(IntentKind.Convert, order))) return true
    for await (const row of client.walkWithdrawals({}, bounds)) {
      if (!(await isOurs(IntentKind.Withdraw, row))) return true
    }
  } catch (error) {
    const isWithoutScope = problemOf(error)?.code === 'insufficient_scope'
    if (error instanceof Transient || (error instanceof KeyFault && !isWithoutScope)) throw error
    return true
  }
  return false
}

/** Orders that this journal placed. They may be unclaimed, because an order's id is known before it is sent. */
function ownOrders(intents: readonly Intent[]): ReadonlySet<string> {
  return new Set(intents.flatMap((intent) => (isConversion(intent) ? (intent.attempt?.orderId ?? []) : [])))
}

/** The test is negated, so that an unreadable time counts as within. */
function isWithin({ sinceMs, untilMs }: TimeSpan, { createdAt }: { readonly createdAt: string }): boolean {
  const atMs = Date.parse(createdAt)
  return !(atMs < sinceMs - DATING_SLACK_MS || atMs > untilMs)
}

function textOfOrder({ id, side, market, baseAmount, quoteAmount, createdAt }: Order): string {
  return `order ${printable(id)}: ${printable(side)} on ${printable(market)}, ${baseAmount} for ${quoteAmount}, at ${printable(createdAt)}`
}

function textOfRow({ id, assetSymbol, amount, total, createdAt }: Withdrawal): string {
  return `withdrawal ${printable(id)}: ${amount} ${printable(assetSymbol ?? '(asset unknown)')}, ${total} in all, at ${printable(createdAt)}`
}

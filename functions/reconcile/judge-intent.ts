// Judges an intent: a movement against what its intent froze, and an open intent against the time by which somebody
// should have settled it. Pure. Says what is wrong in one sentence.
import { IntentState } from '../../core/contract/records.ts'
import type { Timing } from '../../core/contract/timing.ts'
import { orderFenceMs, withdrawalFenceMs } from '../../core/journal/fence.ts'
import { attemptOf, type Intent, isConversion, isOpened } from '../../core/journal/intent.ts'
import { type Decimal, formatDecimal, parseDecimal, plus, ZERO } from '../../core/money/decimal.ts'
import { findOrderDifference, findOverfill } from '../../core/movements/conversion/as-asked.ts'
import { findUnfollowed } from '../../core/movements/follows.ts'
import { isAsAsked, isOfAsset, matchRows } from '../../core/movements/withdrawal/match.ts'
import type { WithdrawalState } from '../../core/service/ports.ts'
import { SETTLING_MS } from './audit-window.ts'
import type { AuditedFill, AuditedOrder } from './ports.ts'

/** Filled so far, settled. */
export interface FillSums {
  readonly baseAmount: Decimal
  readonly quoteAmount: Decimal
}

const NOTHING: FillSums = { baseAmount: ZERO, quoteAmount: ZERO }

export function addFill(sums: FillSums = NOTHING, fill: AuditedFill): FillSums {
  return {
    baseAmount: plus(sums.baseAmount, parseDecimal(fill.baseAmount, 'baseAmount')),
    quoteAmount: plus(sums.quoteAmount, parseDecimal(fill.quoteAmount, 'quoteAmount')),
  }
}

/** One sentence where the record is not of what was asked for: somebody has changed it. */
export function changedText(intent: Intent): string | undefined {
  const field = findUnfollowed(intent)
  return field && `its record was changed: its ${field} is not as it was asked for`
}

/** `undefined` where the order is what was asked for and quoted, and its fills add up. */
export function orderDifference(order: AuditedOrder, intent: Intent, fills: FillSums = NOTHING): string | undefined {
  if (!isConversion(intent)) return 'an order, and the intent is a withdrawal'
  if (intent.attempt === undefined) return 'the intent was never armed'
  const { orderId } = intent.attempt
  const sent = orderId === order.id ? undefined : `its attempt sent order ${orderId}`
  const difference = changedText(intent) ?? sent ?? findOrderDifference(order, intent) ?? findOverfill(order)
  if (difference !== undefined) return difference
  // An order still under way is read at another moment than its fills.
  if (order.status !== 'FILLED') return undefined
  return fillDifference(order, fills)
}

function fillDifference(order: AuditedOrder, fills: FillSums): string | undefined {
  for (const [leg, told] of [
    ['baseAmount', order.filledBaseAmount],
    ['quoteAmount', order.filledQuoteAmount],
  ] as const) {
    if (parseDecimal(told, leg) !== fills[leg]) {
      return `its fills add up to a ${leg} of ${formatDecimal(fills[leg])}, not ${told}`
    }
  }
  return undefined
}

/** `undefined` where the row is what was asked for. Its contact no row shows. */
export function withdrawalDifference(row: WithdrawalState, intent: Intent): string | undefined {
  if (isConversion(intent)) return 'a withdrawal, and the intent is a conversion'
  const changed = changedText(intent)
  if (changed !== undefined) return changed
  const { attempt, frozen } = intent
  // Its record was lost, and a person named the row.
  if (attempt === undefined) return 'the intent was never armed'
  if (attempt.known.some(({ id }) => id === row.id)) return 'it was there before the send'
  if (isAsAsked(row, frozen)) return undefined
  if (!isOfAsset(row, frozen)) return `its asset is ${row.assetSymbol}, not ${frozen.assetSymbol}`
  const is = `${row.subType} of ${row.amount} and a fee of ${row.fee}${row.networkId === null ? '' : ` on ${row.networkId}`}`
  const asked = `${frozen.feeMode === 'deduct' ? 'a total' : 'an amount'} of ${frozen.amount}`
  return `it is ${is}, and ${asked} was asked for${frozen.networkId === null ? '' : ` on ${frozen.networkId}`}`
}

/** Whether an intent that is ARMED may be about to claim an order. */
export function mayBeOrderOf({ id }: AuditedOrder, intent: Intent): boolean {
  return isConversion(intent) && intent.attempt?.orderId === id
}

/** The same of a row: it is the intent's, or like it. */
export function mayBeRowOf(row: WithdrawalState, intent: Intent): boolean {
  if (isConversion(intent) || !isOpened(intent)) return false
  const { exact, near } = matchRows([row], attemptOf(intent), intent.frozen)
  return exact.length + near.length > 0
}

/** One sentence where it is overdue, else `undefined`. `nowMs`: service time. */
export function overdueText(intent: Intent, nowMs: number, timing: Timing): string | undefined {
  const notAfterMs = Date.parse(intent.notAfter)
  if (intent.state === IntentState.Ready) {
    if (nowMs <= notAfterMs + SETTLING_MS) return undefined
    return `READY, and its time ran out at ${intent.notAfter}: no run has ended it`
  }
  if (intent.state !== IntentState.Armed) return undefined
  const fenceMs = fenceOf(intent, timing)
  if (nowMs <= fenceMs + SETTLING_MS) return undefined
  return `ARMED, and its fence passed at ${new Date(fenceMs).toISOString()}: money may have moved, and no run has settled it`
}

function fenceOf(intent: Intent, timing: Timing): number {
  return isConversion(intent) ? orderFenceMs(attemptOf(intent), timing) : withdrawalFenceMs(attemptOf(intent), timing)
}

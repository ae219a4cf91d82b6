// Compares an intent with its own record, and a movement of the service with its intent and with its own figures. The
// audit, proofs and the verification of a deployment use it. The rules of what is as asked for are in core/movements,
// because the steps refuse by them too. Pure. Each finding is one sentence, and names a movement so that it can be found.

import { IntentState } from '../contract/records.ts'
import type { Timing } from '../contract/timing.ts'
import { fenceOf } from '../journal/entering.ts'
import { type Intent, isConversion, isOpened } from '../journal/intent.ts'
import { type Decimal, formatDecimal, isSameAmount, parseDecimal, plus, ZERO } from '../money/decimal.ts'
import { findOrderDifference, findOverfill } from '../movements/conversion/as-requested.ts'
import { findUnfollowed } from '../movements/follows.ts'
import { isAsRequested, isOfAsset } from '../movements/withdrawal/match.ts'
import { findDearerFee } from '../movements/withdrawal/route.ts'
import { printable } from '../printable.ts'
import type { OrderState, WithdrawalState } from '../service/ports.ts'

/** Filled so far, settled. */
export interface FillSums {
  readonly baseAmount: Decimal
  readonly quoteAmount: Decimal
}

export const NO_FILLS: FillSums = { baseAmount: ZERO, quoteAmount: ZERO }

export function addFill(sums: FillSums, fill: Readonly<Record<keyof FillSums, string>>): FillSums {
  return {
    baseAmount: plus(sums.baseAmount, parseDecimal(fill.baseAmount, 'baseAmount')),
    quoteAmount: plus(sums.quoteAmount, parseDecimal(fill.quoteAmount, 'quoteAmount')),
  }
}

/**
 * `undefined` where the order is what was asked for and quoted, its record follows from the request, and the fills of an order
 * at its end add up. An order still under way is read at another moment than its fills.
 */
export function findOrderFault(order: OrderState, intent: Intent, fills: FillSums): string | undefined {
  return (
    findChange(intent) ??
    findOtherOrder(order, intent) ??
    findOverfill(order) ??
    (AT_END.has(order.status) ? findFillDifference(order, fills) : undefined)
  )
}

/** Statuses after which an order fills no more. They are an open set: an unknown one is still moving. */
const AT_END: ReadonlySet<string> = new Set(['FILLED', 'FAILED'])

/** Why an order is not the one that the intent's attempt has sent, as it was asked for. */
export function findOtherOrder(order: OrderState, intent: Intent): string | undefined {
  if (!isConversion(intent)) return 'an order, and the intent is a withdrawal'
  // The record was lost, and a person named the order: nothing shows that it is what was asked for.
  if (intent.attempt === undefined) return 'the intent was never armed'
  const { orderId } = intent.attempt
  return orderId === order.id ? findOrderDifference(order, intent) : `its attempt sent order ${orderId}`
}

/** The same for either kind. Undefined for a movement that a person has chosen, because its record does not show the request. */
export function findOtherMovement(shown: OrderState | WithdrawalState, intent: Intent): string | undefined {
  if (intent.resolution !== undefined || !isOpened(intent)) return undefined
  return 'market' in shown ? findOtherOrder(shown, intent) : findOtherRow(shown, intent)
}

export function findFillDifference(order: OrderState, fills: FillSums): string | undefined {
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

/** `undefined` where the row is what was asked for, its record follows from the request, and its figures add up. */
export function findWithdrawalFault(row: WithdrawalState, intent: Intent): string | undefined {
  return findChange(intent) ?? findOtherRow(row, intent) ?? findTotalDifference(row)
}

/** Why a row is not the one that the intent's attempt has made, as it was asked for. No row shows its contact. */
export function findOtherRow(row: WithdrawalState, intent: Intent): string | undefined {
  if (isConversion(intent)) return 'a withdrawal, and the intent is a conversion'
  const { attempt, frozen } = intent
  // The record was lost, and a person named the row: nothing shows that it is what was asked for.
  if (attempt === undefined) return 'the intent was never armed'
  if (attempt.known.some(({ id }) => id === row.id)) return 'it was there before the send'
  if (isAsRequested(row, frozen)) return findDearerFee(row, attempt)
  if (!isOfAsset(row, frozen)) return `its asset is ${row.assetSymbol}, not ${frozen.assetSymbol}`
  const is = `${row.subType} of ${row.amount} and a fee of ${row.fee}${row.networkId === null ? '' : ` on ${row.networkId}`}`
  const asked = `${frozen.feeMode === 'deduct' ? 'a total' : 'an amount'} of ${frozen.amount}`
  return `it is ${is}, and ${asked} was asked for${frozen.networkId === null ? '' : ` on ${frozen.networkId}`}`
}

/** The total is what was debited: amount and fee (service description, "Withdrawals"). */
export function findTotalDifference({ amount, fee, total }: Figures): string | undefined {
  const sum = formatDecimal(plus(parseDecimal(amount, 'amount'), parseDecimal(fee, 'fee')))
  return isSameAmount(sum, total) ? undefined : `its amount and its fee add up to ${sum}, not ${total}`
}

type Figures = Pick<WithdrawalState, 'amount' | 'fee' | 'total'>

/** The figures that an entry of the ledger may be of: whether amount and fee are one entry or two is not described. */
export function figuresOfWithdrawal({ amount, fee, total }: Figures): readonly string[] {
  return [total, amount, fee]
}

/** The figures that an entry of a fill may be of: which of its two legs an entry is of is not described. */
export function figuresOfFill({
  baseAmount,
  quoteAmount,
}: Readonly<Record<keyof FillSums, string>>): readonly string[] {
  return [baseAmount, quoteAmount]
}

/** Whether a withdrawal must be in the ledger: a service may book it at acceptance or at completion. */
export function mustBeBooked({ status }: WithdrawalState): boolean {
  return status === 'COMPLETED'
}

/** How long after its fence an intent may take to be settled: retries, waits between looks, a slow start. */
export const SETTLING_MS = 15 * 60_000

/** One sentence where the record does not follow from the request, because somebody has changed the record. */
export function findChange(intent: Intent): string | undefined {
  const field = findUnfollowed(intent)
  return field && `its record was changed: its ${field} is not as it was asked for`
}

/** One sentence where the intent is overdue, else `undefined`. `nowMs`: service time. */
export function findOverdue(intent: Intent, nowMs: number, timing: Timing): string | undefined {
  if (!isOpened(intent)) return undefined
  const { notAfter, state } = intent
  if (state === IntentState.Ready) {
    if (nowMs <= Date.parse(notAfter) + SETTLING_MS) return undefined
    return `READY, and its time ran out at ${notAfter}: no run has ended it`
  }
  if (state !== IntentState.Armed) return undefined
  const fenceMs = fenceOf(intent, timing)
  if (nowMs <= fenceMs + SETTLING_MS) return undefined
  return `ARMED, and its fence passed at ${new Date(fenceMs).toISOString()}: money may have moved, and no run has settled it`
}

/** Such as "order o-1, a BUY of 0.5 on BTC-USDC at 2026-02-01T10:00:00.000Z". */
export function orderText({ id, side, market, baseAmount, createdAt }: AuditedOrder): string {
  return `order ${printable(id)}, a ${printable(side)} of ${baseAmount} on ${printable(market)} at ${printable(createdAt)}`
}

interface AuditedOrder extends Pick<OrderState, 'id' | 'side' | 'market' | 'baseAmount'> {
  readonly createdAt: string
}

/** Such as "withdrawal w-1 of 100 USDC at 2026-02-01T10:00:00.000Z". `total`: with its fee. */
export function withdrawalText({ id, assetSymbol, total, createdAt }: AuditedRow): string {
  return `withdrawal ${printable(id)} of ${total} ${printable(assetSymbol ?? '(asset unknown)')} at ${printable(createdAt)}`
}

type AuditedRow = Pick<WithdrawalState, 'id' | 'assetSymbol' | 'total' | 'createdAt'>

// Holds what the service shows of one intent against what the journal says of it: the claim, the row, the fills, the ledger,
// and that there is no second movement. It goes by the rules of the steps, and finds what speaks against the journal. Pure.
import { FOREIGN, IntentState, recordKey } from '../../core/contract/records.ts'
import {
  type ConvertIntent,
  type Intent,
  isConversion,
  isOpened,
  type WithdrawIntent,
} from '../../core/journal/intent.ts'
import { type Decimal, parseDecimal, plus, sumOf } from '../../core/money/decimal.ts'
import { findOrderDifference, findOverfill } from '../../core/movements/conversion/as-asked.ts'
import { findMissing } from '../../core/movements/withdrawal/known-rows.ts'
import { hasFigure, isAsAsked, matchRows } from '../../core/movements/withdrawal/match.ts'
import type { OrderState, WithdrawalState } from '../../core/service/ports.ts'
import type { Evidence, ServicePart } from './proof-parts.ts'

export type ContradictionCode =
  | 'record_broken'
  | 'another_account'
  | 'request_differs'
  | 'plan_differs'
  | 'not_approved'
  | 'leg_differs'
  | 'terms_differ'
  | 'body_differs'
  | 'claim_missing'
  | 'movement_missing'
  | 'movement_differs'
  | 'movement_shared'
  | 'figures_differ'
  | 'another_movement'
  | 'looked_too_early'
  | 'not_looked_for'

export interface Contradiction {
  /** The key of the record. */
  readonly about: string
  readonly code: ContradictionCode
}

/** As the service shows them: settled decimal strings. */
export type MovedFigures =
  | Readonly<Record<'market' | 'side' | 'status' | 'baseAmount' | 'quoteAmount', string>>
  | (Readonly<Record<'status' | 'amount' | 'fee' | 'total', string>> & { readonly assetSymbol: string | null })

/** The movement by which an intent is DONE. In any other state it has none, whatever its record names. */
export function movementIdOf({ state, ref }: Intent): string | undefined {
  return state === IntentState.Done ? ref : undefined
}

/** `undefined` where nothing moved, or the service was not read. */
export function movedBy(
  intent: Intent,
  verdict: string,
  { records, services }: Evidence,
  found: Contradiction[],
): MovedFigures | undefined {
  const { intentId, kind, attempt, state } = intent
  const about = recordKey.intent(kind, intentId)
  const find = (code: ContradictionCode) => {
    found.push({ about, code })
  }
  const claimantOf = (id: string) => {
    const holder = records.get(recordKey.claim(kind, id))?.intentId
    // A step that sends can claim a movement for others. That a person said so is a record of its own.
    return holder === FOREIGN && !records.has(recordKey.foreign(kind, id)) ? undefined : holder
  }
  const movementId = movementIdOf(intent)
  const isOwn = movementId !== undefined && claimantOf(movementId) === intentId
  if (state === IntentState.Done && !isOwn) find('claim_missing')
  const shown = services.get(intentId)
  if (shown === undefined) return undefined
  const isZero = verdict === 'certified zero'
  // Before the signed request is dead, absence proves nothing.
  if (isZero && attempt !== undefined && Date.parse(shown.readAt) < attempt.exp * 1000) find('looked_too_early')
  return isConversion(intent)
    ? movedOrder(intent, shown, { movementId, isZero, find })
    : movedWithdrawal(intent, shown, { movementId, isZero, claimantOf, find })
}

interface JudgingOrder {
  readonly movementId: string | undefined
  readonly isZero: boolean
  readonly find: (code: ContradictionCode) => void
}

function movedOrder(
  intent: ConvertIntent,
  { orders = [], fills = [], ledger }: ServicePart,
  { movementId, isZero, find }: JudgingOrder,
): MovedFigures | undefined {
  const { attempt } = intent
  if (orders.some(({ id, row }) => row !== null && id !== movementId)) find('another_movement')
  const isLookedFor = attempt === undefined || orders.some(({ id }) => id === attempt.orderId)
  if (isZero && !isLookedFor) find('not_looked_for')
  if (movementId === undefined) return undefined
  const row = orders.find(({ id }) => id === movementId)?.row ?? undefined
  if (row === undefined) {
    find('movement_missing')
    return undefined
  }
  if (row.id !== movementId || !isOrderOf(row, intent)) find('movement_differs')
  const base = sumOf(fills.map(({ baseAmount }) => decimal(baseAmount)))
  const quote = sumOf(fills.map(({ quoteAmount }) => decimal(quoteAmount)))
  const isWhole = base === decimal(row.filledBaseAmount) && quote === decimal(row.filledQuoteAmount)
  // Whether an entry is of one figure or of another is not described: it must be one of its fill's.
  const booked = new Set(ledger.map(({ source }) => source?.id))
  const isBooked = fills.every(({ id }) => booked.has(id))
  const figures = new Set(
    fills.flatMap(({ id, baseAmount, quoteAmount }) => [keyOf(id, baseAmount), keyOf(id, quoteAmount)]),
  )
  const isOfFills = ledger.every(
    ({ source, amount }) => source !== null && amount !== null && figures.has(keyOf(source.id, amount)),
  )
  if (!isWhole || !isBooked || !isOfFills || findOverfill(row) !== undefined) find('figures_differ')
  const { market, side, status, filledBaseAmount: baseAmount, filledQuoteAmount: quoteAmount } = row
  return { market, side, status, baseAmount, quoteAmount }
}

/** The order that was sent, as it was asked for. Where the journal has lost its terms, a person has named it. */
function isOrderOf(row: OrderState, intent: ConvertIntent): boolean {
  if (!isOpened(intent)) return intent.resolution !== undefined && row.side === intent.params.side
  return intent.attempt?.orderId === row.id && findOrderDifference(row, intent) === undefined
}

interface Judging extends JudgingOrder {
  readonly claimantOf: (id: string) => unknown
}

function movedWithdrawal(
  intent: WithdrawIntent,
  { withdrawal, rows, ledger, leftOut }: ServicePart,
  { movementId, isZero, claimantOf, find }: Judging,
): MovedFigures | undefined {
  const { intentId, attempt } = intent
  const isEnded = movementId !== undefined || isZero
  const isOpen = ({ id }: WithdrawalState) => id !== movementId && [undefined, intentId].includes(claimOf(id))
  const claimOf = (id: string) => claimantOf(id) as string | undefined
  // A row like it that nobody claims may be this intent's as well.
  if (isEnded && rowsLike(intent, rows ?? []).some(isOpen)) find('another_movement')
  const isWhole = rows !== undefined && (attempt === undefined || findMissing(attempt, rows) === undefined)
  if (isEnded && attempt !== undefined && !isWhole && leftOut === undefined) find('not_looked_for')
  if (movementId === undefined) return undefined
  if (!withdrawal) {
    find('movement_missing')
    return undefined
  }
  if (withdrawal.id !== movementId || !isRowOf(withdrawal, intent)) find('movement_differs')
  const { assetSymbol, status, amount, fee, total } = withdrawal
  const isOfIt = ledger.every((entry) => entry.source?.id === movementId && isOneOf(entry.amount, [amount, fee, total]))
  // A service may book at acceptance or at completion.
  const isBooked = status !== 'COMPLETED' || ledger.length > 0
  if (plus(decimal(amount), decimal(fee)) !== decimal(total) || !isOfIt || !isBooked) find('figures_differ')
  return { assetSymbol, status, amount, fee, total }
}

/** The rows with its very figure, whatever asset and network they name. Others may withdraw about as much: that is no evidence. */
function rowsLike(intent: WithdrawIntent, rows: readonly WithdrawalState[]): WithdrawalState[] {
  if (!isOpened(intent) || intent.attempt === undefined) return []
  const { attempt, frozen } = intent
  const { exact, near } = matchRows(rows, attempt, frozen)
  return [...exact, ...near].filter((row) => hasFigure(row, frozen))
}

/** As it was asked for, and made by the attempt: it was not there before. */
function isRowOf(row: WithdrawalState, intent: WithdrawIntent): boolean {
  if (!isOpened(intent) || intent.attempt === undefined) return false
  return isAsAsked(row, intent.frozen) && !intent.attempt.known.some(({ id }) => id === row.id)
}

function isOneOf(amount: string | null, figures: readonly string[]): boolean {
  return amount !== null && figures.some((figure) => decimal(figure) === decimal(amount))
}

/** However the figure is written. */
function keyOf(id: string, figure: string): string {
  return `${decimal(figure)} ${id}`
}

function decimal(text: string): Decimal {
  return parseDecimal(text, 'amount')
}

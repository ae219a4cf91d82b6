// Compares what the service shows of one intent with the journal: the claim, the row, the fills and the ledger. It also
// checks that no second movement exists. It uses the rules of the steps, and finds what contradicts the journal. Pure.
import { heldBy } from '../../core/audit/held-by.ts'
import {
  addFill,
  figuresOfFill,
  figuresOfWithdrawal,
  findFillDifference,
  findOtherOrder,
  findOtherRow,
  findTotalDifference,
  mustBeBooked,
  NO_FILLS,
} from '../../core/audit/judge-movement.ts'
import { recordKey } from '../../core/contract/records.ts'
import {
  type ConvertIntent,
  type Intent,
  isConversion,
  isOpened,
  type WithdrawIntent,
} from '../../core/journal/intent.ts'
import { isSameAmount, parseDecimal } from '../../core/money/decimal.ts'
import { findOverfill } from '../../core/movements/conversion/as-requested.ts'
import { findUnproven } from '../../core/movements/follows.ts'
import { findMissing } from '../../core/movements/withdrawal/known-rows.ts'
import { hasFigure, rowsLike } from '../../core/movements/withdrawal/match.ts'
import type { WithdrawalState } from '../../core/service/ports.ts'
import { movementIdOf } from '../movements/record-kind.ts'
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

/** The figures of a movement as the service shows them: settled decimal strings. */
export type MovedFigures =
  | Readonly<Record<'market' | 'side' | 'status' | 'baseAmount' | 'quoteAmount', string>>
  | (Readonly<Record<'status' | 'amount' | 'fee' | 'total', string>> & { readonly assetSymbol: string | null })

/** Undefined where nothing moved, or the service was not read. */
export function movedBy(
  intent: Intent,
  verdict: string,
  { records, services }: Evidence,
  found: Contradiction[],
): MovedFigures | undefined {
  const { intentId, kind, attempt } = intent
  const about = recordKey.intent(kind, intentId)
  const find = (code: ContradictionCode) => {
    found.push({ about, code })
  }
  const claimantOf = (id: string) => {
    const holder = records.get(recordKey.claim(kind, id))?.intentId as string | undefined
    const held = heldBy(holder, records.has(recordKey.foreign(kind, id)))
    return held === 'others, by no word of a person' ? undefined : holder
  }
  const movementId = movementIdOf(intent)
  if (findUnproven(intent, movementId === undefined ? undefined : claimantOf(movementId)) !== undefined)
    find('claim_missing')
  const shown = services.get(intentId)
  if (shown === undefined) return undefined
  const isZero = verdict === 'certified zero'
  // Absence proves nothing while the service may still accept the signed request.
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
  if (row.id !== movementId || findOtherOrder(row, intent) !== undefined) find('movement_differs')
  // Also for an order under way. The audit leaves its fills to a later audit, but nobody judges a proof later.
  const isWhole = findFillDifference(row, fills.reduce(addFill, NO_FILLS)) === undefined
  const booked = new Set(ledger.map(({ source }) => source?.id))
  const isBooked = fills.every(({ id }) => booked.has(id))
  const figures = new Set(fills.flatMap((fill) => figuresOfFill(fill).map((figure) => keyOf(fill.id, figure))))
  // The ledger was asked for the entries of this order alone, so an unreadable entry may have another figure.
  const isOfFills = ledger.every(
    ({ source, amount }) => source !== null && amount !== null && figures.has(keyOf(source.id, amount)),
  )
  if (!isWhole || !isBooked || !isOfFills || findOverfill(row) !== undefined) find('figures_differ')
  const { market, side, status, filledBaseAmount: baseAmount, filledQuoteAmount: quoteAmount } = row
  return { market, side, status, baseAmount, quoteAmount }
}

interface Judging extends JudgingOrder {
  readonly claimantOf: (id: string) => string | undefined
}

function movedWithdrawal(
  intent: WithdrawIntent,
  { withdrawal, rows, ledger, leftOut }: ServicePart,
  { movementId, isZero, claimantOf, find }: Judging,
): MovedFigures | undefined {
  const { intentId, attempt } = intent
  const isEnded = movementId !== undefined || isZero
  const isOpen = ({ id }: WithdrawalState) => id !== movementId && [undefined, intentId].includes(claimantOf(id))
  // An unclaimed row with exactly its figure may be this intent's as well. A similar figure is no evidence.
  const isLike = (row: WithdrawalState) => isOpened(intent) && hasFigure(row, intent.frozen)
  if (isEnded && rowsLike(intent, rows ?? []).some((row) => isLike(row) && isOpen(row))) find('another_movement')
  const isWhole = rows !== undefined && (attempt === undefined || findMissing(attempt, rows) === undefined)
  if (isEnded && attempt !== undefined && !isWhole && leftOut === undefined) find('not_looked_for')
  if (movementId === undefined) return undefined
  if (!withdrawal) {
    find('movement_missing')
    return undefined
  }
  if (withdrawal.id !== movementId || findOtherRow(withdrawal, intent) !== undefined) find('movement_differs')
  const { assetSymbol, status, amount, fee, total } = withdrawal
  const figures = figuresOfWithdrawal(withdrawal)
  const isOfIt = ledger.every((entry) => entry.source?.id === movementId && isOneOf(entry.amount, figures))
  const isBooked = !mustBeBooked(withdrawal) || ledger.length > 0
  if (findTotalDifference(withdrawal) !== undefined || !isOfIt || !isBooked) find('figures_differ')
  return { assetSymbol, status, amount, fee, total }
}

function isOneOf(amount: string | null, figures: readonly string[]): boolean {
  return amount !== null && figures.some((figure) => isSameAmount(figure, amount))
}

/** Independent of how the figure is written. */
function keyOf(id: string, figure: string): string {
  return `${parseDecimal(figure, 'amount')} ${id}`
}

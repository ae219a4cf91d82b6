// Holds what the service shows of one intent against what the journal says of it: the claim, the row, the fills, the ledger,
// and that there is no second movement. Finds what speaks against it. Pure.
import { IntentKind, recordKey } from '../../core/contract/records.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { type Decimal, parseDecimal, plus, sumOf } from '../../core/money/decimal.ts'
import type { Evidence, ServicePart, WithdrawalRow } from './proof-parts.ts'

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

/** `undefined` where nothing moved, or the service was not read. */
export function movedBy(
  intent: Intent,
  verdict: string,
  { records, services }: Evidence,
  found: Contradiction[],
): MovedFigures | undefined {
  const { intentId, ref, kind, attempt } = intent
  const about = recordKey.intent(kind, intentId)
  const find = (code: ContradictionCode) => {
    found.push({ about, code })
  }
  const claimantOf = (id: string) => records.get(recordKey.claim(kind, id))?.intentId
  if (ref !== undefined && claimantOf(ref) !== intentId) find('claim_missing')
  const shown = services.get(intentId)
  if (shown === undefined) return undefined
  const isZero = verdict === 'certified zero'
  // Before the signed request is dead, absence proves nothing.
  if (isZero && attempt !== undefined && Date.parse(shown.readAt) < attempt.exp * 1000) find('looked_too_early')
  return kind === IntentKind.Convert
    ? movedOrder(intent, shown, { isZero, find })
    : movedWithdrawal(intent, shown, { isZero, claimantOf, find })
}

interface JudgingOrder {
  readonly isZero: boolean
  readonly find: (code: ContradictionCode) => void
}

function movedOrder(
  intent: Intent,
  { orders = [], fills = [], ledger }: ServicePart,
  { isZero, find }: JudgingOrder,
): MovedFigures | undefined {
  const { ref, params, attempt, resolution } = intent
  if (orders.some(({ id, row }) => row !== null && id !== ref)) find('another_movement')
  const isLookedFor = attempt === undefined || orders.some(({ id }) => 'orderId' in attempt && id === attempt.orderId)
  if (isZero && !isLookedFor) find('not_looked_for')
  if (ref === undefined) return undefined
  const row = orders.find(({ id }) => id === ref)?.row ?? undefined
  if (row === undefined) {
    find('movement_missing')
    return undefined
  }
  const isSent = resolution !== undefined || (attempt !== undefined && 'orderId' in attempt && attempt.orderId === ref)
  const isAsked = 'side' in params && row.side === params.side
  if (row.id !== ref || !isSent || !isAsked) find('movement_differs')
  const base = sumOf(fills.map(({ baseAmount }) => decimal(baseAmount)))
  const quote = sumOf(fills.map(({ quoteAmount }) => decimal(quoteAmount)))
  const isWhole = base === decimal(row.filledBaseAmount) && quote === decimal(row.filledQuoteAmount)
  // Whether an entry is of one figure or of another is not described: it must be one of its fill's.
  const isBooked = fills.every(({ id }) => ledger.some(({ source }) => source?.id === id))
  const isOfFills = ledger.every(({ source, amount }) => {
    const fill = fills.find(({ id }) => id === source?.id)
    return fill !== undefined && isOneOf(amount, [fill.baseAmount, fill.quoteAmount])
  })
  if (!isWhole || !isBooked || !isOfFills) find('figures_differ')
  const { market, side, status, filledBaseAmount: baseAmount, filledQuoteAmount: quoteAmount } = row
  return { market, side, status, baseAmount, quoteAmount }
}

interface Judging extends JudgingOrder {
  readonly claimantOf: (id: string) => unknown
}

function movedWithdrawal(
  intent: Intent,
  { withdrawal, rows, ledger, leftOut }: ServicePart,
  { isZero, claimantOf, find }: Judging,
): MovedFigures | undefined {
  const { ref, intentId, attempt } = intent
  const known = attempt !== undefined && 'known' in attempt ? attempt.known.map(({ id }) => id) : []
  const isSecond = (row: WithdrawalRow) =>
    row.id !== ref && !known.includes(row.id) && isAsked(row, intent) && [undefined, intentId].includes(claimOf(row.id))
  const claimOf = (id: string) => claimantOf(id) as string | undefined
  // A row like it that nobody claims may be this intent's as well.
  if ((ref !== undefined || isZero) && (rows ?? []).some(isSecond)) find('another_movement')
  if (isZero && attempt !== undefined && rows === undefined && leftOut === undefined) find('not_looked_for')
  if (ref === undefined) return undefined
  if (!withdrawal) {
    find('movement_missing')
    return undefined
  }
  if (withdrawal.id !== ref || !isAsked(withdrawal, intent)) find('movement_differs')
  const { assetSymbol, status, amount, fee, total } = withdrawal
  const isOfIt = ledger.every((entry) => entry.source?.id === ref && isOneOf(entry.amount, [amount, fee, total]))
  // A service may book at acceptance or at completion.
  const isBooked = status !== 'COMPLETED' || ledger.length > 0
  if (plus(decimal(amount), decimal(fee)) !== decimal(total) || !isOfIt || !isBooked) find('figures_differ')
  return { assetSymbol, status, amount, fee, total }
}

/** The figure that was sent, and on which network. */
function isAsked({ assetSymbol, total, amount, networkId }: WithdrawalRow, { frozen }: Intent): boolean {
  if (!('feeMode' in frozen) || frozen.amount === undefined) return false
  const sent = frozen.feeMode === 'deduct' ? total : amount
  return (
    (assetSymbol === null || assetSymbol === frozen.assetSymbol) &&
    decimal(sent) === decimal(frozen.amount) &&
    (frozen.networkId === null || frozen.networkId === undefined || networkId === frozen.networkId)
  )
}

function isOneOf(amount: string | null, figures: readonly string[]): boolean {
  return amount !== null && figures.some((figure) => decimal(figure) === decimal(amount))
}

function decimal(text: string): Decimal {
  return parseDecimal(text, 'amount')
}

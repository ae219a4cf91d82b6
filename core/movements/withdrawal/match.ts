// Finds the row that an attempt in doubt may have made, among the account's withdrawals. A row does not show its
// contact, but the lane, the known rows and the claims leave at most one row that can be ours. It reads no claims.
// Pure. Also says which withdrawals may be in doubt side by side: those of which no row can be taken for a row of the
// other. A fee may be dearer than expected, so only requested amounts under one fee mode tell rows apart
// (docs/movement-protocol.md).
import { sameCode } from '../../contract/fields.ts'
import {
  type Intent,
  isConversion,
  isOpened,
  isSettled,
  type KnownRows,
  type OpenWithdrawal,
  type WithdrawFrozen,
  type WithdrawIntent,
} from '../../journal/intent.ts'
import { type Decimal, isCutOf, isSameAmount, isUsualIncrement, minus, parseDecimal } from '../../money/decimal.ts'
import type { WithdrawalState } from '../../service/ports.ts'

export interface Matches {
  /** New since the send, and exactly what was asked for. */
  readonly exact: readonly WithdrawalState[]
  /** New since the send, and similar to what was asked for: with another fee, network or asset, for example. */
  readonly near: readonly WithdrawalState[]
}

/**
 * `rows`: the asset's withdrawals as the service lists them, in settled figures. A row that names another asset is kept, and
 * counts as near.
 */
export function matchRows(rows: readonly WithdrawalState[], attempt: KnownRows, frozen: WithdrawFrozen): Matches {
  const known = new Set(attempt.known.map(({ id }) => id))
  const sinceMs = Date.parse(attempt.since)
  // The test is negated, so that a row whose time cannot be read is kept: it may be ours.
  const fresh = rows.filter((row) => !known.has(row.id) && !(Date.parse(row.createdAt) < sinceMs))
  const exact = fresh.filter((row) => isAsRequested(row, frozen))
  return { exact, near: fresh.filter((row) => !isAsRequested(row, frozen) && isLike(row, frozen)) }
}

/** The rows that the attempt of an intent may have made: empty for a conversion, and for an intent without an attempt. */
export function rowsLike(intent: Intent, rows: readonly WithdrawalState[]): readonly WithdrawalState[] {
  if (isConversion(intent) || !isOpened(intent) || intent.attempt === undefined) return []
  const { exact, near } = matchRows(rows, intent.attempt, intent.frozen)
  return [...exact, ...near]
}

/** Whether a row of the asset is what was asked for; a row does not show its contact. */
export function isAsRequested(row: WithdrawalState, frozen: WithdrawFrozen): boolean {
  return isOfAsset(row, frozen) && hasAmount(row, frozen) && hasRoute(row, frozen)
}

/**
 * Whether a row names the asset that was asked for: by its settled code or by its ticker, in any case. The service does not
 * always resolve the asset of a row. A row without an asset counts too, because it was listed under the asset.
 */
export function isOfAsset({ assetSymbol }: WithdrawalState, frozen: WithdrawFrozen): boolean {
  if (assetSymbol === null) return true
  const named = assetSymbol.trim()
  return sameCode(named, frozen.assetSymbol) || sameCode(named, frozen.rebasedSymbol ?? frozen.assetSymbol)
}

/** Under `deduct` the request names the total, under `add` the amount that arrives. The fee may have changed since. */
function hasAmount(row: WithdrawalState, { amount, feeMode }: WithdrawFrozen): boolean {
  return isSameAmount(feeMode === 'deduct' ? row.total : row.amount, amount)
}

function hasRoute(row: WithdrawalState, { subTypes, networkId }: WithdrawFrozen): boolean {
  return subTypes.includes(row.subType) && row.networkId === networkId
}

/**
 * Whether the row shares a figure with the request, or may have its route and an amount that the request could have become.
 * Then a machine must not decide. The fee may have changed. The service also cuts an amount to its increment, and the increment
 * may have become coarser since the checks. More than half remains of an amount of at least one increment. A cut to a usual
 * increment counts whatever the route, because the service may show both otherwise.
 */
function isLike(row: WithdrawalState, frozen: WithdrawFrozen): boolean {
  if (hasFigure(row, frozen) || hasCutAmount(row, frozen)) return true
  const requested = parseDecimal(frozen.amount, 'amount')
  const amount = parseDecimal(row.amount, 'amount')
  const total = parseDecimal(row.total, 'total')
  const fees = parseDecimal(row.fee, 'fee') + parseDecimal(frozen.fee, 'fee')
  return mayHaveRoute(row, frozen) && amount <= requested + fees && 2n * (total + fees) > requested
}

/** Whether the figure that the request names is what remains of it, cut to a coarser increment. */
function hasCutAmount(row: WithdrawalState, { amount, feeMode }: WithdrawFrozen): boolean {
  const requested = parseDecimal(amount, 'amount')
  const shown = parseDecimal(feeMode === 'deduct' ? row.total : row.amount, 'amount')
  return 2n * shown > requested && isCutOf(shown, requested)
}

/** The service does not always resolve the chain of a row. */
function mayHaveRoute(row: WithdrawalState, frozen: WithdrawFrozen): boolean {
  return frozen.subTypes.includes(row.subType) && (row.networkId === null || row.networkId === frozen.networkId)
}

/** Whether a figure of the row equals a settled figure, whatever asset and route the row names. */
export function hasFigure({ amount, total }: WithdrawalState, frozen: WithdrawFrozen): boolean {
  return isSameAmount(amount, frozen.amount) || isSameAmount(total, frozen.amount) || isSameAmount(total, frozen.total)
}

/**
 * Whether both withdrawals of an asset may be in doubt at once. Their figures must differ, and none may be the other,
 * cut to a coarser increment: the service cuts an amount if the increment has become coarser. Under different fee modes
 * a dearer fee could make any two figures equal.
 */
export function mayGoBeside(one: WithdrawFrozen, other: WithdrawFrozen): boolean {
  if (one.feeMode !== other.feeMode || !isUsualIncrement(one.increment) || !isUsualIncrement(other.increment))
    return false
  return figuresOf(one).every((left) =>
    figuresOf(other).every((right) => !isCutOf(left, right) && !isCutOf(right, left)),
  )
}

/**
 * Ids of the rows that another withdrawal in flight has made, and this one has not. Each is exactly what the other
 * requested, the only such row, and without a figure of this one. `senders`: of the lane, settled or in flight.
 */
export function rowsOfOthers(
  rows: readonly WithdrawalState[],
  frozen: WithdrawFrozen,
  senders: readonly WithdrawIntent[],
): ReadonlySet<string> {
  const beside = senders.filter((other): other is OpenWithdrawal => isOpened(other) && !isSettled(other.state))
  const others = beside.filter((other) => mayGoBeside(other.frozen, frozen))
  const made = others.flatMap((other) => {
    const exact = other.attempt === undefined ? [] : matchRows(rows, other.attempt, other.frozen).exact
    return exact.length === 1 ? exact : []
  })
  return new Set(made.filter((row) => !hasFigure(row, frozen)).map(({ id }) => id))
}

/** The figures by which a row may be recognized, at the fee of the settled terms: the amount that arrives, and the total. */
function figuresOf({ amount, fee, feeMode, total }: WithdrawFrozen): readonly Decimal[] {
  const requested = parseDecimal(amount, 'amount')
  const arrives = feeMode === 'deduct' ? minus(requested, parseDecimal(fee, 'fee')) : requested
  return [requested, arrives, parseDecimal(total, 'total')]
}

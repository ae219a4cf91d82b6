// Finds the row that an attempt in doubt may have made, among the account's withdrawals. A row does not show its
// contact: the lane, the known rows and the claims leave at most one that can be ours. Pure.

import { sameCode } from '../../contract/fields.ts'
import { type Intent, isConversion, isOpened, type KnownRows, type WithdrawFrozen } from '../../journal/intent.ts'
import { isSameAmount, parseDecimal } from '../../money/decimal.ts'
import type { WithdrawalState } from '../../service/ports.ts'

export interface Matches {
  /** Not there before, and exactly what was asked for. */
  readonly exact: readonly WithdrawalState[]
  /** Not there before, and like it but not it: another fee, network or asset, say. */
  readonly near: readonly WithdrawalState[]
}

/**
 * `rows`: what the service lists as the asset's withdrawals, settled figures. None of them is left out for the asset that it
 * names: one that names another is near. Claims are not looked at here.
 */
export function matchRows(rows: readonly WithdrawalState[], tried: KnownRows, frozen: WithdrawFrozen): Matches {
  const known = new Set(tried.known.map(({ id }) => id))
  const sinceMs = Date.parse(tried.since)
  // Negated, so that a row whose time cannot be read is looked at: it may be ours.
  const fresh = rows.filter((row) => !known.has(row.id) && !(Date.parse(row.createdAt) < sinceMs))
  const exact = fresh.filter((row) => isAsAsked(row, frozen))
  return { exact, near: fresh.filter((row) => !isAsAsked(row, frozen) && isLike(row, frozen)) }
}

/** The rows that the attempt of an intent may have made: none where it has no attempt, or is a conversion. */
export function rowsLike(intent: Intent, rows: readonly WithdrawalState[]): readonly WithdrawalState[] {
  if (isConversion(intent) || !isOpened(intent) || intent.attempt === undefined) return []
  const { exact, near } = matchRows(rows, intent.attempt, intent.frozen)
  return [...exact, ...near]
}

/** Whether a row of the asset is what was asked for; its contact no row shows. */
export function isAsAsked(row: WithdrawalState, frozen: WithdrawFrozen): boolean {
  return isOfAsset(row, frozen) && hasAmount(row, frozen) && hasRoute(row, frozen)
}

/**
 * Whether a row names the asset that was asked for: by its settled code or by its ticker, in any case. The service does not
 * always resolve the asset of a row; one without an asset was listed as the asset's all the same.
 */
export function isOfAsset({ assetSymbol }: Pick<WithdrawalState, 'assetSymbol'>, frozen: WithdrawFrozen): boolean {
  if (assetSymbol === null) return true
  const named = assetSymbol.trim()
  return sameCode(named, frozen.assetSymbol) || sameCode(named, frozen.rebasedSymbol ?? frozen.assetSymbol)
}

/** Under `deduct` the total is what was asked for, under `add` what arrives; the fee may have changed. */
function hasAmount(row: WithdrawalState, { amount, feeMode }: WithdrawFrozen): boolean {
  return isSameAmount(feeMode === 'deduct' ? row.total : row.amount, amount)
}

function hasRoute(row: WithdrawalState, { subTypes, networkId }: WithdrawFrozen): boolean {
  return subTypes.includes(row.subType) && row.networkId === networkId
}

/** The service does not always resolve the chain of a row. */
function mayHaveRoute(row: WithdrawalState, frozen: WithdrawFrozen): boolean {
  return frozen.subTypes.includes(row.subType) && (row.networkId === null || row.networkId === frozen.networkId)
}

/**
 * A figure in common, or what may be the right route and an amount that ours could have become: not to be decided by a machine.
 * The fee may have changed; and the service cuts what is finer than an increment, which may have become coarser since
 * the checks: of an amount that is at least one increment, more than half is left.
 */
function isLike(row: WithdrawalState, frozen: WithdrawFrozen): boolean {
  if (hasFigure(row, frozen)) return true
  const asked = parseDecimal(frozen.amount, 'amount')
  const amount = parseDecimal(row.amount, 'amount')
  const total = parseDecimal(row.total, 'total')
  const fees = parseDecimal(row.fee, 'fee') + parseDecimal(frozen.fee, 'fee')
  return mayHaveRoute(row, frozen) && amount <= asked + fees && 2n * (total + fees) > asked
}

/** Whether a figure of the row is one that was settled, whatever asset and route the row names. */
export function hasFigure(
  { amount, total }: Pick<WithdrawalState, 'amount' | 'total'>,
  frozen: WithdrawFrozen,
): boolean {
  return isSameAmount(amount, frozen.amount) || isSameAmount(total, frozen.amount) || isSameAmount(total, frozen.total)
}

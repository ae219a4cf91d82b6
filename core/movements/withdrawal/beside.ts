// Says which withdrawals of one asset may be in doubt side by side: those of which no row can be taken for a row of the
// other. A row does not show its contact, and its fee may be dearer than expected. So only the requested amounts tell
// rows apart, and only under the same fee mode. docs/movement-protocol.md has the argument. Pure.
import {
  isOpened,
  isSettled,
  type OpenWithdrawal,
  type WithdrawFrozen,
  type WithdrawIntent,
} from '../../journal/intent.ts'
import { type Decimal, minus, parseDecimal } from '../../money/decimal.ts'
import { isCutOf, isUsualIncrement } from '../../money/increments.ts'
import type { WithdrawalState } from '../../service/ports.ts'
import { hasFigure, matchRows } from './match.ts'

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

// What the guards look at of a withdrawal: its total, and to whom it goes.
import type { GuardedMovement } from '../../guards/movement-guard.ts'
import { parseDecimal } from '../../money/decimal.ts'
import type { WithdrawIntent } from './withdraw-intent.ts'

/** What leaves the account, fee included, at the fee of the checks. */
export function guardedWithdrawal({ intentId, kind, params, frozen }: WithdrawIntent): GuardedMovement {
  const { assetSymbol, rebasedSymbol, contactId, guards } = frozen
  const amount = parseDecimal(frozen.total, 'total')
  const { keep } = params
  const floor = keep === undefined ? undefined : { assetSymbol, keep: parseDecimal(keep, 'keep') }
  return { intentId, kind, assetSymbol, rebasedSymbol, amount, contactId, guards, floor }
}

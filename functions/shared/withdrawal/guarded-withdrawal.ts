// What the guards look at of a withdrawal: its total, and to whom it goes.
import type { GuardedMovement } from '../guarding/movement-guard.ts'
import { parseDecimal } from '../money/decimal.ts'
import type { WithdrawIntent } from './withdraw-intent.ts'

/** What leaves the account, fee included, at the fee of the checks. */
export function guardedWithdrawal({ intentId, kind, createdAt, frozen }: WithdrawIntent): GuardedMovement {
  const { assetSymbol, rebasedSymbol, contactId, guards } = frozen
  const amount = parseDecimal(frozen.total, 'total')
  return { intentId, kind, createdAt, assetSymbol, rebasedSymbol, amount, contactId, guards }
}

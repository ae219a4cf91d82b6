// Answers questions about a withdrawal's intent: what it asked for, and what its guards must know of it. Pure.
import type { GuardedMovement, MovementGuards } from '../../guards/movement-guard.ts'
import type { OpenWithdrawal, WithdrawIntent } from '../../journal/intent.ts'
import { termsHashOf } from '../../journal/terms.ts'
import { type Decimal, parseDecimal } from '../../money/decimal.ts'
import { totalAt } from './route.ts'

/** The asset that was asked for. `undefined` for a record whose request today's schema would not accept. */
export function assetOf({ params: { assetSymbol } }: WithdrawIntent): string | undefined {
  return typeof assetSymbol === 'string' ? assetSymbol : undefined
}

/** The fields that approvals are compared with: they come from the frozen terms alone. */
export function approvableWithdrawal(intent: OpenWithdrawal) {
  const { intentId, kind, params, frozen } = intent
  const { assetSymbol, rebasedSymbol, contactId, total } = frozen
  return {
    ...{ intentId, kind, assetSymbol, rebasedSymbol, contactId, run: params.run, termsHash: termsHashOf(intent) },
    ...{ most: parseDecimal(total, 'total'), shownValues: frozen.unitValues },
  }
}

/** The movement as the guards see it: the amount that leaves the account at `fee`, and its contact. */
export function guardedWithdrawal(intent: OpenWithdrawal, fee: Decimal, guards: MovementGuards): GuardedMovement {
  const { params, frozen } = intent
  const { assetSymbol } = frozen
  const amount = totalAt(fee, frozen)
  const { keep } = params
  const floor = keep === undefined ? undefined : { assetSymbol, keep: parseDecimal(keep, 'keep') }
  return { ...approvableWithdrawal(intent), amount, guards, floor }
}

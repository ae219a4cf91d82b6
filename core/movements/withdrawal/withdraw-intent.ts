// Questions about a withdrawal's intent: what it asked for, and what its guards must know of it. Pure.
import type { GuardedMovement } from '../../guards/movement-guard.ts'
import type { OpenWithdrawal, WithdrawIntent } from '../../journal/intent.ts'
import { termsHashOf } from '../../journal/terms.ts'
import { type Decimal, parseDecimal } from '../../money/decimal.ts'
import { totalAt } from './route.ts'

/** As asked for; of a request that is none today, perhaps `undefined`. */
export function assetOf({ params: { assetSymbol } }: WithdrawIntent): string | undefined {
  return typeof assetSymbol === 'string' ? assetSymbol : undefined
}

/** As it is held against what people said: by its frozen terms alone. */
export function approvableWithdrawal(intent: OpenWithdrawal) {
  const { intentId, kind, params, frozen } = intent
  const { assetSymbol, rebasedSymbol, contactId, total } = frozen
  return {
    ...{ intentId, kind, assetSymbol, rebasedSymbol, contactId, run: params.run, termsHash: termsHashOf(intent) },
    most: parseDecimal(total, 'total'),
  }
}

/** What the guards look at: what leaves the account at `fee`, and to whom it goes. */
export function guardedWithdrawal(intent: OpenWithdrawal, fee: Decimal): GuardedMovement {
  const { params, frozen } = intent
  const { assetSymbol, guards } = frozen
  const amount = totalAt(fee, frozen)
  const { keep } = params
  const floor = keep === undefined ? undefined : { assetSymbol, keep: parseDecimal(keep, 'keep') }
  return { ...approvableWithdrawal(intent), amount, guards, floor }
}

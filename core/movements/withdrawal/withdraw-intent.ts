// Questions about a withdrawal's intent: what it asked for, and what its guards must know of it. Pure.
import type { GuardedMovement } from '../../guards/movement-guard.ts'
import type { OpenWithdrawal, WithdrawIntent } from '../../journal/intent.ts'
import { type Decimal, parseDecimal } from '../../money/decimal.ts'
import { totalAt } from './route.ts'

/** As asked for; of a request that is none today, perhaps `undefined`. */
export function assetOf({ params: { assetSymbol } }: WithdrawIntent): string | undefined {
  return typeof assetSymbol === 'string' ? assetSymbol : undefined
}

/** What the guards look at: what leaves the account at `fee`, and to whom it goes. */
export function guardedWithdrawal({ intentId, kind, params, frozen }: OpenWithdrawal, fee: Decimal): GuardedMovement {
  const { assetSymbol, rebasedSymbol, contactId, guards } = frozen
  const amount = totalAt(fee, frozen)
  const { keep } = params
  const floor = keep === undefined ? undefined : { assetSymbol, keep: parseDecimal(keep, 'keep') }
  return { intentId, kind, assetSymbol, rebasedSymbol, amount, contactId, guards, floor }
}

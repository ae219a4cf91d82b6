// The journal's record of a withdrawal: what was asked for, what the checks settled, and what the
// attempt under way must be told from.
import type { PayeeFacts } from '../../contract/payee.ts'
import type { WithdrawRequest } from '../../contract/withdraw.ts'
import type { FrozenGuards } from '../../guards/frozen-guards.ts'
import type { GuardedMovement } from '../../guards/movement-guard.ts'
import type { Intent } from '../../journal/intent.ts'
import { parseDecimal } from '../../money/decimal.ts'

export interface WithdrawFrozen {
  /** The account's id at the service: names the lane. */
  readonly account: string
  /** Settled code. */
  readonly assetSymbol: string
  /** The ticker by which guards may name an equity; absent where it is the settled code. */
  readonly rebasedSymbol?: string
  /** Rounded down to the increment: what is sent. */
  readonly amount: string
  readonly feeMode: 'deduct' | 'add'
  readonly contactId: string
  /** The contact as the checks saw it, and when (ISO-8601, service time). Absent in intents of before. */
  readonly payee?: PayeeFacts & { readonly seenAt: string }
  /** The sub-types that a row to this contact may have. */
  readonly subTypes: readonly string[]
  /** The network of an external crypto contact, else null. */
  readonly networkId: string | null
  /** At the start; the service may change it. */
  readonly fee: string
  /** The most that leaves the account, fee included, at that fee. */
  readonly total: string
  /** Absent where no guard concerns it. */
  readonly guards?: FrozenGuards
}

export interface WithdrawTried {
  /** ISO-8601, service time: no row of this attempt can be older. */
  readonly since: string
  /** Ids of the asset's rows since then that were there before the send. */
  readonly knownIds: readonly string[]
  /** True once a 201 was heard whose row could not be read: then none is not zero. */
  readonly accepted?: boolean
}

export type WithdrawIntent = Intent<WithdrawRequest, WithdrawFrozen, WithdrawTried>

/** What the guards look at: what leaves the account, fee included, at the fee of the checks, and to whom it goes. */
export function guardedWithdrawal({ intentId, kind, params, frozen }: WithdrawIntent): GuardedMovement {
  const { assetSymbol, rebasedSymbol, contactId, guards } = frozen
  const amount = parseDecimal(frozen.total, 'total')
  const { keep } = params
  const floor = keep === undefined ? undefined : { assetSymbol, keep: parseDecimal(keep, 'keep') }
  return { intentId, kind, assetSymbol, rebasedSymbol, amount, contactId, guards, floor }
}

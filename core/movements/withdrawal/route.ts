// Finds the network, the fee and the minimum that a withdrawal has by its contact, and computes its total at a fee.
// CheckWithdrawal settles the terms with these figures, and Withdraw checks them again. Pure.
import { sameCode } from '../../contract/fields.ts'
import { GuardCode } from '../../contract/outcomes.ts'
import type { PayeeFacts } from '../../contract/payee.ts'
import type { WithdrawRequest } from '../../contract/withdraw.ts'
import { Refused } from '../../errors.ts'
import type { WithdrawalAttempt, WithdrawFrozen } from '../../journal/intent.ts'
import type { Refusal } from '../../journal/moves.ts'
import { quantiseAmountDown, settledAmount } from '../../money/amount.ts'
import { type Decimal, formatDecimal, parseDecimal, plus, ZERO } from '../../money/decimal.ts'
import type { WithdrawalState } from '../../service/ports.ts'
import type { AssetTerms } from './ports.ts'

type FeeMode = WithdrawFrozen['feeMode']

/** Figures are in settled units. */
export interface Route {
  readonly networkId: string | null
  readonly fee: Decimal
  /** Minimum of the quantity sent: without the fee. */
  readonly minimum: Decimal
}

/** @throws Refused for a contact that the asset cannot be sent to */
export function routeOf(contact: PayeeFacts, asset: AssetTerms): Route {
  if (contact.assetSymbol !== null && !sameCode(contact.assetSymbol, asset.assetSymbol)) {
    throw new Refused(`input.contactId: this contact takes ${contact.assetSymbol}, not ${asset.assetSymbol}`)
  }
  const free = { networkId: null, fee: ZERO }
  switch (contact.type) {
    case 'INTERNAL':
      return {
        ...free,
        minimum: parseDecimal(asset.minimumInternalWithdrawal, 'minimumInternalWithdrawal'),
      }
    case 'BANK_ACCOUNT':
      return { ...free, minimum: parseDecimal(asset.minimumWithdrawal, 'minimumWithdrawal') }
    case 'EXTERNAL_CRYPTO': {
      // The fee belongs to the contact's network, never to the asset.
      const network = asset.networks.find(({ networkId }) => networkId !== null && networkId === contact.networkId)
      if (!network) throw new Refused(`input.contactId: ${asset.assetSymbol} cannot be withdrawn on its network`)
      return {
        networkId: network.networkId,
        fee: parseDecimal(network.withdrawalFee, 'withdrawalFee'),
        minimum: parseDecimal(network.minimumWithdrawal, 'minimumWithdrawal'),
      }
    }
    default:
      throw new Refused('input.contactId: a contact of this type cannot be paid')
  }
}

/** The least amount that a request may name. */
export function leastOf({ minimum, fee }: Route, feeMode: FeeMode): Decimal {
  return feeMode === 'deduct' ? plus(minimum, fee) : minimum
}

export function totalAt(fee: Decimal, { amount, feeMode }: Pick<WithdrawFrozen, 'amount' | 'feeMode'>): Decimal {
  const requested = parseDecimal(amount, 'amount')
  return feeMode === 'deduct' ? requested : plus(requested, fee)
}

/** One sentence where the service has taken a higher fee than it showed right before the send. */
export function findDearerFee(row: WithdrawalState, attempt: WithdrawalAttempt): string | undefined {
  if (parseDecimal(row.fee, 'fee') <= parseDecimal(attempt.fee, 'fee')) return undefined
  return `its fee is ${row.fee}, and ${attempt.fee} was shown right before its send`
}

/** A refusal where more would leave than the request's `most`. */
export function findExcess(
  { most }: WithdrawRequest,
  { assetSymbol }: WithdrawFrozen,
  total: Decimal,
): Refusal | undefined {
  if (most === undefined || total <= parseDecimal(most, 'most')) return undefined
  const why = `${formatDecimal(total)} ${assetSymbol} would leave, fee included, and ${most} is the most that was asked for`
  return { why, guardedBy: GuardCode.Largest }
}

/**
 * One sentence on why the service's present terms would refuse the settled amount, or cut it. Checking it here saves the wait
 * for a fence.
 */
export function findUnfit(
  { assetSymbol, amount, feeMode }: WithdrawFrozen,
  { amountIncrement }: AssetTerms,
  route: Route,
): string | undefined {
  const settled = settledAmount(assetSymbol, amount, 'amount')
  const least = leastOf(route, feeMode)
  if (settled.value < least)
    return `${amount} ${assetSymbol} is less than may be withdrawn by now: at least ${formatDecimal(least)} under feeMode ${feeMode}`
  const increment = parseDecimal(amountIncrement, 'amountIncrement')
  if (quantiseAmountDown(settled, increment).value === settled.value) return undefined
  return `${amount} ${assetSymbol} is no multiple of ${amountIncrement}, which is the asset's increment by now`
}

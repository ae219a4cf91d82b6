// The way that a withdrawal takes by its contact, with the fee and the minimum of that way, and what it comes to at a fee.
// Whoever settles its terms goes by this, and whoever sends it looks again. Pure.
import { sameCode } from '../../contract/fields.ts'
import { GuardCode } from '../../contract/outcomes.ts'
import type { PayeeFacts } from '../../contract/payee.ts'
import type { WithdrawRequest } from '../../contract/withdraw.ts'
import { Refused } from '../../errors.ts'
import type { WithdrawFrozen } from '../../journal/intent.ts'
import type { Refusal } from '../../journal/moves.ts'
import { quantiseAmountDown, settledAmount } from '../../money/amount.ts'
import { type Decimal, formatDecimal, parseDecimal, plus, ZERO } from '../../money/decimal.ts'
import type { AssetTerms } from './ports.ts'

type FeeMode = WithdrawFrozen['feeMode']

/** Figures are settled units. */
export interface Route {
  readonly networkId: string | null
  readonly fee: Decimal
  /** Of the quantity sent, that is without the fee. */
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
      // The fee is the one of the network that the contact is on, never the asset's.
      const network = asset.networks.find(({ networkId }) => networkId !== null && networkId === contact.networkId)
      if (!network)
        throw new Refused(`input.contactId: its network is not one that ${asset.assetSymbol} can be withdrawn on`)
      return {
        networkId: network.networkId,
        fee: parseDecimal(network.withdrawalFee, 'withdrawalFee'),
        minimum: parseDecimal(network.minimumWithdrawal, 'minimumWithdrawal'),
      }
    }
    default:
      throw new Refused('input.contactId: a contact of a type that is not known how to pay')
  }
}

/** The least amount that may be asked for. */
export function leastOf({ minimum, fee }: Route, feeMode: FeeMode): Decimal {
  return feeMode === 'deduct' ? plus(minimum, fee) : minimum
}

/** What leaves the account at a fee. */
export function totalAt(fee: Decimal, { amount, feeMode }: Pick<WithdrawFrozen, 'amount' | 'feeMode'>): Decimal {
  const asked = parseDecimal(amount, 'amount')
  return feeMode === 'deduct' ? asked : plus(asked, fee)
}

/** Where more would leave than the most that was asked for. */
export function findExcess(
  { most }: Pick<WithdrawRequest, 'most'>,
  { assetSymbol }: Pick<WithdrawFrozen, 'assetSymbol'>,
  total: Decimal,
): Refusal | undefined {
  if (most === undefined || total <= parseDecimal(most, 'most')) return undefined
  const why = `${formatDecimal(total)} ${assetSymbol} would leave, fee included, and ${most} is the most that was asked for`
  return { why, guardedBy: GuardCode.Largest }
}

/**
 * Why the service would not send the amount that was settled, or would cut it, by its present terms: one sentence. A fence
 * is saved by not asking it.
 */
export function findUnfit(
  { assetSymbol, amount, feeMode }: Pick<WithdrawFrozen, 'assetSymbol' | 'amount' | 'feeMode'>,
  { amountIncrement }: Pick<AssetTerms, 'amountIncrement'>,
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

// Computes the fee and the minimum of a withdrawal to a contact, and how much of a sum it can carry. Pure; settled units. The
// checks before a send (functions/check-withdrawal) compute it again from fresh reads.
import { sameCode } from '../../contract/fields.ts'
import type { PayeeFacts } from '../../contract/payee.ts'
import { NonLegCode } from '../../contract/plan.ts'
import {
  ATOM,
  compareScaled,
  type Decimal,
  formatDecimal,
  greatest,
  minus,
  partOf,
  plus,
  quantiseDown,
  quantiseUp,
  WHOLE_BPS,
  ZERO,
} from '../../money/decimal.ts'
import type { AssetFacts } from '../market/snapshot.ts'

export interface Obstacle {
  readonly code: NonLegCode
  readonly reason: string
}

/** The terms of the contact's own network, never the asset's cheapest fee (description, "NetworkResource"). */
export interface Route {
  readonly asset: AssetFacts
  readonly fee: Decimal
  /** Minimum of the quantity sent: without the fee. */
  readonly minimum: Decimal
}

export interface FeeTerms {
  readonly feeMode: 'deduct' | 'add'
  readonly feeCeilingBps?: number
  /** Minimum of the request's amount. */
  readonly smallest?: Decimal
}

export interface Withdrawal {
  /** Amount of the request: the total under `deduct`, the received amount under `add`. */
  readonly amount: Decimal
  readonly total: Decimal
}

export function isObstacle(found: object): found is Obstacle {
  return 'code' in found
}

export function findRoute(asset: AssetFacts, payee: PayeeFacts | undefined): Route | Obstacle {
  const { assetSymbol } = asset
  if (payee === undefined) return mismatch('the service knows no such contact: contacts are made in its dashboard')
  if (payee.assetSymbol !== null && !sameCode(payee.assetSymbol, assetSymbol)) {
    return mismatch(`the contact takes ${payee.assetSymbol}, not ${assetSymbol}`)
  }
  switch (payee.type) {
    case 'INTERNAL':
      return { asset, fee: ZERO, minimum: asset.minimumInternalWithdrawal }
    case 'BANK_ACCOUNT':
      return { asset, fee: ZERO, minimum: asset.minimumWithdrawal }
    case 'EXTERNAL_CRYPTO': {
      const network = asset.networks.find(({ networkId }) => networkId !== null && networkId === payee.networkId)
      if (!network) return mismatch(`${assetSymbol} cannot be withdrawn on the contact's network`)
      return { asset, fee: network.withdrawalFee, minimum: network.minimumWithdrawal }
    }
    default:
      return mismatch('a contact of this type cannot be paid')
  }
}

function mismatch(reason: string): Obstacle {
  return { code: NonLegCode.ContactMismatch, reason }
}

/** The largest withdrawal that `sum` can carry, fee included, or the reason why it carries nothing. */
export function fitWithdrawal(route: Route, terms: FeeTerms, sum: Decimal): Withdrawal | Obstacle {
  const { asset, fee } = route
  const code = asset.assetSymbol
  const { feeMode, feeCeilingBps, smallest = ZERO } = terms
  const withdrawal = withdrawalOf(route, feeMode, sum)
  const { amount } = withdrawal
  const least = smallestAmount(route, feeMode)
  if (amount < least) {
    const needed = `${formatDecimal(least)} that a withdrawal to this contact takes under feeMode ${feeMode}`
    return { code: NonLegCode.BelowMinimum, reason: `${formatDecimal(amount)} ${code} is less than the ${needed}` }
  }
  if (amount < smallest) {
    const reason = `${formatDecimal(amount)} ${code} is less than ${formatDecimal(smallest)}, the smallest that is worth it`
    return { code: NonLegCode.BelowSmallest, reason }
  }
  if (feeCeilingBps === undefined || compareScaled(fee, WHOLE_BPS, amount, BigInt(feeCeilingBps)) <= 0)
    return withdrawal
  const dear = `the fee of ${formatDecimal(fee)} ${code} is more than ${feeCeilingBps} bps of ${formatDecimal(amount)}`
  return { code: NonLegCode.FeeTooDear, reason: `${dear}: it waits ${untilWorthIt(route, feeCeilingBps)}` }
}

function untilWorthIt({ asset, fee }: Route, ceilingBps: number): string {
  if (ceilingBps === 0) return 'until there is no fee'
  const from = quantiseUp(partOf(fee, WHOLE_BPS, BigInt(ceilingBps), 'up'), asset.increment)
  return `until the amount is ${formatDecimal(from)}`
}

/** The smallest amount of a request that the service accepts; always above zero. */
function smallestAmount({ asset, fee, minimum }: Route, feeMode: FeeTerms['feeMode']): Decimal {
  const least = feeMode === 'deduct' ? plus(minimum, fee) : minimum
  // Under `deduct` the received amount must be above zero, whatever the minimum says.
  const aboveNothing = plus(feeMode === 'deduct' ? fee : ZERO, ATOM)
  return quantiseUp(greatest(least, aboveNothing), asset.increment)
}

/** A withdrawal of the smallest amount: a canary. */
export function smallestWithdrawal(route: Route, feeMode: FeeTerms['feeMode']): Withdrawal {
  const amount = smallestAmount(route, feeMode)
  return { amount, total: feeMode === 'deduct' ? amount : plus(amount, route.fee) }
}

function withdrawalOf({ asset, fee }: Route, feeMode: FeeTerms['feeMode'], sum: Decimal): Withdrawal {
  const free = feeMode === 'deduct' ? sum : minus(sum, fee)
  const amount = quantiseDown(greatest(free, ZERO), asset.increment)
  return { amount, total: feeMode === 'deduct' ? amount : plus(amount, fee) }
}

// Compares the plan that people see with the plan that they approve. A run's record may have been changed. So the hash that
// they approve is made from the plan itself, and never read from the record. Pure.
import { sameCode } from '../../contract/fields.ts'
import type { ConvertLeg, Plan, PlanLeg, WithdrawLeg } from '../../contract/plan.ts'
import { USUAL_APPROVAL } from '../../contract/policies.ts'
import { IntentKind } from '../../contract/records.ts'
import {
  compareScaled,
  type Decimal,
  isSameAmount,
  multiply,
  ONE_UNIT,
  parseDecimal,
  plus,
  sumOf,
  WHOLE_BPS,
} from '../../money/decimal.ts'
import { hashParams } from '../../params-hash.ts'
import { hashPlan, hashPolicy } from '../../planning/plan-hash.ts'
import type { RunRecord } from '../record/run-record.ts'
import { boundLeg } from './ask.ts'

/** Basis points of what a conversion brings: at its size it may bring this much more than its value at the smallest size. */
const BRINGS_MORE_BPS = 100n

/** Hash of the plan as the record holds it now; undefined where no approval is needed, or a part of it is missing. */
export function recordedPlanHash({ approval, plan, asPlanned, guardsHash }: RunRecord): string | undefined {
  if (approval === undefined || plan === undefined || guardsHash === undefined) return undefined
  return hashPlan(plan, { policyHash: hashPolicy(asPlanned), guardsHash, expiresAt: approval.expiresAt })
}

/**
 * One sentence for the first figure of the plan that does not follow from the requests of its legs: a person who sees it would
 * approve something else. A value follows from the valuation asset itself, or from the price that is shown beside it.
 */
export function findMisshown({ plan, asPlanned }: Pick<RunRecord, 'plan' | 'asPlanned'>): string | undefined {
  if (plan === undefined) return 'it has no plan'
  const bound = BigInt((asPlanned.approval ?? USUAL_APPROVAL).priceBoundBps)
  for (const leg of plan.legs) {
    const figure =
      (leg.kind === IntentKind.Convert ? findOfConversion(leg) : findOfWithdrawal(leg)) ??
      (isBound(leg, bound) ? undefined : 'is bound by other figures') ??
      (isWorthMore(leg, plan) ? 'is worth more' : undefined)
    if (figure !== undefined) return `its leg ${leg.key} ${figure}`
  }
  const turnover = sumOf(plan.legs.map(({ value }) => parseDecimal(value, 'value')))
  return turnover === parseDecimal(plan.turnover, 'turnover') ? undefined : 'its turnover is not that of its legs'
}

function findOfConversion({ request, gives, brings }: ConvertLeg): string | undefined {
  const { side, baseAsset, quoteAsset, amountAsset, amount } = request
  const [given, brought] = side === 'SELL' ? [baseAsset, quoteAsset] : [quoteAsset, baseAsset]
  if (!sameCode(gives.asset, given)) return 'spends another asset'
  if (!sameCode(brings.asset, brought)) return 'brings another asset'
  const isOfGiven = sameCode(amountAsset, given)
  if (isSameAmount((isOfGiven ? gives : brings).amount, amount)) return undefined
  return isOfGiven ? 'spends another amount' : 'brings another amount'
}

function findOfWithdrawal({ request, assetSymbol, contactId, payee, total, fee }: WithdrawLeg): string | undefined {
  if (!sameCode(assetSymbol, request.assetSymbol)) return 'is of another asset'
  if (contactId !== request.contactId || (payee ?? { contactId }).contactId !== contactId)
    return 'goes to another contact'
  const amount = parseDecimal(request.amount, 'amount')
  const expectedTotal = request.feeMode === 'add' ? plus(amount, parseDecimal(fee, 'fee')) : amount
  return expectedTotal === parseDecimal(total, 'total') ? undefined : 'takes another total'
}

/** Whether the worst rate and the highest amount in the request follow from the figures beside them. */
function isBound(leg: PlanLeg, bound: bigint): boolean {
  return hashParams(boundLeg(leg, bound).request) === hashParams(leg.request)
}

/** Whether the leg is worth more than its value says. The value decides how many people must approve. */
function isWorthMore(leg: PlanLeg, { positions, valuationAsset }: Plan): boolean {
  const priceOf = (asset: string) =>
    asset === valuationAsset ? ONE_UNIT : parsePrice(positions.find((each) => each.asset === asset)?.price)
  const value = parseDecimal(leg.value, 'value')
  const [asset, amount] =
    leg.kind === IntentKind.Convert ? [leg.gives.asset, leg.gives.amount] : [leg.assetSymbol, leg.total]
  const price = priceOf(asset)
  if (price !== undefined && value < multiply(parseDecimal(amount, 'amount'), price, 'down')) return true
  if (leg.kind === IntentKind.Withdraw || leg.brings.asset !== valuationAsset) return false
  const brings = parseDecimal(leg.brings.amount, 'brings')
  return compareScaled(value, WHOLE_BPS + BRINGS_MORE_BPS, brings, WHOLE_BPS) < 0
}

function parsePrice(price: string | null | undefined): Decimal | undefined {
  return price === null || price === undefined ? undefined : parseDecimal(price, 'price')
}

// What an approval binds each leg to until it is sent: no more than a person was shown, at no worse a rate, and for
// no more value, each within the policy's bound. Pure: the bounds are part of the leg's request, and so of its hash.
import { sameCode } from '../../contract/fields.ts'
import type { ConvertLeg, Plan, PlanLeg } from '../../contract/plan.ts'
import { IntentKind } from '../../contract/records.ts'
import { formatDecimal, parseDecimal, partOf, WHOLE_BPS } from '../../money/decimal.ts'

/** The plan as a person is to see it: each conversion with the worst rate and the most that approving it allows. */
export function boundPlan(plan: Plan, boundBps: number): Plan {
  return { ...plan, legs: plan.legs.map((leg) => boundLeg(leg, BigInt(boundBps))) }
}

function boundLeg(leg: PlanLeg, bound: bigint): PlanLeg {
  // A withdrawal is of an exact amount: under `add` its fee comes on top, and may have become dearer.
  if (leg.kind === IntentKind.Withdraw) return { ...leg, request: { ...leg.request, most: leg.total } }
  const { request, indicativeRate } = leg
  const other = otherOf(leg)
  const rate = parseDecimal(indicativeRate, 'indicativeRate')
  // Rounded against the leg: never worse than was shown by more than the bound.
  const worst =
    request.side === 'BUY'
      ? partOf(rate, WHOLE_BPS + bound, WHOLE_BPS, 'down')
      : partOf(rate, WHOLE_BPS - bound, WHOLE_BPS, 'up')
  const most = partOf(parseDecimal(other.amount, 'amount'), WHOLE_BPS + bound, WHOLE_BPS, 'down')
  const worstRate = formatDecimal(worst)
  const reason = `${leg.reason}; approved for a rate of ${worstRate} at worst, and ${formatDecimal(most)} ${other.asset} at most`
  return { ...leg, reason, request: { ...request, worstRate, most: formatDecimal(most) } }
}

/** What the amount does not count, as shown. */
function otherOf({ request: { amountAsset }, gives, brings }: ConvertLeg): ConvertLeg['gives'] {
  return sameCode(amountAsset, gives.asset) ? brings : gives
}

/** A leg of a later phase, planned again: bound as the plan that was approved had it. */
export function asBound(leg: PlanLeg, { legs }: Plan): PlanLeg {
  const shown = legs.find(({ key }) => key === leg.key)
  // Nobody was shown it, or nobody had to be asked.
  if (shown?.request.most === undefined) return leg
  const { most } = shown.request
  if (leg.kind === IntentKind.Withdraw) return { ...leg, request: { ...leg.request, most } }
  const { worstRate } = shown.request as ConvertLeg['request']
  return { ...leg, request: { ...leg.request, most, ...(worstRate !== undefined && { worstRate }) } }
}

// Plans a run of a convert-on-arrival policy: once there is more of an asset than its trigger, all above what is
// to stay is converted, directly or through a hub. Only what is there now: what is under way will arrive. Pure.
import { type NonLeg, NonLegCode } from '../../contract/plan.ts'
import type { ConvertOnArrivalPolicy } from '../../contract/policies.ts'
import { type Decimal, greatest, least, parseDecimal, plus, ZERO } from '../money/decimal.ts'
import { openDesk } from './desk.ts'
import { explainUnused, findObstacle, planOneWay } from './one-way.ts'
import { positionOf, tellPlan } from './plan-report.ts'
import type { Planner } from './planner.ts'
import { told } from './told.ts'
import { createWantedPrices } from './wanted-prices.ts'

/** Larger than any sum: all that comes is taken in. */
const BOUNDLESS = (10n ** 48n) as Decimal

export const planConvertOnArrival: Planner<ConvertOnArrivalPolicy> = (name, policy, snapshot) => {
  const { asset, into } = policy
  const keep = parseDecimal(policy.keep.target, 'keep.target')
  const trigger =
    policy.keep.trigger === undefined ? keep : greatest(keep, parseDecimal(policy.keep.trigger, 'keep.trigger'))
  const desk = openDesk(snapshot, {
    hubs: policy.hubs,
    smallestTrade: parseDecimal(policy.smallestTrade, 'smallestTrade'),
    keepOf: (source) => (source === asset ? keep : ZERO),
  })
  const wanted = createWantedPrices(snapshot, desk.valuation)
  for (const one of [asset, into, ...desk.allHubs]) wanted.wantPriceOf(one)

  const supply = desk.supplyOf(asset)
  const isTriggered = supply.units > 0n && plus(supply.units, keep) > trigger
  const obstacles = [asset, into].map((one) => findObstacle(desk, one)).filter((one) => one !== undefined)
  const isStopped = !isTriggered || obstacles.length > 0
  const outcome = planOneWay({
    desk,
    wanted,
    sources: isStopped ? [] : [{ asset, rest: supply.value }],
    sink: { asset: into, rest: BOUNDLESS },
    reasonOf: ({ gives }) =>
      gives.asset === asset
        ? `there is ${told(plus(supply.units, keep), asset)}, more than ${told(trigger, asset)}; ${told(keep, asset)} stays`
        : `with ${gives.asset} that the first phase brings`,
  })
  const nonLegs: NonLeg[] = [...obstacles]
  const cut = outcome.cuts.get(asset)
  if (obstacles.length === 0 && !isTriggered) {
    const there = least(plus(supply.units, keep), snapshot.positions.get(asset)?.spendable ?? ZERO)
    const reason = `${told(there, asset)} may be given up now, not more than ${told(trigger, asset)}`
    nonLegs.push({ asset, code: NonLegCode.BelowTrigger, reason })
  } else if (!isStopped && (outcome.legs.length === 0 || cut)) nonLegs.push(explainUnused(desk, asset, into, cut))
  const positions = [asset, into].map((one) => positionOf(desk, one))
  return {
    plan: tellPlan({ name, kind: policy.kind, desk, positions, ...outcome, nonLegs }),
    wanted: wanted.list(),
  }
}

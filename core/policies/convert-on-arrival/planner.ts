// Plans a run of a convert-on-arrival policy: once there is more of an asset than the trigger, everything above `keep` is
// converted, directly or through a hub. Only the present balance counts; what is under way will arrive later. Pure.
import { type NonLeg, NonLegCode } from '../../contract/plan.ts'
import type { ConvertOnArrivalPolicy } from '../../contract/policies.ts'
import { BOUNDLESS, greatest, least, parseDecimal, plus, ZERO } from '../../money/decimal.ts'
import { replanConversions } from '../../planning/conversions/replan.ts'
import { createRequiredPrices } from '../../planning/conversions/required-prices.ts'
import { figureOf } from '../../planning/figures.ts'
import { explainUnused, findObstacle, planOneWay } from '../../planning/one-way/one-way.ts'
import { reportPlan, unplannedAsset } from '../../planning/plan-report.ts'
import type { Planner, Replanner } from '../../planning/planner.ts'
import { openPlanningContext } from '../../planning/planning-context.ts'
import { findStrandedHubs, ownBalancesOnly } from '../../planning/stranded-balances.ts'
import { passingHubsOf } from '../kinds.ts'

export const planConvertOnArrival: Planner<ConvertOnArrivalPolicy> = (name, policy, all) => {
  const { asset, into } = policy
  const passing = passingHubsOf(policy, all.valuationAsset)
  const snapshot = ownBalancesOnly(all, passing)
  const keep = parseDecimal(policy.keep.target, 'keep.target')
  const trigger =
    policy.keep.trigger === undefined ? keep : greatest(keep, parseDecimal(policy.keep.trigger, 'keep.trigger'))
  const context = openPlanningContext(snapshot, {
    hubs: policy.hubs,
    smallestTrade: parseDecimal(policy.smallestTrade, 'smallestTrade'),
    keepOf: (source) => (source === asset ? keep : ZERO),
  })
  const required = createRequiredPrices(snapshot, context.valuation)
  for (const code of [asset, into, ...context.allHubs]) required.requirePriceOf(code)

  const supply = context.supplyOf(asset)
  const isTriggered = supply.units > 0n && plus(supply.units, keep) > trigger
  const obstacles = [asset, into]
    .map((code) => findObstacle(context, code))
    .filter((obstacle) => obstacle !== undefined)
  const isStopped = !isTriggered || obstacles.length > 0
  // A stranded balance passed the trigger in an earlier run, so it is converted whatever the trigger says now.
  const strandedHubs = findStrandedHubs(context, passing)
  const stuck = strandedHubs.map((hub) => findObstacle(context, hub)).filter((obstacle) => obstacle !== undefined)
  const movable =
    obstacles.length > 0 ? [] : strandedHubs.filter((hub) => !stuck.some(({ asset: stuckHub }) => stuckHub === hub))
  const sources = movable.map((hub) => ({ asset: hub, rest: context.supplyOf(hub).value }))
  if (!isStopped) sources.push({ asset, rest: supply.value })
  const outcome = planOneWay({
    context,
    required,
    sources,
    // The sink takes everything that comes.
    sink: { asset: into, rest: BOUNDLESS },
    reasonOf: ({ gives, phase }) => {
      if (gives.asset === asset)
        return `there is ${figureOf(plus(supply.units, keep), asset)}, more than ${figureOf(trigger, asset)}; ${figureOf(keep, asset)} stays`
      if (phase === 1) return `earlier runs left ${gives.asset} on its way to ${into}`
      return `with ${gives.asset} that the first phase brings`
    },
  })
  const { legs, trades, guards } = outcome
  const nonLegs: NonLeg[] = [...obstacles, ...stuck]
  const cut = outcome.cuts.get(asset)
  const isGiven = (code: string) => legs.some(({ gives }) => gives.asset === code)
  if (obstacles.length === 0 && !isTriggered) {
    const available = least(plus(supply.units, keep), snapshot.positions.get(asset)?.spendable ?? ZERO)
    const reason = `${figureOf(available, asset)} may be spent now, not more than ${figureOf(trigger, asset)}`
    nonLegs.push({ asset, code: NonLegCode.BelowTrigger, reason })
  } else if (!isStopped && (cut || !isGiven(asset))) nonLegs.push(explainUnused(context, asset, into, cut))
  for (const hub of movable) {
    const hubCut = outcome.cuts.get(hub)
    if (hubCut || !isGiven(hub)) nonLegs.push(explainUnused(context, hub, into, hubCut))
  }
  const positions = [asset, into, ...strandedHubs].map((code) => unplannedAsset(context, code))
  return {
    plan: reportPlan({ name, kind: policy.kind, figures: context, positions, legs, trades, nonLegs, guards, passing }),
    required: required.list(),
  }
}

export const replanConvertOnArrival: Replanner<ConvertOnArrivalPolicy> = (phase) =>
  replanConversions(phase, {
    staysOf: () => ZERO,
    passesOnMore: true,
    smallestTrade: parseDecimal(phase.policy.smallestTrade, 'smallestTrade'),
  })

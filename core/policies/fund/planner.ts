// Plans a run of a fund policy. Once there is less of an asset than `atLeast`, it is bought up to its target with other assets,
// in the policy's order, directly or through a hub. Amounts on their way in count as present. Pure.
import { type NonLeg, NonLegCode } from '../../contract/plan.ts'
import type { FundPolicy } from '../../contract/policies.ts'
import { type Decimal, greatest, minus, parseDecimal, plus, sumOf, ZERO } from '../../money/decimal.ts'
import { replanConversions } from '../../planning/conversions/replan.ts'
import { createRequiredPrices } from '../../planning/conversions/required-prices.ts'
import { figureOf } from '../../planning/figures.ts'
import { explainUnused, findObstacle, planOneWay } from '../../planning/one-way/one-way.ts'
import { reportPlan, unplannedAsset } from '../../planning/plan-report.ts'
import type { Planner, Replanner } from '../../planning/planner.ts'
import { openPlanningContext, type PlanningContext } from '../../planning/planning-context.ts'
import { findStrandedHubs, ownBalancesOnly } from '../../planning/stranded-balances.ts'
import { passingHubsOf } from '../kinds.ts'

export const planFund: Planner<FundPolicy> = (name, policy, all) => {
  const { asset } = policy
  const passing = passingHubsOf(policy, all.valuationAsset)
  const snapshot = ownBalancesOnly(all, passing)
  const keeps = new Map(
    policy.from.map((source) => [source.asset, parseDecimal(source.keep, `from.${source.asset}.keep`)]),
  )
  const context = openPlanningContext(snapshot, {
    hubs: policy.hubs,
    smallestTrade: parseDecimal(policy.smallestTrade, 'smallestTrade'),
    keepOf: (source) => keeps.get(source) ?? ZERO,
  })
  const sources = [...keeps.keys()].filter((source) => source !== asset)
  const required = createRequiredPrices(snapshot, context.valuation)
  for (const code of [asset, ...sources, ...context.allHubs]) required.requirePriceOf(code)

  const atLeast = parseDecimal(policy.atLeast, 'atLeast')
  const target = greatest(atLeast, policy.target === undefined ? atLeast : parseDecimal(policy.target, 'target'))
  const holding = snapshot.positions.get(asset)?.holding ?? ZERO
  const strandedHubs = findStrandedHubs(context, passing)
  const obstacles = [asset, ...sources, ...strandedHubs]
    .map((code) => findObstacle(context, code))
    .filter((obstacle) => obstacle !== undefined)
  const isObstructed = (code: string) => obstacles.some((obstacle) => obstacle.asset === code)
  const isEnough = holding >= atLeast
  const isStopped = isEnough || isObstructed(asset)
  // Stranded balances go first: earlier runs sold something for this asset already.
  const open = [...strandedHubs, ...sources].filter((source) => !isObstructed(source))
  const outcome = planOneWay({
    context,
    required,
    sources: isStopped ? [] : open.map((source) => ({ asset: source, rest: context.supplyOf(source).value })),
    sink: { asset, rest: isStopped ? ZERO : valueMissing(context, asset, minus(target, holding), open) },
    reasonOf: ({ gives, phase }) =>
      keeps.has(gives.asset) || (phase === 1 && strandedHubs.includes(gives.asset))
        ? `there is less ${asset} than ${figureOf(atLeast, asset)}: ${figureOf(minus(target, holding), asset)} more is wanted`
        : `with ${gives.asset} that the first phase brings`,
  })

  const { legs, trades, guards } = outcome
  const used = new Set(legs.flatMap(({ gives, brings }) => [gives.asset, brings.asset]))
  const nonLegs: NonLeg[] = [...obstacles]
  if (isEnough && !isObstructed(asset)) {
    const reason = `there is ${figureOf(holding, asset)}, not less than ${figureOf(atLeast, asset)}`
    nonLegs.push({ asset, code: NonLegCode.BelowTrigger, reason })
  }
  if (!isStopped) {
    const cut = outcome.cuts.get(asset)
    if (outcome.missing > 0n || !used.has(asset)) {
      const reason = cut?.message ?? `what may be given for it does not make up ${figureOf(target, asset)}`
      nonLegs.push({ asset, code: cut?.code ?? NonLegCode.NothingSpendable, reason })
    }
    for (const source of open) {
      if (used.has(source)) continue
      if (context.supplyOf(source).units === 0n) {
        nonLegs.push({
          asset: source,
          code: NonLegCode.NothingSpendable,
          reason: 'there is none above what is to stay',
        })
      } else if (outcome.missing > 0n || !used.has(asset)) {
        nonLegs.push(explainUnused(context, source, asset, outcome.cuts.get(source)))
      }
    }
  }
  const positions = [asset, ...sources, ...strandedHubs].map((code) => unplannedAsset(context, code))
  return {
    plan: reportPlan({ name, kind: policy.kind, figures: context, positions, legs, trades, nonLegs, guards, passing }),
    required: required.list(),
  }
}

/**
 * Value of the missing units, plus the increments that each source may lose on its way. Without them a purchase could end just
 * below its target, and the next run would buy again.
 */
function valueMissing(context: PlanningContext, asset: string, units: Decimal, sources: readonly string[]): Decimal {
  const { snapshot, valuation } = context
  const valueUp = (code: string, amount: Decimal) => valuation.valueUp(code, amount) ?? ZERO
  const lost = sources
    .flatMap((source) => [source, ...context.hubs, ...context.hubs, asset])
    .map((code) => valueUp(code, snapshot.assets.get(code)?.increment ?? ZERO))
  return plus(valueUp(asset, units), sumOf(lost))
}

/** Hubs pass on no more than planned: the fund does not need more. */
export const replanFund: Replanner<FundPolicy> = (phase) => {
  const { from, smallestTrade } = phase.policy
  return replanConversions(phase, {
    staysOf(asset) {
      const source = from.find((entry) => entry.asset === asset)
      return source === undefined ? ZERO : parseDecimal(source.keep, `from.${asset}.keep`)
    },
    passesOnMore: false,
    smallestTrade: parseDecimal(smallestTrade, 'smallestTrade'),
  })
}

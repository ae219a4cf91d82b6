// Plans a run of a rebalance policy: from a snapshot to legs, with a reason for each leg and for each asset that
// has none. Pure: rebalance-rounds.ts finds the legs, this tells the plan.
import type { RebalancePolicy } from '../../contract/policies.ts'
import { parseDecimal, ZERO } from '../../money/decimal.ts'
import { passingHubsOf } from '../../treasury/policy-hubs.ts'
import { createRequiredPrices } from '../market/required-prices.ts'
import { tellPlan } from '../plan-report.ts'
import type { Planner } from '../planner.ts'
import { openPlanningContext, policyValue } from '../planning-context.ts'
import { findStrandedHubs, ofPolicyOnly } from '../stranded-balances.ts'
import { portfolioOf } from './portfolio.ts'
import { explainLegs, explainRest } from './reasons.ts'
import { findObstacles } from './rebalance-obstacles.ts'
import { findLegs } from './rounds.ts'

/**
 * The policy's assets are those that `weights` or `amounts` name; with `amounts` also the first hub, which gives
 * what is missing and takes the rest. All others are left alone: a hub that is not of the policy only passes on,
 * and what earlier runs left in it goes where it lacks most. Total value is that of the policy's assets less those
 * left alone, `reserve`, what is under way and such balances in it.
 */
export const planRebalance: Planner<RebalancePolicy> = (name, policy, all) => {
  const reserveOf = (asset: string) =>
    Object.hasOwn(policy.reserve, asset) ? parseDecimal(policy.reserve[asset], `reserve.${asset}`) : ZERO
  const passing = passingHubsOf(policy, all.valuationAsset)
  const snapshot = ofPolicyOnly(all, passing, reserveOf)
  const context = openPlanningContext(snapshot, {
    hubs: policy.hubs,
    leaveAlone: new Set(policy.leaveAlone),
    smallestTrade: parseDecimal(policy.smallestTrade, 'smallestTrade'),
    largestTrade: policyValue(policy.largestTrade, 'largestTrade'),
    turnoverRun: policyValue(policy.turnover.run, 'turnover.run'),
    turnoverDay: policyValue(policy.turnover.day, 'turnover.day'),
    keepOf: (asset) => (passing.includes(asset) ? ZERO : reserveOf(asset)),
    staysOf: reserveOf,
  })
  const portfolio = portfolioOf(policy, context, findStrandedHubs(context, passing))
  const { members, byAsset } = portfolio
  const required = createRequiredPrices(snapshot, context.valuation)
  for (const { asset, price } of members) if (price === null) required.requirePriceOf(asset)
  for (const hub of context.allHubs) if (!policy.leaveAlone.includes(hub)) required.requirePriceOf(hub)

  const obstacles = findObstacles(policy, members, context)
  const outcome = findLegs({ context, portfolio, obstacles, required })
  const terms = { ...outcome, context, members, byAsset, obstacles }
  const told = { legs: explainLegs(terms), ...explainRest(terms) }
  return {
    plan: tellPlan({ name, kind: policy.kind, context, positions: members, ...told, passing }),
    required: required.list(),
  }
}

// Plans a run of a rebalance policy: from a snapshot to legs, with a reason for each leg and for each asset without a leg.
// Pure. rounds.ts finds the legs; this file writes the reasons.
import { type ConvertLeg, type GuardMessage, type NonLeg, NonLegCode } from '../../contract/plan.ts'
import type { RebalancePolicy } from '../../contract/policies.ts'
import { type Decimal, parseDecimal, ZERO } from '../../money/decimal.ts'
import { replanConversions } from '../../planning/conversions/replan.ts'
import { createRequiredPrices } from '../../planning/conversions/required-prices.ts'
import { figureOf } from '../../planning/figures.ts'
import { reportPlan } from '../../planning/plan-report.ts'
import type { Planner, Replanner } from '../../planning/planner.ts'
import { openPlanningContext, type PlanningContext } from '../../planning/planning-context.ts'
import { findStrandedHubs, ownBalancesOnly } from '../../planning/stranded-balances.ts'
import { passingHubsOf } from '../kinds.ts'
import { findObstacles } from './planning/obstacles.ts'
import { type Member, portfolioOf, sizeOf } from './planning/portfolio.ts'
import { findLegs, type Outcome } from './planning/rounds.ts'

/**
 * The policy's assets are those in `weights` or `amounts`. With `amounts` the first hub belongs to them too: it gives what is
 * missing and takes the rest. All other assets are left alone. A hub outside the policy only passes value on, and what earlier
 * runs left in it goes where most is missing. The total value covers the policy's assets, without those in `leaveAlone`,
 * without `reserve` and without movements on their way out. It includes such left balances.
 */
export const planRebalance: Planner<RebalancePolicy> = (name, policy, all) => {
  const reserveOf = (asset: string) => reserved(policy, asset)
  const passing = passingHubsOf(policy, all.valuationAsset)
  const snapshot = ownBalancesOnly(all, passing, reserveOf)
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
  const { nonLegs, guards } = explainRest(terms)
  const legs = explainLegs(terms)
  const { kind } = policy
  const { trades } = outcome
  return {
    plan: reportPlan({ name, kind, figures: context, positions: members, legs, trades, nonLegs, guards, passing }),
    required: required.list(),
  }
}

/** A surplus beyond the plan is converted too, unless the policy bounds its turnover. */
export const replanRebalance: Replanner<RebalancePolicy> = (phase) => {
  const { policy } = phase
  const { run, day } = policy.turnover
  return replanConversions(phase, {
    staysOf: (asset) => reserved(policy, asset),
    passesOnMore: true,
    smallestTrade: parseDecimal(policy.smallestTrade, 'smallestTrade'),
    largestTrade: policyValue(policy.largestTrade, 'largestTrade'),
    isTurnoverBounded: (run ?? day) !== undefined,
  })
}

function reserved({ reserve }: RebalancePolicy, asset: string): Decimal {
  return Object.hasOwn(reserve, asset) ? parseDecimal(reserve[asset], `reserve.${asset}`) : ZERO
}

/** A value of the policy; its schema has checked the form. */
function policyValue(text: string | undefined, field: string): Decimal | undefined {
  return text === undefined ? undefined : parseDecimal(text, field)
}

interface ReasonTerms extends Outcome {
  readonly context: PlanningContext
  readonly members: readonly Member[]
  readonly byAsset: ReadonlyMap<string, Member>
  readonly obstacles: ReadonlyMap<string, NonLeg>
}

function explainLegs({ legs, byAsset, context }: ReasonTerms): ConvertLeg[] {
  const describe = (asset: string, isTaking: boolean): string => {
    const member = byAsset.get(asset)
    if (!member || (member.isPassing && isTaking)) return `${asset} is on the way`
    if (member.isPassing) return `earlier runs left ${figureOf(member.holding, asset)} on its way`
    const { target, drift } = member.before
    if (target === undefined) return `${asset} takes the rest`
    const size = figureOf(sizeOf(member.before), context.snapshot.valuationAsset)
    const side = drift < 0n ? 'below' : 'above'
    return `${asset} is ${size} ${side} its target of ${figureOf(target, context.snapshot.valuationAsset)}`
  }
  return legs.map((leg) => {
    const from =
      leg.phase === 1 ? describe(leg.gives.asset, false) : `with ${leg.gives.asset} that the first phase brings`
    return { ...leg, reason: `${from}; ${describe(leg.brings.asset, true)}` }
  })
}

function explainRest(terms: ReasonTerms): { nonLegs: NonLeg[]; guards: GuardMessage[] } {
  const { legs, members, byAsset, obstacles, cuts } = terms
  const legOf = new Map<string, string>()
  for (const { gives, brings, key } of legs) {
    for (const { asset } of [gives, brings]) if (!legOf.has(asset)) legOf.set(asset, key)
  }
  const nonLegs = [...obstacles.values()].filter(({ asset }) => !byAsset.has(asset))
  for (const member of members) {
    const nonLeg = obstacles.get(member.asset) ?? explain(member, legOf, terms)
    if (nonLeg) nonLegs.push(nonLeg)
  }
  const guards: GuardMessage[] = []
  for (const [asset, { guard, message }] of cuts) {
    if (guard === undefined) continue
    const leg = legOf.get(asset)
    guards.push({ guard, ...(leg === undefined ? {} : { leg }), says: `${asset}: ${message}` })
  }
  for (const { asset, code, reason } of nonLegs) {
    if (code === NonLegCode.Guard && !cuts.has(asset))
      guards.push({ guard: 'allowedMarkets', says: `${asset}: ${reason}` })
  }
  return { nonLegs, guards }
}

function explain(member: Member, legOf: ReadonlyMap<string, string>, terms: ReasonTerms): NonLeg | undefined {
  const { asset, before } = member
  const { driftAfter, cuts, objections, exhausted } = terms
  const { valuationAsset } = terms.context.snapshot
  const after = driftAfter(member)
  const nonLeg = (code: NonLegCode, reason: string): NonLeg => ({ asset, code, reason })
  if (!after.isOutside) {
    if (legOf.has(asset)) return undefined
    if (after.target === undefined) return nonLeg(NonLegCode.WithinBand, 'it takes the rest')
    const side = before.drift < 0n ? 'below' : 'above'
    const size = figureOf(sizeOf(before), valuationAsset)
    return nonLeg(
      NonLegCode.WithinBand,
      `it is ${size} ${side} its target, and up to ${figureOf(before.band, valuationAsset)} is let be`,
    )
  }
  const cut = cuts.get(asset)
  if (cut) return nonLeg(cut.code, cut.message)
  const objection = objections.get(asset)
  // A missing price is not the reason where nothing more may be traded anyway: it was never read.
  if (exhausted && (!objection || objection.code === NonLegCode.NoPrice))
    return nonLeg(exhausted.code, exhausted.message)
  if (objection) return objection
  return after.drift > 0n
    ? nonLeg(
        NonLegCode.NoCounterpart,
        `${figureOf(sizeOf(after), valuationAsset)} too much is left: nothing that it could be converted into lacks as much`,
      )
    : nonLeg(
        NonLegCode.NothingSpendable,
        `${figureOf(sizeOf(after), valuationAsset)} is still missing: nothing that could be given for it is too much`,
      )
}

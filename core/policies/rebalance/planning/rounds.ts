// Finds the legs of a rebalance in rounds, each of which runs the stages of stages.ts. The cost of legs lowers all targets,
// lower targets change sizes, and sizes change costs. Rounds end once a round costs the same as the one before and brings no
// further asset out of its band, or after eight. Changes nothing but `required`, the prices that a better plan would need.
import { type ConvertLeg, type NonLeg, NonLegCode, type PlanTrade } from '../../../contract/plan.ts'
import {
  compareScaled,
  type Decimal,
  magnitude,
  minus,
  multiply,
  parseDecimal,
  plus,
  ZERO,
} from '../../../money/decimal.ts'
import type { Flows } from '../../../planning/conversions/flows.ts'
import { type Draft, draftLegs } from '../../../planning/conversions/legs.ts'
import type { RequiredPrices } from '../../../planning/conversions/required-prices.ts'
import { tradesOf } from '../../../planning/conversions/trades.ts'
import type { Cut } from '../../../planning/market/bounds.ts'
import { legOf } from '../../../planning/market/market-index.ts'
import { changesOf } from '../../../planning/plan-report.ts'
import type { FlowRound, PlanningContext } from '../../../planning/planning-context.ts'
import { createTradeCheck, type TradeCheck } from './obstacles.ts'
import { type Drift, type Member, type Portfolio, sizeOf } from './portfolio.ts'
import { type RoundTerms, runStages } from './stages.ts'

/** Maximum rounds. The legs of the last round are used even if their costs still change. */
const MOST_ROUNDS = 8
/** Fraction of the total: costs that differ by less than a millionth of it count as equal. */
const SAME_COSTS = 1_000_000n

export interface Outcome {
  readonly legs: readonly ConvertLeg[]
  readonly trades: readonly PlanTrade[]
  readonly driftAfter: (member: Member) => Drift
  /** By asset: the reason why no more of it was traded. */
  readonly cuts: ReadonlyMap<string, Cut>
  /** The reason why nothing more could be traded at all. */
  readonly exhausted: Cut | undefined
  /** By asset: why it is not worth a conversion. */
  readonly objections: ReadonlyMap<string, NonLeg>
}

interface RoundsTerms {
  readonly context: PlanningContext
  readonly portfolio: Portfolio
  readonly obstacles: ReadonlyMap<string, NonLeg>
  readonly required: RequiredPrices
}

/** The assets that may be traded, by their part in the stages. */
type Traded = Pick<RoundTerms, 'hubs' | 'others' | 'calm'>

/** Findings of earlier rounds, for the next round. */
interface Learned {
  /** Change of the total value by the legs of the round before: their cost, below zero. */
  change: Decimal
  /** By leg: the units that the round before spent. */
  sizes: ReadonlyMap<string, Decimal>
  /** Assets that are inside their bands now, and outside once the legs are paid for. */
  readonly late: Set<string>
  /** By leg: why it is no longer tried. */
  readonly banned: Map<string, Cut>
  /** By asset: the first reason why a leg with it was dropped. */
  readonly droppedCuts: Map<string, Cut>
  /** The bound of all trades, kept from a round whose legs were dropped because that bound made them too small. */
  exhausted: Cut | undefined
}

export function findLegs(terms: RoundsTerms): Outcome {
  const { byAsset, members, total } = terms.portfolio
  const free = members.filter(({ asset }) => !terms.obstacles.has(asset))
  const isCalm = ({ before }: Member) => !before.isOutside
  const others = largestFirst(free.filter(({ isHub }) => !isHub))
  // Calm assets are listed once, so that the rounds do not walk all assets.
  const traded = { hubs: largestFirst(free.filter(({ isHub }) => isHub)), others, calm: others.filter(isCalm) }
  const calmOfAll = free.filter(isCalm)
  const check = createTradeCheck(terms.context, byAsset)
  const learned: Learned = {
    change: ZERO,
    sizes: new Map(),
    late: new Set(),
    banned: new Map(),
    droppedCuts: new Map(),
    exhausted: undefined,
  }
  for (let number = 1; ; number += 1) {
    const round = runRound(terms, traded, check, learned)
    const { change, driftAfter, dropped, legs } = round
    const lateNow = calmOfAll.filter((member) => !learned.late.has(member.asset) && driftAfter(member).isOutside)
    const isSame = compareScaled(magnitude(minus(change, learned.change)), SAME_COSTS, total, 1n) <= 0
    const isSettled = isSame && lateNow.length === 0
    const isLast = number === MOST_ROUNDS
    // Until the rounds settle, a leg that is too small may still grow.
    if (isSettled || isLast) banDropped(round, learned)
    if ((isSettled && dropped.length === 0) || isLast) return outcomeOf(round, terms, check, learned)
    for (const { asset } of lateNow) learned.late.add(asset)
    learned.sizes = new Map(
      legs.map((leg) => [legOf(leg.request.side, leg.market), parseDecimal(leg.gives.amount, 'gives.amount')]),
    )
    learned.change = change
  }
}

interface Round extends Draft {
  readonly flows: Flows
  readonly flowRound: FlowRound
  readonly stages: RoundTerms
  readonly change: Decimal
  readonly driftAfter: (member: Member) => Drift
  /** By asset: why it is not worth a conversion. */
  readonly objections: Map<string, NonLeg>
}

function runRound({ context, portfolio }: RoundsTerms, traded: Traded, check: TradeCheck, learned: Learned): Round {
  const { byAsset, driftsAt, total } = portfolio
  const drifts = driftsAt(plus(total, learned.change))
  const driftOf = (member: Member) => drifts(member)
  const objections = new Map<string, NonLeg>()
  const stages: RoundTerms = {
    ...traded,
    context,
    driftOf,
    isTriggered: ({ asset, before }) => before.isOutside || learned.late.has(asset),
    isWorthTrading(member, drift) {
      const objection = check.findObjection(member, drift)
      if (objection) objections.set(member.asset, objection)
      return objection === undefined
    },
  }
  const { banned, sizes } = learned
  const flowRound = { sizes, banned, findObjection: check.findTradeObjection(driftOf) }
  const flows = context.openFlows(flowRound)
  runStages(flows, stages)
  const draft = draftLegs(flows.flows, context)
  const { valueAfter, change } = measureAfter(draft.legs, byAsset)
  const after = driftsAt(plus(total, change))
  const driftAfter = (member: Member) => after(member, valueAfter(member))
  return { ...draft, flows, flowRound, stages, change, driftAfter, objections }
}

function banDropped({ dropped, flows }: Round, learned: Learned): void {
  for (const { hop, cut } of dropped) {
    learned.exhausted ??= flows.exhausted()
    learned.banned.set(hop.leg, cut)
    for (const asset of [hop.gives, hop.brings]) {
      // The guard that cut the leg is the better reason than its small size.
      if (!learned.droppedCuts.has(asset)) learned.droppedCuts.set(asset, flows.cuts.get(asset) ?? cut)
    }
  }
}

function outcomeOf(round: Round, { context, required }: RoundsTerms, check: TradeCheck, learned: Learned): Outcome {
  const { driftAfter, flowRound, flows, legs, objections, stages } = round
  const { banned, droppedCuts } = learned
  const isUnpriced = flows.lacksPrices() || [...objections.values()].some(isForPrice)
  const scouted = isUnpriced ? scout(context.openScoutingFlows(flowRound), stages, check) : flows
  required.requireSizesOf(legs, scouted.valuesToPrice())
  for (const [asset, { code, message }] of flows.objections) {
    if (!objections.has(asset)) objections.set(asset, { asset, code, reason: message })
  }
  return {
    legs,
    trades: tradesOf({ context, flows, legs, dropped: banned }),
    driftAfter,
    cuts: droppedCuts.size === 0 ? flows.cuts : new Map([...droppedCuts, ...flows.cuts]),
    exhausted: flows.exhausted() ?? learned.exhausted,
    objections,
  }
}

/** Equal drifts keep the members' order, which is by code. */
function largestFirst(members: readonly Member[]): readonly Member[] {
  return members
    .map((member) => {
      const size = sizeOf(member.before)
      return { member, size, estimate: Number(size) }
    })
    .sort(bySize)
    .map(({ member }) => member)
}

interface Sized {
  readonly size: Decimal
  /** The nearest number. Where two of them differ, so do the sizes, and comparing numbers takes half the time. */
  readonly estimate: number
}

function bySize(left: Sized, right: Sized): number {
  if (left.estimate !== right.estimate) return left.estimate > right.estimate ? -1 : 1
  return left.size > right.size ? -1 : left.size < right.size ? 1 : 0
}

/** Values of assets after the legs, and the change of the total value. */
function measureAfter(legs: readonly ConvertLeg[], byAsset: ReadonlyMap<string, Member>) {
  const values = new Map<string, Decimal>()
  let change = ZERO
  for (const [asset, units] of changesOf(legs)) {
    const member = byAsset.get(asset)
    if (!member) continue
    const value = multiply(plus(member.holding, units), member.price ?? ZERO, 'down')
    values.set(asset, value)
    change = plus(change, minus(value, member.value))
  }
  return { change, valueAfter: (member: Member) => values.get(member.asset) ?? member.value }
}

/** The flows that would result if markets without a price had one. Their prices are required, at about these sizes. */
function scout(flows: Flows, stages: RoundTerms, check: TradeCheck): Flows {
  runStages(flows, {
    ...stages,
    isWorthTrading(member, drift) {
      const objection = check.findObjection(member, drift)
      return objection === undefined || isForPrice(objection)
    },
  })
  return flows
}

function isForPrice({ code }: NonLeg): boolean {
  return code === NonLegCode.NoPrice
}

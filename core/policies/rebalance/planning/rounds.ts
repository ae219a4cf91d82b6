// Finds the legs of a rebalance in rounds. What legs cost lowers all targets, lower targets change sizes, and sizes change
// costs. The last round is the one that costs what the round before did and leaves nothing else outside of its band that
// could be helped.
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
import { draftLegs } from '../../../planning/conversions/legs.ts'
import type { RequiredPrices } from '../../../planning/conversions/required-prices.ts'
import { tradesOf } from '../../../planning/conversions/trades.ts'
import type { Cut } from '../../../planning/market/bounds.ts'
import { legOf } from '../../../planning/market/market-index.ts'
import { changesOf } from '../../../planning/plan-report.ts'
import type { PlanningContext } from '../../../planning/planning-context.ts'
import { createTradeCheck, type TradeCheck } from './obstacles.ts'
import { type Drift, type Member, type Portfolio, sizeOf } from './portfolio.ts'
import { type RoundTerms, runStages } from './stages.ts'

const MOST_ROUNDS = 8
/** Costs that differ by less than this part of the total are taken for the same. */
const SAME_COSTS = 1_000_000n

export interface Outcome {
  readonly legs: readonly ConvertLeg[]
  readonly trades: readonly PlanTrade[]
  readonly driftAfter: (member: Member) => Drift
  /** By asset: what kept more of it from being traded. */
  readonly cuts: ReadonlyMap<string, Cut>
  /** What kept all that is left from being traded. */
  readonly exhausted: Cut | undefined
  /** By asset: why it is not worth a conversion. */
  readonly objections: ReadonlyMap<string, NonLeg>
}

export interface RoundsTerms {
  readonly context: PlanningContext
  readonly portfolio: Portfolio
  readonly obstacles: ReadonlyMap<string, NonLeg>
  readonly required: RequiredPrices
}

export function findLegs({ context, portfolio, obstacles, required }: RoundsTerms): Outcome {
  const { members, byAsset, total, driftsAt } = portfolio
  const free = members.filter(({ asset }) => !obstacles.has(asset))
  const hubs = largestFirst(free.filter(({ isHub }) => isHub))
  const others = largestFirst(free.filter(({ isHub }) => !isHub))
  // Within their bands now: few, where there are many, so that not all are looked through in each round.
  const isCalm = ({ before }: Member) => !before.isOutside
  const calm = others.filter(isCalm)
  const calmOfAll = free.filter(isCalm)
  const check = createTradeCheck(context, byAsset)
  /** Within their bands now, and no longer once legs are paid for. */
  const late = new Set<string>()
  const isTriggered = ({ asset, before }: Member) => before.isOutside || late.has(asset)
  const banned = new Map<string, Cut>()
  const droppedCuts = new Map<string, Cut>()
  /** A leg that was cut down to too little goes, and with it what the bound of all would have said. */
  let exhaustedBefore: Cut | undefined
  let sizes: ReadonlyMap<string, Decimal> = new Map()
  let change = ZERO
  for (let round = 1; ; round += 1) {
    const drifts = driftsAt(plus(total, change))
    const driftOf = (member: Member) => drifts(member)
    const objections = new Map<string, NonLeg>()
    const isWorthIts = (member: Member, drift: Drift) => {
      const not = check.findObjection(member, drift)
      if (not) objections.set(member.asset, not)
      return not === undefined
    }
    const flowRound = { sizes, banned, findObjection: check.findTradeObjection(driftOf) }
    const flows = context.openFlows(flowRound)
    const stages = { context, hubs, others, calm, isTriggered, driftOf, isWorthIts }
    runStages(flows, stages)
    const { legs, dropped } = draftLegs(flows.flows, context)
    const { valueAfter, change: changeNow } = measureAfter(legs, byAsset)
    const after = driftsAt(plus(total, changeNow))
    const driftAfter = (member: Member) => after(member, valueAfter(member))
    const more = calmOfAll.filter((member) => !late.has(member.asset) && driftAfter(member).isOutside)
    const isSame = compareScaled(magnitude(minus(changeNow, change)), SAME_COSTS, total, 1n) <= 0
    const isSettled = isSame && more.length === 0
    // Before it has settled, a leg that is too small may still become large enough.
    for (const { hop, cut } of isSettled || round === MOST_ROUNDS ? dropped : []) {
      exhaustedBefore ??= flows.exhausted()
      banned.set(hop.leg, cut)
      for (const asset of [hop.gives, hop.brings]) {
        // What was cut down to so little says more than that it is so little.
        if (!droppedCuts.has(asset)) droppedCuts.set(asset, flows.cuts.get(asset) ?? cut)
      }
    }
    if ((isSettled && dropped.length === 0) || round === MOST_ROUNDS) {
      const isUnpriced = flows.lacksPrices() || [...objections.values()].some(isForPrice)
      const scouted = isUnpriced ? scout(context.openScoutingFlows(flowRound), stages, check) : flows
      required.requireSizesOf(legs, scouted.considered())
      for (const [asset, { code, message }] of flows.objections) {
        if (!objections.has(asset)) objections.set(asset, { asset, code, reason: message })
      }
      return {
        legs,
        trades: tradesOf({ context, flows, legs, dropped: banned }),
        driftAfter,
        cuts: droppedCuts.size === 0 ? flows.cuts : new Map([...droppedCuts, ...flows.cuts]),
        exhausted: flows.exhausted() ?? exhaustedBefore,
        objections,
      }
    }
    for (const { asset } of more) late.add(asset)
    sizes = new Map(
      legs.map((leg) => [legOf(leg.request.side, leg.market), parseDecimal(leg.gives.amount, 'gives.amount')]),
    )
    change = changeNow
  }
}

/** Of equal ones the first by code, as the members come. */
function largestFirst(members: readonly Member[]): readonly Member[] {
  return members
    .map((member) => {
      const size = sizeOf(member.before)
      return { member, size, about: Number(size) }
    })
    .sort(bySize)
    .map(({ member }) => member)
}

interface Sized {
  readonly size: Decimal
  /** The nearest number: where two differ, so do the sizes, and they are compared in half the time. */
  readonly about: number
}

function bySize(left: Sized, right: Sized): number {
  if (left.about !== right.about) return left.about > right.about ? -1 : 1
  return left.size > right.size ? -1 : left.size < right.size ? 1 : 0
}

/** What assets are worth after the legs, and by how much they all together are worth more, or less. */
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

/** What would flow if markets without a price had one: those are to be asked for, at about these sizes. */
function scout(flows: Flows, stages: RoundTerms, check: TradeCheck): Flows {
  runStages(flows, {
    ...stages,
    isWorthIts(member, drift) {
      const not = check.findObjection(member, drift)
      return not === undefined || isForPrice(not)
    },
  })
  return flows
}

function isForPrice({ code }: NonLeg): boolean {
  return code === NonLegCode.NoPrice
}

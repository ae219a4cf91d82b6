// Computes one round of a rebalance: who trades with whom, in five stages. Changes nothing but the given flows.
//
// An example, which test/unit/planning/stages.test.ts runs. The policy wants 2000 USD each of BTC, ETH, SOL and USD. Its band
// is 400 on either side of a target, and half of it is 200. USD is the hub, and takes the rest. Trades cost nothing. In
// brackets: value less target.
//
// - Before: BTC 3700 (+1700), ETH 1500 (-500), SOL 1750 (-250), USD 1500 (-500).
// - Stage 1: BTC 2900 (+900), ETH 2000 (0), SOL 1750 (-250), USD 1800 (-200).
// - Stage 2: BTC 2700 (+700), ETH 2000 (0), SOL 1750 (-250), USD 2000 (0).
// - Stage 3: BTC 2500 (+500), ETH 2000 (0), SOL 1750 (-250), USD 2200 (+200).
// - Stage 4: BTC 2250 (+250), ETH 2000 (0), SOL 2000 (0), USD 2200 (+200).
// - Stage 5: BTC 2000 (0), ETH 2000 (0), SOL 2000 (0), USD 2450 (+450).
//
// 1. BTC, ETH and USD are outside their bands, and trade with each other. Each of these trades mends two assets, so they come
//    first. ETH is filled to its target. The hub is only brought halfway into its band, which leaves more for the others.
// 2. What is left trades with hubs, up to their targets. This still mends the hub.
// 3. What is left trades with hubs, up to half of their bands past the target. This moves a hub away from its target. The hub
//    stays inside its band, so the next run leaves it alone.
// 4. What is left trades with calm assets, which are inside their bands, up to their targets.
// 5. What is left goes into the hub that takes the rest, without a limit. A policy with weights has no such hub.
//
// Where an asset has too little, stages 1 to 4 run the same way with the directions turned. An asset that is no hub never
// passes its target. So two runs never undo each other's work.
import { NonLegCode } from '../../../contract/plan.ts'
import { type Decimal, divide, greatest, least, multiply, negate, quantiseDown, ZERO } from '../../../money/decimal.ts'
import type { End, Flows } from '../../../planning/conversions/flows.ts'
import type { Cut } from '../../../planning/market/bounds.ts'
import type { PlanningContext } from '../../../planning/planning-context.ts'
import { createHubLevels, type HubLevels, type Reach } from './hub-levels.ts'
import type { Drift, Member } from './portfolio.ts'

export interface RoundTerms {
  readonly context: PlanningContext
  /** Hubs that may be traded, those with the largest drift first; `others` are the assets that are no hubs. */
  readonly hubs: readonly Member[]
  readonly others: readonly Member[]
  /** The part of `others` inside their bands now: a short list where there are many. */
  readonly calm: readonly Member[]
  readonly driftOf: (member: Member) => Drift
  /** Whether the asset is outside its band, or would end outside it. */
  readonly isTriggered: (member: Member) => boolean
  /** Whether the drift is worth a conversion. Never asked for hubs: they only trade with others. */
  readonly isWorthTrading: (member: Member, drift: Drift) => boolean
}

interface Ends {
  readonly sources: readonly End[]
  readonly sinks: readonly End[]
}

export function runStages(flows: Flows, terms: RoundTerms): void {
  const { isTriggered, driftOf, context } = terms
  const outside = endsOf(terms.others, isTriggered, flows, terms)
  const hubs = createHubLevels(terms.hubs, driftOf, context)
  const tooMuch = () => [...outside.sources, ...hubs.sources('halfway-in', isTriggered)]
  const tooLittle = () => [...outside.sinks, ...hubs.sinks('halfway-in', isTriggered)]

  const trade = (sources: readonly End[], sinks: readonly End[]) => {
    flows.match(open(sources), open(sinks))
    hubs.recordMoved()
  }
  const tradeWithHubs = (reach: Reach) => {
    trade(tooMuch(), hubs.sinks(reach))
    trade(hubs.sources(reach), tooLittle())
  }

  // Stage 1: BTC gives USD 300, up to -200, and ETH 500.
  trade(tooMuch(), tooLittle())
  // Stage 2: BTC gives USD 200, up to its target.
  tradeWithHubs('target')
  // Stage 3: BTC gives USD 200, up to +200.
  tradeWithHubs('halfway-past')
  if (open(tooMuch()).length === 0 && open(tooLittle()).length === 0) return

  // Stage 4: BTC gives SOL 250, up to its target.
  const calm = endsOf(terms.calm, (member) => !isTriggered(member), flows, terms)
  trade(tooMuch(), calm.sinks)
  trade(calm.sources, tooLittle())

  // Stage 5: BTC gives USD the last 250. Another hub outside its band gives what it has above its target.
  const rest = hubs.sinks('no-limit')
  const otherHubs = hubs.sources('target', (hub) => isTriggered(hub) && hub.asset !== rest[0]?.asset)
  trade([...outside.sources, ...otherHubs], rest)

  reportThirdPhases(flows, { sources: tooMuch(), sinks: tooLittle() }, hubs, terms)
}

/**
 * Reports value that could only continue from a hub in a third phase, and pairs that only two hubs in a row connect. The next
 * runs continue with it, each time as far as the hubs' bands allow.
 */
function reportThirdPhases(flows: Flows, left: Ends, hubs: HubLevels, { context, hubs: members }: RoundTerms): void {
  if (context.hubs.length < 2) return
  const isHop = (gives: string, brings: string) => context.findHops(gives, brings).length > 0
  const canReach = (from: string, to: string) =>
    context.hubs.some((hub) => hub !== from && hub !== to && isHop(from, hub) && isHop(hub, to))
  const [sources, sinks] = [open(left.sources), open(left.sinks)]
  const waiting = hubs.waitingForFirstPhase()
  // A hub that only passes value on keeps nothing for the next run.
  const own = members.flatMap(({ asset, isPassing }) => (isPassing ? [] : [asset]))
  const into = own.filter((hub) => sources.some(({ asset }) => isHop(asset, hub)))
  const outOf = own.filter((hub) => sinks.some(({ asset }) => isHop(hub, asset)))
  const isJoined = (source: string, sink: string) =>
    context.waysBetween(source, sink).length === 0 &&
    (into.some((hub) => isHop(source, hub) && canReach(hub, sink)) ||
      outOf.some((hub) => isHop(hub, sink) && canReach(source, hub)))
  for (const { asset } of sinks) {
    const isFromTwo = sources.some((source) => isJoined(source.asset, asset))
    if (isFromTwo || waiting.some((hub) => canReach(hub, asset))) flows.cut(asset, THIRD_PHASE)
  }
  for (const { asset } of sources) {
    if (sinks.some((sink) => isJoined(asset, sink.asset))) flows.cut(asset, THIRD_PHASE)
  }
}

const THIRD_PHASE: Cut = {
  code: NonLegCode.CutShort,
  message: 'the rest would take a third phase by way of two hubs: it is for the next run',
}

function open(ends: readonly End[]): readonly End[] {
  return ends.filter(({ rest }) => rest > 0n)
}

/**
 * The ends that are worth a conversion, without hubs. In the example those outside their bands are the source BTC with 1700 and
 * the sink ETH with 500; the calm ones are the sink SOL with 250. Each direction has at most as many as a run may have legs.
 */
function endsOf(
  members: readonly Member[],
  isMeant: (member: Member) => boolean,
  flows: Flows,
  { driftOf, isWorthTrading, context }: RoundTerms,
): Ends {
  const { count, cut } = context.bounds.mostLegs
  const sources: End[] = []
  const sinks: End[] = []
  for (const member of members) {
    if (!isMeant(member)) continue
    if (sources.length >= count && sinks.length >= count) {
      flows.exhaust(cut)
      break
    }
    const drift = driftOf(member)
    if (drift.drift === 0n) continue
    const ends = drift.drift > 0n ? sources : sinks
    if (ends.length >= count) flows.cut(member.asset, cut)
    else if (isWorthTrading(member, drift)) {
      const rest = drift.drift > 0n ? movableOf(member, drift.drift, context) : negate(drift.drift)
      ends.push({ asset: member.asset, rest })
    }
  }
  return { sources, sinks }
}

/** Value that can move after the cut to the increment, so that sinks do not count on the part that is cut off. */
function movableOf({ asset, price }: Member, tooMuch: Decimal, context: PlanningContext): Decimal {
  const { units, value: all } = context.supplyOf(asset)
  const increment = context.snapshot.assets.get(asset)?.increment
  const value = greatest(ZERO, least(tooMuch, all))
  if (!price || increment === undefined) return ZERO
  const exact = quantiseDown(value === all ? units : divide(value, price, 'down'), increment)
  return least(value, multiply(exact, price, 'up'))
}

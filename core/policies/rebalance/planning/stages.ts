// Computes one round of a rebalance in stages: which assets have too much, which have too little, and which help. An asset
// outside its band is brought to its target. Every flow moves both its ends towards their targets, so that two runs never undo
// each other's work. The exception are hubs: the others are traded with them, so they give way. Pure.
import { NonLegCode } from '../../../contract/plan.ts'
import {
  BOUNDLESS,
  type Decimal,
  divide,
  greatest,
  least,
  minus,
  multiply,
  negate,
  partOf,
  plus,
  quantiseDown,
  ZERO,
} from '../../../money/decimal.ts'
import type { End, Flows } from '../../../planning/conversions/flows.ts'
import type { Cut } from '../../../planning/market/bounds.ts'
import type { PlanningContext } from '../../../planning/planning-context.ts'
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

  const match = (sources: readonly End[], sinks: readonly End[]) => {
    flows.match(open(sources), open(sinks))
    hubs.account()
  }
  /** Matches assets outside their bands with `others`, in both directions. */
  const matchWith = (others: () => Ends) => {
    match([...outside.sources, ...hubs.sources('edge', isTriggered)], others().sinks)
    match(others().sources, [...outside.sinks, ...hubs.sinks('edge', isTriggered)])
  }
  const hubsUpTo = (reach: Reach) => () => ({ sources: hubs.sources(reach), sinks: hubs.sinks(reach) })

  match(
    [...outside.sources, ...hubs.sources('edge', isTriggered)],
    [...outside.sinks, ...hubs.sinks('edge', isTriggered)],
  )
  matchWith(hubsUpTo('target'))
  matchWith(hubsUpTo('beyond'))
  const isOpen = [outside.sources, outside.sinks, hubs.sources('edge', isTriggered), hubs.sinks('edge', isTriggered)]
  hubs.account()
  if (!isOpen.some((ends) => open(ends).length > 0)) return

  const helpers = endsOf(terms.calm, (member) => !isTriggered(member), flows, terms)
  matchWith(() => helpers)
  const rest = hubs.sinks('rest')
  const others = hubs.sources('target', (hub) => isTriggered(hub) && hub.asset !== rest[0]?.asset)
  match([...outside.sources, ...others], rest)
  const far = {
    sources: [...outside.sources, ...hubs.sources('edge', isTriggered)],
    sinks: [...outside.sinks, ...hubs.sinks('edge', isTriggered)],
  }
  reportThirdPhases(flows, far, hubs, terms)
}

/**
 * Reports value that could only continue from a hub in a third phase, and pairs that only two hubs in a row connect. The next
 * runs continue with it, each time as far as the hubs' bands allow.
 */
function reportThirdPhases(flows: Flows, far: Ends, hubs: HubLevels, { context, hubs: members }: RoundTerms): void {
  if (context.hubs.length < 2) return
  const isHop = (gives: string, brings: string) => context.findHops(gives, brings).length > 0
  const canReach = (from: string, to: string) =>
    context.hubs.some((hub) => hub !== from && hub !== to && isHop(from, hub) && isHop(hub, to))
  const [sources, sinks] = [open(far.sources), open(far.sinks)]
  const waiting = hubs.waiting()
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

/** The ends that are worth a conversion, without hubs. Each direction has at most as many as a run may have legs. */
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

/**
 * How far a hub may be moved: back to half of its band, to its target, or to half of its band beyond the target. `rest` has no
 * end, and applies to the hub that takes the rest.
 */
type Reach = 'edge' | 'target' | 'beyond' | 'rest'

/**
 * The hubs' distances from their targets during a round. A hub outside its band is brought back halfway into it. It moves
 * further only where other assets still have too much or too little, and then up to half of its band beyond its target.
 */
interface HubLevels {
  /** Hubs that may give, with the value that they may give; `account` later reads what they gave. */
  sources(reach: Reach, only?: (hub: Member) => boolean): readonly End[]
  sinks(reach: Reach, only?: (hub: Member) => boolean): readonly End[]
  /** Subtracts what the ends handed out since the last call have lost of their `rest`. */
  account(): void
  /** Hubs that could give more if they held it already: they receive it in the first phase, so it is there in the second only. */
  waiting(): readonly string[]
}

interface Level {
  readonly member: Member
  readonly half: Decimal
  /** Value less target, at this point of the round. */
  drift: Decimal
  /** Value that it can give now, whatever it receives. */
  spare: Decimal
}

function createHubLevels(
  hubs: readonly Member[],
  driftOf: (member: Member) => Drift,
  context: PlanningContext,
): HubLevels {
  const levels = hubs.map((member): Level => {
    const { band, target } = driftOf(member)
    return {
      member,
      half: partOf(band, 1n, 2n, 'down'),
      drift: minus(member.value, target ?? ZERO),
      spare: context.supplyOf(member.asset).value,
    }
  })
  let handedOut: { level: Level; end: End; start: Decimal; way: 'source' | 'sink' }[] = []

  function handOut(way: 'source' | 'sink', only: (hub: Member) => boolean, roomOf: (level: Level) => Decimal) {
    const ends: End[] = []
    for (const level of levels) {
      const room = roomOf(level)
      if (room <= 0n || !only(level.member)) continue
      const end = { asset: level.member.asset, rest: room }
      handedOut.push({ level, end, start: room, way })
      ends.push(end)
    }
    return ends
  }

  return {
    sources: (reach, only = () => true) =>
      handOut('source', only, ({ drift, spare, half }) => {
        const aim = reach === 'edge' ? half : reach === 'target' ? ZERO : negate(half)
        return least(spare, minus(drift, aim))
      }),
    sinks: (reach, only = () => true) =>
      handOut('sink', only, ({ member, drift, half }) => {
        if (reach === 'rest') return member.takesRest ? BOUNDLESS : ZERO
        const aim = reach === 'edge' ? negate(half) : reach === 'target' ? ZERO : half
        return minus(aim, drift)
      }),
    account() {
      for (const { level, end, start, way } of handedOut) {
        const moved = greatest(ZERO, minus(start, end.rest))
        if (moved === 0n) continue
        level.drift = way === 'source' ? minus(level.drift, moved) : plus(level.drift, moved)
        if (way === 'source') level.spare = minus(level.spare, moved)
      }
      handedOut = []
    },
    waiting: () =>
      levels
        .filter(({ drift, half, spare }) => plus(drift, half) > 0n && spare === 0n)
        .map(({ member }) => member.asset),
  }
}

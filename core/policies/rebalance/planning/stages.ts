// One round of a rebalance, in stages: who has too much, who has too little, and who helps. What is outside of its band is
// brought to its target. Everything that moves takes both its ends towards their targets, so that two runs never undo each
// other's work. Hubs are what others are traded with, so they give way.
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
  /** Those that something may be planned with, hubs apart; those with the largest drift first. */
  readonly hubs: readonly Member[]
  readonly others: readonly Member[]
  /** Of `others`, those that are within their bands now: few of them where there are many. */
  readonly calm: readonly Member[]
  readonly driftOf: (member: Member) => Drift
  /** Is it, or would it be left, outside of its band? */
  readonly isTriggered: (member: Member) => boolean
  /** Is the drift worth a conversion? Not asked of hubs: theirs is traded by trading others. */
  readonly isWorthIts: (member: Member, drift: Drift) => boolean
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
  /** What is outside of its band with others, both ways. */
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
 * What could go on only from a hub that is brought it in this run's second phase; and what is joined to its counterpart
 * by two hubs, one after the other. The next runs go on with it, as far as each time the bands of the hubs let it.
 */
function reportThirdPhases(flows: Flows, far: Ends, hubs: HubLevels, { context, hubs: members }: RoundTerms): void {
  if (context.hubs.length < 2) return
  const isHop = (gives: string, brings: string) => context.findHops(gives, brings).length > 0
  const canReach = (from: string, to: string) =>
    context.hubs.some((hub) => hub !== from && hub !== to && isHop(from, hub) && isHop(hub, to))
  const [sources, sinks] = [open(far.sources), open(far.sinks)]
  const waiting = hubs.waiting()
  // A hub that only passes on keeps nothing for the next run.
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

/** Of those whose drift is worth it: no more each way than a run makes conversions. Hubs are not among them. */
function endsOf(
  members: readonly Member[],
  isMeant: (member: Member) => boolean,
  flows: Flows,
  { driftOf, isWorthIts, context }: RoundTerms,
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
    else if (isWorthIts(member, drift)) {
      const rest = drift.drift > 0n ? movableOf(member, drift.drift, context) : negate(drift.drift)
      ends.push({ asset: member.asset, rest })
    }
  }
  return { sources, sinks }
}

/** What would be cut off at the end is not counted on by those that it would go to. */
function movableOf({ asset, price }: Member, tooMuch: Decimal, context: PlanningContext): Decimal {
  const { units, value: all } = context.supplyOf(asset)
  const increment = context.snapshot.assets.get(asset)?.increment
  const value = greatest(ZERO, least(tooMuch, all))
  if (!price || increment === undefined) return ZERO
  const exact = quantiseDown(value === all ? units : divide(value, price, 'down'), increment)
  return least(value, multiply(exact, price, 'up'))
}

/**
 * How far hubs are led: back to half of their band, to their target, to half of their band beyond it; without
 * end, which is for what takes the rest.
 */
type Reach = 'edge' | 'target' | 'beyond' | 'rest'

/**
 * How far hubs are from their targets while a round goes on. A hub outside of its band is brought back halfway. It is
 * brought further only where others have too much or too little left, and then up to half of its band beyond its target.
 */
interface HubLevels {
  /** Those hubs that may give, and how much; `account` reads off what they gave. */
  sources(reach: Reach, only?: (hub: Member) => boolean): readonly End[]
  sinks(reach: Reach, only?: (hub: Member) => boolean): readonly End[]
  /** Of the ends handed out since: what is gone of their `rest`. */
  account(): void
  /** Hubs that would give more, had they it already: what they are brought is there in the second phase only. */
  waiting(): readonly string[]
}

interface Level {
  readonly member: Member
  readonly half: Decimal
  /** Value less target, as it stands in this round. */
  level: Decimal
  /** What it can give now, whatever it is brought. */
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
      level: minus(member.value, target ?? ZERO),
      spare: context.supplyOf(member.asset).value,
    }
  })
  let handedOut: { one: Level; end: End; start: Decimal; way: 'source' | 'sink' }[] = []

  function handOut(way: 'source' | 'sink', only: (hub: Member) => boolean, roomOf: (one: Level) => Decimal) {
    const ends: End[] = []
    for (const one of levels) {
      const room = roomOf(one)
      if (room <= 0n || !only(one.member)) continue
      const end = { asset: one.member.asset, rest: room }
      handedOut.push({ one, end, start: room, way })
      ends.push(end)
    }
    return ends
  }

  return {
    sources: (reach, only = () => true) =>
      handOut('source', only, ({ level, spare, half }) => {
        const aim = reach === 'edge' ? half : reach === 'target' ? ZERO : negate(half)
        return least(spare, minus(level, aim))
      }),
    sinks: (reach, only = () => true) =>
      handOut('sink', only, ({ member, level, half }) => {
        if (reach === 'rest') return member.takesRest ? BOUNDLESS : ZERO
        const aim = reach === 'edge' ? negate(half) : reach === 'target' ? ZERO : half
        return minus(aim, level)
      }),
    account() {
      for (const { one, end, start, way } of handedOut) {
        const moved = greatest(ZERO, minus(start, end.rest))
        if (moved === 0n) continue
        one.level = way === 'source' ? minus(one.level, moved) : plus(one.level, moved)
        if (way === 'source') one.spare = minus(one.spare, moved)
      }
      handedOut = []
    },
    waiting: () =>
      levels
        .filter(({ level, half, spare }) => plus(level, half) > 0n && spare === 0n)
        .map(({ member }) => member.asset),
  }
}

// One round of a rebalance: who has too much, who too little, and who helps. What is outside of its band is
// brought to its target. Everything that moves takes both its ends towards their targets, so that two runs
// never undo each other's work; hubs give way, as hub-levels.ts has it.
import { NonLegCode } from '../../contract/plan.ts'
import { type Decimal, divide, greatest, least, multiply, quantiseDown, ZERO } from '../../money/decimal.ts'
import type { End, Flows } from '../conversions/flows.ts'
import type { Cut } from '../market/bounds.ts'
import type { Desk } from '../planning-context.ts'
import { createHubLevels, type HubLevels, type Reach } from './hub-levels.ts'
import type { Drift, Stand } from './portfolio.ts'

export interface RoundTerms {
  readonly desk: Desk
  /** Those that something may be planned with, hubs apart; those with the largest drift first. */
  readonly hubs: readonly Stand[]
  readonly others: readonly Stand[]
  /** Of `others`, those that are within their bands now: few of them where there are many. */
  readonly calm: readonly Stand[]
  readonly driftOf: (stand: Stand) => Drift
  /** Is it, or would it be left, outside of its band? */
  readonly isTriggered: (stand: Stand) => boolean
  /** Is the drift worth a conversion? Not asked of hubs: theirs is traded by trading others. */
  readonly isWorthIts: (stand: Stand, drift: Drift) => boolean
}

interface Ends {
  readonly sources: readonly End[]
  readonly sinks: readonly End[]
}

export function runStages(flows: Flows, terms: RoundTerms): void {
  const { isTriggered, driftOf, desk } = terms
  const outside = endsOf(terms.others, isTriggered, flows, terms)
  const hubs = createHubLevels(terms.hubs, driftOf, desk)

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

  const helpers = endsOf(terms.calm, (stand) => !isTriggered(stand), flows, terms)
  matchWith(() => helpers)
  const rest = hubs.sinks('rest')
  const others = hubs.sources('target', (hub) => isTriggered(hub) && hub.asset !== rest[0]?.asset)
  match([...outside.sources, ...others], rest)
  tellThirdPhases(flows, outside.sinks, hubs, desk)
}

/** What could go on only from a hub that is brought it in this run's second phase. */
function tellThirdPhases(flows: Flows, sinks: readonly End[], hubs: HubLevels, desk: Desk): void {
  const canReach = (from: string, to: string) =>
    desk.hubs.some((hub) => hub !== from && hub !== to && desk.findCrossing(from, hub) && desk.findCrossing(hub, to))
  const waiting = desk.hubs.length < 2 ? [] : hubs.waiting()
  for (const { asset } of open(sinks)) if (waiting.some((hub) => canReach(hub, asset))) flows.cut(asset, THIRD_PHASE)
}

const THIRD_PHASE: Cut = {
  code: NonLegCode.CutShort,
  says: 'the rest would take a third phase by way of two hubs: it is for the next run',
}

function open(ends: readonly End[]): readonly End[] {
  return ends.filter(({ rest }) => rest > 0n)
}

/** Of those whose drift is worth it: no more each way than a run makes conversions. Hubs are not among them. */
function endsOf(
  stands: readonly Stand[],
  isMeant: (stand: Stand) => boolean,
  flows: Flows,
  { driftOf, isWorthIts, desk }: RoundTerms,
): Ends {
  const { count, cut } = desk.bounds.mostLegs
  const sources: End[] = []
  const sinks: End[] = []
  for (const stand of stands) {
    if (!isMeant(stand)) continue
    if (sources.length >= count && sinks.length >= count) {
      flows.exhaust(cut)
      break
    }
    const drift = driftOf(stand)
    if (drift.drift === 0n) continue
    const ends = drift.drift > 0n ? sources : sinks
    if (ends.length >= count) flows.cut(stand.asset, cut)
    else if (isWorthIts(stand, drift)) {
      const rest = drift.drift > 0n ? movableOf(stand, drift.drift, desk) : (-drift.drift as Decimal)
      ends.push({ asset: stand.asset, rest })
    }
  }
  return { sources, sinks }
}

/** What would be cut off at the end is not counted on by those that it would go to. */
function movableOf({ asset, price }: Stand, tooMuch: Decimal, desk: Desk): Decimal {
  const { units, value: all } = desk.supplyOf(asset)
  const increment = desk.snapshot.assets.get(asset)?.increment
  const value = greatest(ZERO, least(tooMuch, all))
  if (!price || increment === undefined) return ZERO
  const exact = quantiseDown(value === all ? units : divide(value, price, 'down'), increment)
  return least(value, multiply(exact, price, 'up'))
}

// Carries value from assets with too much (sources) to assets with too little (sinks), within bounds, in the order of the given
// ends. Each trade takes the way that brings most: a market of the two assets, or two markets through a hub. Works in values;
// legs.ts turns them into units to send. Pure, but for the `rest` of the given ends, which `match` reduces.
import { NonLegCode } from '../../contract/plan.ts'
import {
  addTo,
  type Decimal,
  divide,
  greatest,
  least,
  minus,
  multiply,
  ONE_UNIT,
  plus,
  ZERO,
} from '../../money/decimal.ts'
import type { Bound, Bounds, Cut } from '../market/bounds.ts'
import type { Hop } from '../market/market-index.ts'
import { hopsOfWay, type Way } from './ways.ts'

/** An asset with too much or too little. `rest`: the value that must still be sold or bought. */
export interface End {
  readonly asset: string
  rest: Decimal
}

interface HopValue {
  readonly hop: Hop
  readonly value: Decimal
}

/** Value that goes from one asset to another: directly, or with a second hop from a hub. */
export interface Flow {
  readonly first: HopValue
  readonly second?: HopValue
}

/** A way with its yield. `brings`: value received per value spent; undefined without a price. */
export interface RankedWay {
  readonly way: Way
  readonly brings: Decimal | undefined
}

/** By `gives>brings`: all ways of a trade. Those with a price come first, the cheapest of them at the top. */
export type Choices = Map<string, readonly RankedWay[]>

export interface FlowTerms {
  /** Usable hubs, best first. */
  readonly hubs: readonly string[]
  readonly bounds: Bounds
  /** Returns each way once, and always the same objects. */
  waysBetween(gives: string, brings: string): readonly Way[]
  readonly banned: { has(leg: string): boolean }
  partnersOf(asset: string): readonly string[]
  /** Whether a usable market with a known price turns one asset into the other. */
  isPriced(gives: string, brings: string): boolean
  /** Value received per value spent, where `value` is spent. Undefined without a price. */
  yieldOf(hop: Hop, value: Decimal): Decimal | undefined
  /** Highest value of one conversion, in addition to `bounds`. */
  mostOf(hop: Hop): Bound | undefined
  /** Lowest value of one conversion. */
  floorOf(hop: Hop): Decimal
  belowFloor(hop: Hop): Cut
  /** Why a trade by this way, with this yield per value spent, is not worth it. Absent: every trade is worth it. */
  findObjection?(way: Way, brings: Decimal): Cut | undefined
  /** Ways are chosen once: an earlier comparison stays. */
  readonly choices: Choices
}

export interface Flows {
  /** Carries value from each source to each sink, in their order, and reduces their `rest`. */
  match(sources: readonly End[], sinks: readonly End[]): void
  /** Records what keeps more of an asset from flowing, unless a reason is recorded already. */
  cut(asset: string, cut: Cut): void
  readonly flows: readonly Flow[]
  /** By asset: what kept more of it from flowing. */
  readonly cuts: ReadonlyMap<string, Cut>
  /** By asset: why a trade with it was not worth it. */
  readonly objections: ReadonlyMap<string, Cut>
  /** By hop: the value at which its price is wanted, as if every trade took this hop. */
  valuesToPrice(): ReadonlyMap<Hop, Decimal>
  /** Records what keeps all remaining value from flowing. */
  exhaust(cut: Cut): void
  /** The bound of all trades together, once it is used up, or the cut given to `exhaust`. */
  exhausted(): Cut | undefined
  /** Whether a market was left out because it has no price. */
  lacksPrices(): boolean
}

/** A hop with a known price. `brings`: value received per value spent. */
interface PricedHop {
  readonly hop: Hop
  readonly brings: Decimal
}

interface PricedWay {
  readonly first: PricedHop
  readonly second?: PricedHop
}

/** The end that a trade uses up, or the bound: on one way, or on all trades together. */
type Spent = 'source' | 'sink' | 'way' | 'all'
interface Stop {
  readonly spent: Spent
  readonly cut: Cut
}
interface Room {
  readonly value: Decimal
  readonly spent: Spent
  readonly cut?: Cut
}

/** Number of partners up to which each is looked up; with more partners all sinks are walked. */
const FEW_PARTNERS = 8

export function createFlows(terms: FlowTerms): Flows {
  const { bounds, hubs, choices } = terms
  const hubSet = new Set(hubs)
  const flows: Flow[] = []
  const cuts = new Map<string, Cut>()
  const objections = new Map<string, Cut>()
  /** By hop: the sum of the trades that were made, by this hop or by another of their ways. */
  const valueMade = new Map<Hop, Decimal>()
  /** By hop: the largest trade that was not made. */
  const valueMissed = new Map<Hop, Decimal>()
  let isLackingPrices = false
  let exhausted: Cut | undefined
  const takenByLeg = new Map<string, Decimal>()
  const takenByAsset = new Map<string, Decimal>()
  let takenTogether = ZERO
  /** Assets that some leg spends, and assets that some leg brings. */
  const givenAssets = new Set<string>()
  const broughtAssets = new Set<string>()

  return {
    flows,
    cut: putCut,
    cuts,
    objections,
    valuesToPrice,
    exhaust(cut) {
      exhausted = cut
    },
    exhausted: () => exhausted,
    lacksPrices: () => isLackingPrices,
    match(sources, sinks) {
      if (sources.length === 0 || sinks.length === 0) return
      matchByOwnMarkets(sources, sinks)
      matchByAnyWay(inflexibleFirst(open(sources), 'from'), inflexibleFirst(open(sinks), 'to'))
    },
  }

  /** Trades whose cheapest way is their own market come before those that pass through hubs. */
  function matchByOwnMarkets(sources: readonly End[], sinks: readonly End[]): void {
    const byAsset = new Map(sinks.map((sink, rank) => [sink.asset, rank]))
    for (const source of sources) {
      for (const sink of sinksFor(source, sinks, byAsset)) {
        if (source.rest <= 0n) break
        if (sink.rest <= 0n || sink.asset === source.asset) continue
        const ranked = choose(source, sink)
        const [cheapest] = ranked
        if (cheapest === undefined) continue
        if (cheapest.brings === undefined || cheapest.way.hub !== undefined) {
          if (cheapest.brings === undefined) isLackingPrices = true
          const value = least(source.rest, sink.rest)
          noteValue(ranked, value, false)
          continue
        }
        if (trade(source, sink, ranked) === 'all') return
      }
    }
  }

  function sinksFor(source: End, sinks: readonly End[], ranks: ReadonlyMap<string, number>): readonly End[] {
    const partners = terms.partnersOf(source.asset)
    if (partners.length > FEW_PARTNERS) return sinks
    return partners
      .map((partner) => ranks.get(partner))
      .filter((rank) => rank !== undefined)
      .sort((left, right) => left - right)
      .flatMap((rank) => sinks[rank] ?? [])
  }

  function matchByAnyWay(sources: readonly End[], sinks: readonly End[]): void {
    let from = 0
    for (const source of sources) {
      // Skips filled sinks once, not again for each source.
      while ((sinks[from]?.rest ?? ONE_UNIT) <= 0n) from += 1
      if (isTooMany(source, givenAssets)) continue
      for (let to = from; to < sinks.length && source.rest > 0n; to += 1) {
        const sink = sinks[to] as End
        if (sink.rest <= 0n || sink.asset === source.asset || isTooMany(sink, broughtAssets)) continue
        const spent = trade(source, sink, choose(source, sink))
        if (spent === 'all') return
        if (spent === 'source') break
      }
    }
  }

  /** Whether each way of this end would need one leg too many. */
  function isTooMany({ asset }: End, assetsOfLegs: ReadonlySet<string>): boolean {
    const { count, cut } = bounds.mostLegs
    if (takenByLeg.size < count || assetsOfLegs.has(asset)) return false
    putCut(asset, cut)
    return true
  }

  /** An end with one possible hub comes before ends with a choice: they might use up its only room. */
  function inflexibleFirst(ends: readonly End[], way: 'from' | 'to'): readonly End[] {
    // With a bound on all together, the more important end comes first whatever its hubs.
    if (hubs.length < 2 || bounds.ofAll) return ends
    const count = ({ asset }: End) =>
      hubs.filter((hub) => terms.isPriced(...(way === 'from' ? ([asset, hub] as const) : ([hub, asset] as const))))
        .length
    return ends
      .map((end) => ({ end, ways: count(end) }))
      .sort((left, right) => left.ways - right.ways)
      .map(({ end }) => end)
  }

  /** All ways of a trade, compared at its size plus the value that already takes the same hops. */
  function choose(source: End, sink: End): readonly RankedWay[] {
    const pair = `${source.asset}>${sink.asset}`
    let ranked = choices.get(pair)
    if (ranked === undefined) {
      const value = least(source.rest, sink.rest)
      ranked = terms
        .waysBetween(source.asset, sink.asset)
        .map((way) => ({ way, brings: yieldOfWay(pricedAt(way, value)) }))
        .sort((left, right) => compareYields(right.brings, left.brings))
      choices.set(pair, ranked)
    }
    return ranked
  }

  function pricedAt({ first, second }: Way, value: Decimal): PricedWay | undefined {
    const priced = (hop: Hop, given: Decimal): PricedHop | undefined => {
      const brings = terms.yieldOf(hop, plus(takenByLeg.get(hop.leg) ?? ZERO, given))
      return brings === undefined ? undefined : { hop, brings }
    }
    const start = priced(first, value)
    if (second === undefined || start === undefined) return start && { first: start }
    const end = priced(second, multiply(value, start.brings, 'down'))
    return end && { first: start, second: end }
  }

  /** Tries each way in turn, until an end is empty or a bound is used up. */
  function trade(source: End, sink: End, ranked: readonly RankedWay[]): Spent | undefined {
    const before = source.rest
    const wish = least(source.rest, sink.rest)
    const spent = tradeInOrder(source, sink, inOrder(ranked, source, sink))
    const carried = minus(before, source.rest)
    noteValue(ranked, carried > 0n ? carried : wish, carried > 0n)
    return spent
  }

  function tradeInOrder(source: End, sink: End, ways: readonly Way[]): Spent | undefined {
    for (const way of ways) {
      const priced = pricedAt(way, least(source.rest, sink.rest))
      if (priced === undefined) continue
      const objection = terms.findObjection?.(way, yieldOfWay(priced))
      if (objection) {
        recordObjection(source, sink, objection)
        continue
      }
      const spent = tradeBy(source, sink, priced)
      if (spent === 'all' || source.rest <= 0n || sink.rest <= 0n) return spent
      if (spent !== 'way') return spent
    }
    return undefined
  }

  /** Usable ways with a price. A way with too little for a market comes last, because other trades may share it. */
  function inOrder(ranked: readonly RankedWay[], source: End, sink: End): readonly Way[] {
    const large: Way[] = []
    const small: Way[] = []
    for (const { way, brings } of ranked) {
      if (brings === undefined) isLackingPrices = true
      if (brings === undefined || hopsOfWay(way).some(({ leg }) => terms.banned.has(leg))) continue
      const short = hopsOfWay(way).find((hop) => isTooLittle(hop, source, sink))
      if (short === undefined) large.push(way)
      else if (way.hub !== undefined || isOfHub(short)) small.push(way)
      else recordObjection(source, sink, terms.belowFloor(short))
    }
    if (ranked.length > 0 && ranked.every(({ brings }) => brings === undefined))
      recordObjection(source, sink, noPrice(ranked))
    return small.length === 0 ? large : [...large, ...small]
  }

  function isOfHub({ gives, brings }: Hop): boolean {
    return hubSet.has(gives) || hubSet.has(brings)
  }

  /**
   * Whether the value that can still flow, together with the value already on the hop, is too little. A hub also receives from
   * others.
   */
  function isTooLittle(hop: Hop, source: End, sink: End): boolean {
    const ends = [source, sink].filter(
      ({ asset }) => (asset === hop.gives || asset === hop.brings) && !hubSet.has(asset),
    )
    if (ends.length === 0) return false
    const most = ends.map(({ rest }) => rest).reduce(least)
    return plus(takenByLeg.get(hop.leg) ?? ZERO, most) < terms.floorOf(hop)
  }

  /** Trades as much as possible by one way. Returns what is used up, so that the caller continues with the next end. */
  function tradeBy(source: End, sink: End, way: PricedWay): Spent {
    const tooMany = findTooMany(way)
    if (tooMany) return stop(tooMany, source, sink)
    const room = roomOf(way, source, sink)
    if (room.value > 0n) take(source, sink, way, room)
    return room.cut ? stop({ spent: room.spent, cut: room.cut }, source, sink) : room.spent
  }

  function findTooMany({ first, second }: PricedWay): Stop | undefined {
    const isNew = ({ hop }: PricedHop) => !takenByLeg.has(hop.leg)
    const fresh = (isNew(first) ? 1 : 0) + (second && isNew(second) ? 1 : 0)
    if (takenByLeg.size + fresh <= bounds.mostLegs.count) return undefined
    return { spent: 'way', cut: bounds.mostLegs.cut }
  }

  /** The value that the source may spend: the least that its rest, the sink and each bound allow. */
  function roomOf(way: PricedWay, source: End, sink: End): Room {
    const { first, second } = way
    let room: Room = { value: source.rest, spent: 'source' }
    const lower = (value: Decimal, spent: Spent, cut?: Cut) => {
      if (value < room.value) room = cut ? { value, spent, cut } : { value, spent }
    }
    const applyBound = (
      bound: Bound | undefined,
      usedValue: Decimal,
      scale: (left: Decimal) => Decimal,
      spent: Spent,
    ) => {
      if (bound) lower(scale(greatest(ZERO, minus(bound.value, usedValue))), spent, bound.cut)
    }
    const unchanged = (left: Decimal) => left
    const beforeFirst = (left: Decimal) => (first.brings === 0n ? ZERO : divide(left, first.brings, 'down'))
    const whole = yieldOfWay(way)
    if (whole > 0n) lower(divide(sink.rest, whole, 'up'), 'sink')
    const { hop } = first
    applyBound(bounds.ofOne(hop.gives), takenByLeg.get(hop.leg) ?? ZERO, unchanged, 'way')
    applyBound(terms.mostOf(hop), takenByLeg.get(hop.leg) ?? ZERO, unchanged, 'way')
    applyBound(bounds.ofAsset(hop.gives), takenByAsset.get(hop.gives) ?? ZERO, unchanged, 'source')
    if (second) {
      const { gives, leg } = second.hop
      applyBound(bounds.ofOne(gives), takenByLeg.get(leg) ?? ZERO, beforeFirst, 'way')
      applyBound(terms.mostOf(second.hop), takenByLeg.get(leg) ?? ZERO, beforeFirst, 'way')
      applyBound(bounds.ofAsset(gives), takenByAsset.get(gives) ?? ZERO, beforeFirst, 'way')
    }
    // A flow through a hub spends value at both hops. Both count against the bound of all trades together.
    const turns = second ? plus(ONE_UNIT, first.brings) : ONE_UNIT
    applyBound(bounds.ofAll, takenTogether, (left) => divide(left, turns, 'down'), 'all')
    return room
  }

  function take(source: End, sink: End, way: PricedWay, { value, spent, cut }: Room): void {
    const { first, second } = way
    const flow: Flow = { first: { hop: first.hop, value } }
    const onward = second && { hop: second.hop, value: multiply(value, first.brings, 'down') }
    flows.push(onward ? { first: flow.first, second: onward } : flow)
    for (const given of onward ? [flow.first, onward] : [flow.first]) {
      addTo(takenByLeg, given.hop.leg, given.value)
      givenAssets.add(given.hop.gives)
      broughtAssets.add(given.hop.brings)
      addTo(takenByAsset, given.hop.gives, given.value)
      takenTogether = plus(takenTogether, given.value)
    }
    source.rest = minus(source.rest, value)
    const comes = multiply(value, yieldOfWay(way), 'down')
    // The quotient was rounded up: a filled sink gets an exact zero.
    sink.rest = spent === 'sink' && !cut ? ZERO : greatest(ZERO, minus(sink.rest, comes))
  }

  function stop({ spent, cut }: Stop, source: End, sink: End): Spent {
    if (spent === 'all') exhausted = cut
    for (const { asset } of [source, sink]) putCut(asset, cut)
    return spent
  }

  function putCut(asset: string, cut: Cut): void {
    if (!cuts.has(asset)) cuts.set(asset, cut)
  }

  function recordObjection(source: End, sink: End, objection: Cut): void {
    for (const { asset } of [source, sink]) if (!objections.has(asset)) objections.set(asset, objection)
  }

  /** Notes the trade's value on every hop of its ways, because the trade may end up on any of them. */
  function noteValue(ranked: readonly RankedWay[], value: Decimal, isMade: boolean): void {
    for (const hop of new Set(ranked.flatMap(({ way }) => hopsOfWay(way)))) {
      if (isMade) valueMade.set(hop, plus(valueMade.get(hop) ?? ZERO, value))
      else valueMissed.set(hop, greatest(valueMissed.get(hop) ?? ZERO, value))
    }
  }

  function valuesToPrice(): ReadonlyMap<Hop, Decimal> {
    const values = new Map(valueMade)
    for (const [hop, value] of valueMissed) values.set(hop, greatest(values.get(hop) ?? ZERO, value))
    return values
  }
}

/** Value received at the end of a way, per value spent at its start. */
function yieldOfWay(way: PricedWay): Decimal
function yieldOfWay(way: PricedWay | undefined): Decimal | undefined
function yieldOfWay(way: PricedWay | undefined): Decimal | undefined {
  if (way?.second === undefined) return way?.first.brings
  return multiply(way.first.brings, way.second.brings, 'down')
}

function noPrice(ranked: readonly RankedWay[]): Cut {
  const ids = new Set(ranked.flatMap(({ way }) => hopsOfWay(way)).map(({ market }) => market.id))
  return { code: NonLegCode.NoPrice, message: `no price is told by one or more of ${[...ids].join(', ')}` }
}

/** Orders yields; a missing price counts as less than any yield. */
function compareYields(left: Decimal | undefined, right: Decimal | undefined): number {
  if (left === right) return 0
  if (left === undefined || (right !== undefined && left < right)) return -1
  return 1
}

function open(ends: readonly End[]): readonly End[] {
  return ends.filter(({ rest }) => rest > 0n)
}

export function hopsOf({ first, second }: Flow): readonly HopValue[] {
  return second === undefined ? [first] : [first, second]
}

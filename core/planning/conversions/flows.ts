// Carries value from those that have too much to those that have too little: a small transport problem, solved
// greedily in the order in which ends are given, within bounds. Each trade goes by the way that brings most of it: a
// market of the two assets, or two by way of a hub. It works in values; legs.ts works out what is sent.
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

/** An asset with too much or too little. `rest` is the value still to go or to come. */
export interface End {
  readonly asset: string
  rest: Decimal
}

/** Value that is given up at a hop. */
export interface HopValue {
  readonly hop: Hop
  readonly value: Decimal
}

/** Value that goes from one asset to another: directly, or with a second hop from a hub. */
export interface Flow {
  readonly first: HopValue
  readonly second?: HopValue
}

/** A way as it was compared: `brings` is the value that one value given up brings. Undefined: no price tells. */
export interface RankedWay {
  readonly way: Way
  readonly brings: Decimal | undefined
}

/** By `gives>brings`: all ways of a trade, those with a price first, and the cheapest of them before others. */
export type Choices = Map<string, readonly RankedWay[]>

export interface FlowTerms {
  /** Usable as such, best first. */
  readonly hubs: readonly string[]
  readonly bounds: Bounds
  /** Each way once, the same objects each time. */
  waysBetween(gives: string, brings: string): readonly Way[]
  /** Legs that are not to be made. */
  readonly banned: { has(leg: string): boolean }
  partnersOf(asset: string): readonly string[]
  /** Does a market that may be used turn one into the other, at a price that is known? */
  isPriced(gives: string, brings: string): boolean
  /** Value that one value given up brings where `value` is given up. Undefined where no price tells. */
  yieldOf(hop: Hop, value: Decimal): Decimal | undefined
  /** Most value of a conversion, besides what bounds say. */
  mostOf(hop: Hop): Bound | undefined
  /** Least value of a conversion. */
  floorOf(hop: Hop): Decimal
  /** Says that there is less than that. */
  belowFloor(hop: Hop): Cut
  /** Why a trade by this way, which brings so much of one value, is not worth it. Absent: each is. */
  findObjection?(way: Way, brings: Decimal): Cut | undefined
  /** Ways are chosen once: what was compared before stays. */
  readonly choices: Choices
}

export interface Flows {
  /** From each of `sources` to each of `sinks`, the first ones first; takes from their `rest`. */
  match(sources: readonly End[], sinks: readonly End[]): void
  /** Says what keeps more of an asset from flowing, where nothing has said so yet. */
  cut(asset: string, cut: Cut): void
  readonly flows: readonly Flow[]
  /** By asset: what kept more of it from flowing. */
  readonly cuts: ReadonlyMap<string, Cut>
  /** By asset: why a trade of it was not worth it. */
  readonly objections: ReadonlyMap<string, Cut>
  /** By hop: the value that would be given up there if every trade went by it. */
  considered(): ReadonlyMap<Hop, Decimal>
  /** Says what keeps all that is left from flowing. */
  exhaust(cut: Cut): void
  /** What does: the bound of all together, once it has let the last through, or what `exhaust` said. */
  exhausted(): Cut | undefined
  /** A market was passed by because it tells no price. */
  lacksPrices(): boolean
}

/** A hop whose price is known: `brings` is the value that one value given up brings. */
interface PricedHop {
  readonly hop: Hop
  readonly brings: Decimal
}

interface PricedWay {
  readonly first: PricedHop
  readonly second?: PricedHop
}

/** Which end, or what, is used up after a connection. */
type Spent = 'source' | 'sink' | 'way' | 'all'
/** Why a connection carries no more. */
interface Stop {
  readonly spent: Spent
  readonly cut: Cut
}
interface Room {
  readonly value: Decimal
  readonly spent: Spent
  readonly cut?: Cut
}

/** Shorter than this many partners: looked up one by one instead of walking all sinks. */
const FEW_PARTNERS = 8

export function createFlows(terms: FlowTerms): Flows {
  const { bounds, hubs, choices } = terms
  const hubSet = new Set(hubs)
  const flows: Flow[] = []
  const cuts = new Map<string, Cut>()
  const objections = new Map<string, Cut>()
  /** By hop: of trades that were made, all together; of others the largest. */
  const considered = new Map<Hop, Decimal>()
  const passedBy = new Map<Hop, Decimal>()
  let isLackingPrices = false
  let exhausted: Cut | undefined
  const takenByLeg = new Map<string, Decimal>()
  const takenByAsset = new Map<string, Decimal>()
  let taken = ZERO
  /** Assets that a leg gives up, and that one brings. */
  const giving = new Set<string>()
  const brought = new Set<string>()

  /** Carries as much as may be. Says what is spent by it, so that the caller goes on with the next. */
  function connect(source: End, sink: End, way: PricedWay): Spent {
    const tooMany = findTooMany(way)
    if (tooMany) return stop(tooMany, source, sink)
    const room = roomOf(way, source, sink)
    if (room.value > 0n) take(source, sink, way, room)
    return room.cut ? stop({ spent: room.spent, cut: room.cut }, source, sink) : room.spent
  }

  /** The value that the source may give up: the least that its rest, the sink and each bound let through. */
  function roomOf(way: PricedWay, source: End, sink: End): Room {
    const { first, second } = way
    let room: Room = { value: source.rest, spent: 'source' }
    const consider = (value: Decimal, spent: Spent, cut?: Cut) => {
      if (value < room.value) room = cut ? { value, spent, cut } : { value, spent }
    }
    const hold = (bound: Bound | undefined, used: Decimal, scale: (left: Decimal) => Decimal, spent: Spent) => {
      if (bound) consider(scale(greatest(ZERO, minus(bound.value, used))), spent, bound.cut)
    }
    const asIs = (left: Decimal) => left
    const beforeFirst = (left: Decimal) => (first.brings === 0n ? ZERO : divide(left, first.brings, 'down'))
    const whole = yieldOfWay(way)
    if (whole > 0n) consider(divide(sink.rest, whole, 'up'), 'sink')
    const { hop } = first
    hold(bounds.ofOne(hop.gives), takenByLeg.get(hop.leg) ?? ZERO, asIs, 'way')
    hold(terms.mostOf(hop), takenByLeg.get(hop.leg) ?? ZERO, asIs, 'way')
    hold(bounds.ofAsset(hop.gives), takenByAsset.get(hop.gives) ?? ZERO, asIs, 'source')
    if (second) {
      const { gives, leg } = second.hop
      hold(bounds.ofOne(gives), takenByLeg.get(leg) ?? ZERO, beforeFirst, 'way')
      hold(terms.mostOf(second.hop), takenByLeg.get(leg) ?? ZERO, beforeFirst, 'way')
      hold(bounds.ofAsset(gives), takenByAsset.get(gives) ?? ZERO, beforeFirst, 'way')
    }
    // What is given up at both hops counts against the bound of all together.
    const turns = second ? plus(ONE_UNIT, first.brings) : ONE_UNIT
    hold(bounds.ofAll, taken, (left) => divide(left, turns, 'down'), 'all')
    return room
  }

  function take(source: End, sink: End, way: PricedWay, { value, spent, cut }: Room): void {
    const { first, second } = way
    const flow: Flow = { first: { hop: first.hop, value } }
    const onward = second && { hop: second.hop, value: multiply(value, first.brings, 'down') }
    flows.push(onward ? { first: flow.first, second: onward } : flow)
    for (const given of onward ? [flow.first, onward] : [flow.first]) {
      addTo(takenByLeg, given.hop.leg, given.value)
      giving.add(given.hop.gives)
      brought.add(given.hop.brings)
      addTo(takenByAsset, given.hop.gives, given.value)
      taken = plus(taken, given.value)
    }
    source.rest = minus(source.rest, value)
    const comes = multiply(value, yieldOfWay(way), 'down')
    // The quotient was rounded up, so that a sink that is filled is not left with a speck.
    sink.rest = spent === 'sink' && !cut ? ZERO : greatest(ZERO, minus(sink.rest, comes))
  }

  function findTooMany({ first, second }: PricedWay): Stop | undefined {
    const isNew = ({ hop }: PricedHop) => !takenByLeg.has(hop.leg)
    const fresh = (isNew(first) ? 1 : 0) + (second && isNew(second) ? 1 : 0)
    if (takenByLeg.size + fresh <= bounds.mostLegs.count) return undefined
    return { spent: 'way', cut: bounds.mostLegs.cut }
  }

  /** Would any way of it be one leg too many? */
  function isTooMany({ asset }: End, legs: ReadonlySet<string>): boolean {
    const { count, cut } = bounds.mostLegs
    if (takenByLeg.size < count || legs.has(asset)) return false
    putCut(asset, cut)
    return true
  }

  function stop({ spent, cut }: Stop, source: End, sink: End): Spent {
    if (spent === 'all') exhausted = cut
    for (const { asset } of [source, sink]) putCut(asset, cut)
    return spent
  }

  function putCut(asset: string, cut: Cut): void {
    if (!cuts.has(asset)) cuts.set(asset, cut)
  }

  /** All ways of a trade as they were compared, by the size that it and what goes the same way have together. */
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
    const begin = priced(first, value)
    if (second === undefined || begin === undefined) return begin && { first: begin }
    const end = priced(second, multiply(value, begin.brings, 'down'))
    return end && { first: begin, second: end }
  }

  /** By each way in its turn, until nothing is left or all is used up. */
  function trade(source: End, sink: End, ranked: readonly RankedWay[]): Spent | undefined {
    const before = source.rest
    const wish = least(source.rest, sink.rest)
    const spent = tradeBy(source, sink, inOrder(ranked, source, sink))
    const carried = minus(before, source.rest)
    note(ranked, carried > 0n ? carried : wish, carried > 0n)
    return spent
  }

  function tradeBy(source: End, sink: End, ways: readonly Way[]): Spent | undefined {
    for (const way of ways) {
      const priced = pricedAt(way, least(source.rest, sink.rest))
      if (priced === undefined) continue
      const objection = terms.findObjection?.(way, yieldOfWay(priced))
      if (objection) {
        object(source, sink, objection)
        continue
      }
      const spent = connect(source, sink, priced)
      if (spent === 'all' || source.rest <= 0n || sink.rest <= 0n) return spent
      if (spent !== 'way') return spent
    }
    return undefined
  }

  /** Those with a price that may be used. A way on which it is too little for a market comes last: others may go along. */
  function inOrder(ranked: readonly RankedWay[], source: End, sink: End): readonly Way[] {
    const large: Way[] = []
    const small: Way[] = []
    for (const { way, brings } of ranked) {
      if (brings === undefined) isLackingPrices = true
      if (brings === undefined || hopsOfWay(way).some(({ leg }) => terms.banned.has(leg))) continue
      const short = hopsOfWay(way).find((hop) => isTooLittle(hop, source, sink))
      if (short === undefined) large.push(way)
      else if (way.hub !== undefined || isOfHub(short)) small.push(way)
      else object(source, sink, terms.belowFloor(short))
    }
    if (ranked.length > 0 && ranked.every(({ brings }) => brings === undefined)) object(source, sink, noPrice(ranked))
    return small.length === 0 ? large : [...large, ...small]
  }

  function isOfHub({ gives, brings }: Hop): boolean {
    return hubSet.has(gives) || hubSet.has(brings)
  }

  /** Even with what goes the same way already, and all that there is to go or to come. A hub takes from others, too. */
  function isTooLittle(hop: Hop, source: End, sink: End): boolean {
    const ends = [source, sink].filter(
      ({ asset }) => (asset === hop.gives || asset === hop.brings) && !hubSet.has(asset),
    )
    if (ends.length === 0) return false
    const most = ends.map(({ rest }) => rest).reduce(least)
    return plus(takenByLeg.get(hop.leg) ?? ZERO, most) < terms.floorOf(hop)
  }

  function object(source: End, sink: End, objection: Cut): void {
    for (const { asset } of [source, sink]) if (!objections.has(asset)) objections.set(asset, objection)
  }

  /** A market may be on several of the ways, and is on one of them in the end. */
  function note(ranked: readonly RankedWay[], value: Decimal, isMade: boolean): void {
    for (const hop of new Set(ranked.flatMap(({ way }) => hopsOfWay(way)))) {
      if (isMade) considered.set(hop, plus(considered.get(hop) ?? ZERO, value))
      else passedBy.set(hop, greatest(passedBy.get(hop) ?? ZERO, value))
    }
  }

  function valuesConsidered(): ReadonlyMap<Hop, Decimal> {
    const values = new Map(considered)
    for (const [hop, value] of passedBy) values.set(hop, greatest(values.get(hop) ?? ZERO, value))
    return values
  }

  /** Trades whose cheapest way is a market of their own go before those that pass through hubs. */
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
          note(ranked, value, false)
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
      // Those before it are filled, so that they are not looked through for each source.
      while ((sinks[from]?.rest ?? ONE_UNIT) <= 0n) from += 1
      if (isTooMany(source, giving)) continue
      for (let to = from; to < sinks.length && source.rest > 0n; to += 1) {
        const sink = sinks[to] as End
        if (sink.rest <= 0n || sink.asset === source.asset || isTooMany(sink, brought)) continue
        const spent = trade(source, sink, choose(source, sink))
        if (spent === 'all') return
        if (spent === 'source') break
      }
    }
  }

  return {
    flows,
    cut: putCut,
    cuts,
    objections,
    considered: valuesConsidered,
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

  /** What has one hub only goes before what could also take another: else it would find that one's room gone. */
  function inflexibleFirst(ends: readonly End[], way: 'from' | 'to'): readonly End[] {
    // Where not all may flow, the more important end goes first whatever its hubs.
    if (hubs.length < 2 || bounds.ofAll) return ends
    const count = ({ asset }: End) =>
      hubs.filter((hub) => terms.isPriced(...(way === 'from' ? ([asset, hub] as const) : ([hub, asset] as const))))
        .length
    return ends
      .map((end) => ({ end, ways: count(end) }))
      .sort((left, right) => left.ways - right.ways)
      .map(({ end }) => end)
  }
}

/** Value that one value given up at the beginning of a way brings at its end. */
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

/** Without a price is less than any. */
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

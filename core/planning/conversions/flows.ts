// Carries value from those that have too much to those that have too little: a small transport problem, solved
// greedily in the order in which ends are given, by a direct market or through one hub, within bounds. It works in
// values; legs.ts works out what is sent.
import { type Decimal, divide, greatest, least, minus, multiply, ONE_UNIT, plus, ZERO } from '../../money/decimal.ts'
import type { Bound, Bounds, Cut } from '../market/bounds.ts'
import type { Hop } from '../market/market-index.ts'

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

export interface FlowTerms {
  /** Usable as such, best first. */
  readonly hubs: readonly string[]
  readonly bounds: Bounds
  /** Undefined where no market does, or none that may be used. */
  findHop(gives: string, brings: string): Hop | undefined
  partnersOf(asset: string): readonly string[]
  /** Value that one value given up brings. Undefined where no price tells. */
  yieldOf(hop: Hop): Decimal | undefined
  /** Least value of a conversion beside those with hubs. */
  floorOf(hop: Hop): Decimal
}

export interface Flows {
  /** From each of `sources` to each of `sinks`, the first ones first; takes from their `rest`. */
  match(sources: readonly End[], sinks: readonly End[]): void
  /** Says what keeps more of an asset from flowing, where nothing has said so yet. */
  cut(asset: string, cut: Cut): void
  readonly flows: readonly Flow[]
  /** By asset: what kept more of it from flowing. */
  readonly cuts: ReadonlyMap<string, Cut>
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

interface Way {
  readonly first: PricedHop
  readonly second?: PricedHop
}

/** Which end, or what, is used up after a connection. */
type Spent = 'source' | 'sink' | 'hub' | 'all'
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
  const { bounds, hubs } = terms
  const hubSet = new Set(hubs)
  const flows: Flow[] = []
  const cuts = new Map<string, Cut>()
  let isLackingPrices = false
  let exhausted: Cut | undefined
  const takenByLeg = new Map<string, Decimal>()
  const takenByAsset = new Map<string, Decimal>()
  let taken = ZERO

  /** Carries as much as may be. Says what is spent by it, so that the caller goes on with the next. */
  function connect(source: End, sink: End, way: Way): Spent {
    const tooMany = findTooMany(way)
    if (tooMany) return stop(tooMany, source, sink)
    const room = roomOf(way, source, sink)
    if (room.value > 0n) take(source, sink, way, room)
    return room.cut ? stop({ spent: room.spent, cut: room.cut }, source, sink) : room.spent
  }

  /** The value that the source may give up: the least that its rest, the sink and each bound let through. */
  function roomOf(way: Way, source: End, sink: End): Room {
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
    hold(bounds.ofOne(hop.gives), takenByLeg.get(hop.leg) ?? ZERO, asIs, 'source')
    hold(bounds.ofAsset(hop.gives), takenByAsset.get(hop.gives) ?? ZERO, asIs, 'source')
    if (second) {
      const { gives, leg } = second.hop
      hold(bounds.ofOne(gives), takenByLeg.get(leg) ?? ZERO, beforeFirst, 'sink')
      hold(bounds.ofAsset(gives), takenByAsset.get(gives) ?? ZERO, beforeFirst, 'hub')
    }
    // What is given up at both hops counts against the bound of all together.
    const turns = second ? plus(ONE_UNIT, first.brings) : ONE_UNIT
    hold(bounds.ofAll, taken, (left) => divide(left, turns, 'down'), 'all')
    return room
  }

  function take(source: End, sink: End, way: Way, { value, spent, cut }: Room): void {
    const { first, second } = way
    const flow: Flow = { first: { hop: first.hop, value } }
    const onward = second && { hop: second.hop, value: multiply(value, first.brings, 'down') }
    flows.push(onward ? { first: flow.first, second: onward } : flow)
    for (const given of onward ? [flow.first, onward] : [flow.first]) {
      add(takenByLeg, given.hop.leg, given.value)
      add(takenByAsset, given.hop.gives, given.value)
      taken = plus(taken, given.value)
    }
    source.rest = minus(source.rest, value)
    const brought = multiply(value, yieldOfWay(way), 'down')
    // The quotient was rounded up, so that a sink that is filled is not left with a speck.
    sink.rest = spent === 'sink' && !cut ? ZERO : greatest(ZERO, minus(sink.rest, brought))
  }

  function findTooMany({ first, second }: Way): Stop | undefined {
    const isNew = ({ hop }: PricedHop) => !takenByLeg.has(hop.leg)
    const fresh = (isNew(first) ? 1 : 0) + (second && isNew(second) ? 1 : 0)
    if (takenByLeg.size + fresh <= bounds.mostLegs.count) return undefined
    return { spent: isNew(first) ? 'source' : 'sink', cut: bounds.mostLegs.cut }
  }

  function stop({ spent, cut }: Stop, source: End, sink: End): Spent {
    if (spent === 'all') exhausted = cut
    for (const { asset } of [source, sink]) putCut(asset, cut)
    return spent
  }

  function putCut(asset: string, cut: Cut): void {
    if (!cuts.has(asset)) cuts.set(asset, cut)
  }

  function matchDirectly(sources: readonly End[], sinks: readonly End[]): void {
    const byAsset = new Map(sinks.map((sink, rank) => [sink.asset, rank]))
    for (const source of sources) {
      for (const sink of sinksFor(source, sinks, byAsset)) {
        if (source.rest <= 0n) break
        if (sink.rest <= 0n) continue
        const hop = terms.findHop(source.asset, sink.asset)
        if (!hop || !isWorthIts(hop, source, sink)) continue
        const first = priced(hop)
        if (first === undefined) continue
        const spent = connect(source, sink, { first })
        if (spent === 'all') return
        if (spent === 'hub') break
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

  /** Small change between two assets is better carried along through a hub. */
  function isWorthIts(hop: Hop, source: End, sink: End): boolean {
    if (hubSet.has(hop.gives) || hubSet.has(hop.brings)) return true
    return least(source.rest, sink.rest) >= terms.floorOf(hop)
  }

  function matchThrough(hub: string, sources: readonly End[], sinks: readonly End[]): void {
    const givers = pricedEnds(sources, hub, (asset) => findPriced(asset, hub))
    const takers = pricedEnds(sinks, hub, (asset) => findPriced(hub, asset))
    let from = 0
    let to = 0
    for (;;) {
      const giver = givers[from]
      const taker = takers[to]
      if (giver === undefined || taker === undefined) return
      const { end: source } = giver
      const { end: sink } = taker
      if (source.asset === sink.asset) {
        from += 1
        continue
      }
      const spent = connect(source, sink, { first: giver.way, second: taker.way })
      if (spent === 'all' || spent === 'hub') return
      if (spent === 'source' || source.rest <= 0n) from += 1
      if (spent === 'sink' || sink.rest <= 0n) to += 1
    }
  }

  /** Those ends that are still open and that a market with a price joins to the hub. */
  function pricedEnds(ends: readonly End[], hub: string, find: (asset: string) => PricedHop | undefined) {
    const found: { readonly end: End; readonly way: PricedHop }[] = []
    for (const end of ends) {
      if (end.rest <= 0n || end.asset === hub) continue
      const way = find(end.asset)
      if (way) found.push({ end, way })
    }
    return found
  }

  function findPriced(gives: string, brings: string): PricedHop | undefined {
    const hop = terms.findHop(gives, brings)
    return hop && priced(hop)
  }

  function priced(hop: Hop): PricedHop | undefined {
    const brings = terms.yieldOf(hop)
    if (brings === undefined) isLackingPrices = true
    return brings === undefined ? undefined : { hop, brings }
  }

  return {
    flows,
    cut: putCut,
    cuts,
    exhaust(cut) {
      exhausted = cut
    },
    exhausted: () => exhausted,
    lacksPrices: () => isLackingPrices,
    match(sources, sinks) {
      if (sources.length === 0 || sinks.length === 0) return
      matchDirectly(sources, sinks)
      for (const hub of hubs) {
        matchThrough(hub, inflexibleFirst(sources, 'from'), inflexibleFirst(sinks, 'to'))
      }
    },
  }

  /** What has one hub only goes before what could also take another: else it would find that one's room gone. */
  function inflexibleFirst(ends: readonly End[], way: 'from' | 'to'): readonly End[] {
    // Where not all may flow, the more important end goes first whatever its hubs.
    if (hubs.length < 2 || bounds.ofAll) return ends
    const count = ({ asset }: End) =>
      hubs.filter((hub) => (way === 'from' ? findPriced(asset, hub) : findPriced(hub, asset))).length
    return ends
      .map((end) => ({ end, ways: count(end) }))
      .sort((left, right) => left.ways - right.ways)
      .map(({ end }) => end)
  }
}

/** Value that one value given up at the beginning of a way brings at its end. */
function yieldOfWay({ first, second }: Way): Decimal {
  return second === undefined ? first.brings : multiply(first.brings, second.brings, 'down')
}

export function hopsOf({ first, second }: Flow): readonly HopValue[] {
  return second === undefined ? [first] : [first, second]
}

/** Value given up by hop. */
export function valuesByHop(flows: readonly Flow[]): ReadonlyMap<Hop, Decimal> {
  const values = new Map<Hop, Decimal>()
  for (const { hop, value } of flows.flatMap(hopsOf)) values.set(hop, plus(values.get(hop) ?? ZERO, value))
  return values
}

function add(map: Map<string, Decimal>, key: string, value: Decimal): void {
  map.set(key, plus(map.get(key) ?? ZERO, value))
}

// Carries value from those that have too much to those that have too little: a small transport problem, solved
// greedily in the order in which ends are given, by a direct market or through one hub, within bounds. Works in
// values; what is sent is worked out in legs.ts.
import { type Decimal, divide, greatest, least, minus, multiply, plus, ZERO } from '../../money/decimal.ts'
import type { Bound, Bounds, Cut } from '../market/bounds.ts'
import type { Hop } from '../market/market-index.ts'

/** An asset with too much or too little. `rest` is the value still to go or to come. */
export interface End {
  readonly asset: string
  rest: Decimal
}

/** Value that goes from one asset to another, directly or through a hub: one or two hops. */
export interface Flow {
  readonly path: readonly Hop[]
  /** Given up at each hop. */
  readonly values: readonly Decimal[]
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

/** Which end, or what, is used up after a connection. */
type Spent = 'source' | 'sink' | 'hub' | 'all'
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
  function connect(source: End, sink: End, path: readonly Hop[], yields: readonly Decimal[]): Spent {
    const [first, second] = path as [Hop, Hop?]
    const [firstYield, secondYield] = yields as [Decimal, Decimal?]
    const tooMany = findTooMany(first, second)
    if (tooMany) return stop(tooMany, source, sink)

    const whole = secondYield === undefined ? firstYield : multiply(firstYield, secondYield, 'down')
    let room: Room = { value: source.rest, spent: 'source' }
    const consider = (value: Decimal, spent: Spent, cut?: Cut) => {
      if (value < room.value) room = cut ? { value, spent, cut } : { value, spent }
    }
    const hold = (bound: Bound | undefined, used: Decimal, scale: (left: Decimal) => Decimal, spent: Spent) => {
      if (bound) consider(scale(greatest(ZERO, minus(bound.value, used))), spent, bound.cut)
    }
    const asIs = (left: Decimal) => left
    const beforeFirst = (left: Decimal) => (firstYield === 0n ? ZERO : divide(left, firstYield, 'down'))
    if (whole > 0n) consider(divide(sink.rest, whole, 'up'), 'sink')
    hold(bounds.ofOne(first.gives), takenByLeg.get(first.leg) ?? ZERO, asIs, 'source')
    hold(bounds.ofAsset(first.gives), takenByAsset.get(first.gives) ?? ZERO, asIs, 'source')
    if (second) {
      hold(bounds.ofOne(second.gives), takenByLeg.get(second.leg) ?? ZERO, beforeFirst, 'sink')
      hold(bounds.ofAsset(second.gives), takenByAsset.get(second.gives) ?? ZERO, beforeFirst, 'hub')
    }
    const turns = second ? plus(ONE_TURN, firstYield) : ONE_TURN
    hold(bounds.ofAll, taken, (left) => divide(left, turns, 'down'), 'all')

    take(source, sink, path, room, firstYield, whole)
    return room.cut ? stop({ spent: room.spent, cut: room.cut }, source, sink) : room.spent
  }

  function take(
    source: End,
    sink: End,
    path: readonly Hop[],
    { value, spent, cut }: Room,
    firstYield: Decimal,
    whole: Decimal,
  ): void {
    if (value <= 0n) return
    const values = path.length === 1 ? [value] : [value, multiply(value, firstYield, 'down')]
    flows.push({ path, values })
    for (const [index, hop] of path.entries()) {
      const given = values[index] as Decimal
      add(takenByLeg, hop.leg, given)
      add(takenByAsset, hop.gives, given)
      taken = plus(taken, given)
    }
    source.rest = minus(source.rest, value)
    // The quotient was rounded up, so that a sink that is filled is not left with a speck.
    sink.rest = spent === 'sink' && !cut ? ZERO : greatest(ZERO, minus(sink.rest, multiply(value, whole, 'down')))
  }

  function findTooMany(first: Hop, second: Hop | undefined): { spent: Spent; cut: Cut } | undefined {
    const isNew = (hop: Hop) => !takenByLeg.has(hop.leg)
    const fresh = (isNew(first) ? 1 : 0) + (second && isNew(second) ? 1 : 0)
    if (takenByLeg.size + fresh <= bounds.mostLegs.count) return undefined
    return { spent: isNew(first) ? 'source' : 'sink', cut: bounds.mostLegs.cut }
  }

  function stop({ spent, cut }: { spent: Spent; cut: Cut }, source: End, sink: End): Spent {
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
        const rate = knownYield(hop)
        if (rate === undefined) continue
        const spent = connect(source, sink, [hop], [rate])
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
      .map((rank) => sinks[rank] as End)
  }

  /** Small change between two assets is better carried along through a hub. */
  function isWorthIts(hop: Hop, source: End, sink: End): boolean {
    if (hubSet.has(hop.gives) || hubSet.has(hop.brings)) return true
    return least(source.rest, sink.rest) >= terms.floorOf(hop)
  }

  function matchThrough(hub: string, sources: readonly End[], sinks: readonly End[]): void {
    const froms = sources.filter(({ asset, rest }) => rest > 0n && asset !== hub && canConvert(asset, hub))
    const tos = sinks.filter(({ asset, rest }) => rest > 0n && asset !== hub && canConvert(hub, asset))
    let from = 0
    let to = 0
    while (from < froms.length && to < tos.length) {
      const source = froms[from] as End
      const sink = tos[to] as End
      if (source.asset === sink.asset) {
        from += 1
        continue
      }
      const path = [terms.findHop(source.asset, hub), terms.findHop(hub, sink.asset)] as Hop[]
      const spent = connect(source, sink, path, path.map(terms.yieldOf) as Decimal[])
      if (spent === 'all' || spent === 'hub') return
      if (spent === 'source' || source.rest <= 0n) from += 1
      if (spent === 'sink' || sink.rest <= 0n) to += 1
    }
  }

  function canConvert(gives: string, brings: string): boolean {
    const hop = terms.findHop(gives, brings)
    return hop !== undefined && knownYield(hop) !== undefined
  }

  function knownYield(hop: Hop): Decimal | undefined {
    const known = terms.yieldOf(hop)
    if (known === undefined) isLackingPrices = true
    return known
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
      hubs.filter((hub) => (way === 'from' ? canConvert(asset, hub) : canConvert(hub, asset))).length
    return ends
      .map((end) => ({ end, ways: count(end) }))
      .sort((left, right) => left.ways - right.ways)
      .map(({ end }) => end)
  }
}

const ONE_TURN = 1_000_000_000_000_000_000n as Decimal

/** Value given up by leg. */
export function valuesByLeg(flows: readonly Flow[]): ReadonlyMap<Hop, Decimal> {
  const values = new Map<Hop, Decimal>()
  for (const flow of flows) {
    for (const [index, hop] of flow.path.entries()) {
      values.set(hop, plus(values.get(hop) ?? ZERO, flow.values[index] ?? ZERO))
    }
  }
  return values
}

function add(map: Map<string, Decimal>, key: string, value: Decimal): void {
  map.set(key, plus(map.get(key) ?? ZERO, value))
}

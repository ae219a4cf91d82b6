// How many units each conversion gives up: of a first phase, from what is there; of a second, from what the
// first brings into its hub, shared out. Never more than is there or will be, and cut to the asset's increment.
import { type Decimal, divide, greatest, least, minus, plus, quantiseDown, ZERO } from '../../money/decimal.ts'
import type { Bounds } from '../market/bounds.ts'
import type { Hop } from '../market/market-index.ts'
import { type ConversionTerms, priceConversion } from './conversion.ts'
import type { Flow } from './flows.ts'

/** What may be given up of an asset that is there already. */
export interface Supply {
  readonly units: Decimal
  /** Of all of `units`, rounded down. */
  readonly value: Decimal
}

export interface AmountTerms extends ConversionTerms {
  readonly bounds: Bounds
  supplyOf(asset: string): Supply
}

export interface HopAmount {
  readonly hop: Hop
  readonly phase: 1 | 2
  readonly gives: Decimal
}

/** Flows over one hop in one phase, in values. */
interface Group {
  readonly hop: Hop
  readonly phase: 1 | 2
  /** From what is there already. */
  own: Decimal
  /** From what a first phase brings. */
  passed: Decimal
  /** Of `own`, in a first phase: what goes on from its hub in the second. */
  onward: Decimal
}

/** In the order of phases, and within one of importance. */
export function amountsOf(flows: readonly Flow[], terms: AmountTerms): readonly HopAmount[] {
  const groups = groupFlows(flows)
  const draw = createDraws(terms)
  const room = createRoom(terms)
  const pools = createPools(groups)
  return groups.map((group) => {
    const { hop, phase } = group
    const units = least(plus(draw(hop.gives, group.own), pools.shareOf(group)), room.mostOf(hop.gives))
    const increment = terms.snapshot.assets.get(hop.gives)?.increment
    const gives = increment === undefined ? ZERO : quantiseDown(units, increment)
    room.take(hop.gives, gives)
    if (group.onward > 0n) pools.fill(group, priceConversion(hop, gives, terms)?.brings ?? ZERO)
    return { hop, phase, gives }
  })
}

function groupFlows(flows: readonly Flow[]): readonly Group[] {
  const seconds = new Set(flows.filter(({ path }) => path.length === 2).map(({ path }) => (path[1] as Hop).leg))
  const groups = new Map<string, Group>()
  const groupOf = (hop: Hop, phase: 1 | 2): Group => {
    const key = `${phase}${hop.leg}`
    let group = groups.get(key)
    if (group === undefined) {
      group = { hop, phase, own: ZERO, passed: ZERO, onward: ZERO }
      groups.set(key, group)
    }
    return group
  }
  for (const { path, values } of flows) {
    const [first, second] = path as [Hop, Hop?]
    const [given, passed] = values as [Decimal, Decimal]
    // What could go at once waits for what goes the same way later: one conversion instead of two.
    const group = groupOf(first, second === undefined && seconds.has(first.leg) ? 2 : 1)
    group.own = plus(group.own, given)
    if (second === undefined) continue
    group.onward = plus(group.onward, given)
    const onward = groupOf(second, 2)
    onward.passed = plus(onward.passed, passed)
  }
  return [...groups.values()].sort((left, right) => left.phase - right.phase)
}

/** Draws from what is there. Takes all of it where the values do, so that rounding leaves no speck. */
function createDraws({ supplyOf, valuation }: AmountTerms): (asset: string, value: Decimal) => Decimal {
  const drawn = new Map<string, Supply>()
  return (asset, value) => {
    if (value === 0n) return ZERO
    const before = drawn.get(asset) ?? { value: ZERO, units: ZERO }
    const supply = supplyOf(asset)
    const total = plus(before.value, value)
    const price = valuation.priceOf(asset) ?? ZERO
    const reach = total >= supply.value || price === 0n ? supply.units : divide(total, price, 'down')
    const units = greatest(ZERO, minus(least(reach, supply.units), before.units))
    drawn.set(asset, { value: total, units: plus(before.units, units) })
    return units
  }
}

/** What a hub is brought in the first phase and passes on in the second, in units. */
function createPools(groups: readonly Group[]) {
  const pools = new Map<string, Decimal>()
  const passed = new Map<string, Decimal>()
  for (const group of groups) add(passed, group.hop.gives, group.passed)
  return {
    fill({ hop, own, onward }: Group, brought: Decimal): void {
      add(pools, hop.brings, ((brought * onward) / own) as Decimal)
    },
    shareOf(group: Group): Decimal {
      const all = passed.get(group.hop.gives) ?? ZERO
      if (group.passed === 0n || all === 0n) return ZERO
      return (((pools.get(group.hop.gives) ?? ZERO) * group.passed) / all) as Decimal
    },
  }
}

/** Flows keep to the bounds, but a first phase may bring a little more than they reckoned with. */
function createRoom({ bounds, valuation }: AmountTerms) {
  const givenOf = new Map<string, Decimal>()
  let given = ZERO
  return {
    mostOf(asset: string): Decimal {
      const price = valuation.priceOf(asset) ?? ZERO
      if (price === 0n) return ZERO
      const left = [
        bounds.ofOne(asset)?.value,
        bounds.ofAsset(asset) && minus(bounds.ofAsset(asset)?.value ?? ZERO, givenOf.get(asset) ?? ZERO),
        bounds.ofAll && minus(bounds.ofAll.value, given),
      ]
      const values = left.filter((value) => value !== undefined)
      const value = values.reduce(least, BOUNDLESS)
      return divide(greatest(ZERO, value), price, 'down')
    },
    take(asset: string, units: Decimal): void {
      const value = valuation.valueUp(asset, units) ?? ZERO
      add(givenOf, asset, value)
      given = plus(given, value)
    },
  }
}

const BOUNDLESS = (10n ** 60n) as Decimal

function add(map: Map<string, Decimal>, key: string, value: Decimal): void {
  map.set(key, plus(map.get(key) ?? ZERO, value))
}

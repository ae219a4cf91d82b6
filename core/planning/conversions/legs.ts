// Turns flows of value into the legs of a plan: how many units each conversion spends. A first phase spends what the account
// holds. A second phase shares out what the first brought into its hub. No leg spends more than there is or will be, and each
// is cut to the asset's increment. A conversion that would be too small is dropped, together with the flows that depend on it.
import type { ConvertLeg } from '../../contract/plan.ts'
import {
  addTo,
  type Decimal,
  divide,
  greatest,
  least,
  minus,
  partOf,
  plus,
  quantiseDown,
  ZERO,
} from '../../money/decimal.ts'
import { type Bounds, type Cut, createRoom } from '../market/bounds.ts'
import type { Hop } from '../market/market-index.ts'
import { type Conversion, type ConversionTerms, makeConversion, priceConversion } from './conversion.ts'
import { type Flow, hopsOf } from './flows.ts'

/** The part of a present balance that may be spent. */
export interface Supply {
  readonly units: Decimal
  /** Value of all `units`, rounded down. */
  readonly value: Decimal
}

export interface LegTerms extends ConversionTerms {
  readonly bounds: Bounds
  supplyOf(asset: string): Supply
}

export interface Draft {
  /** By phase, then by importance. Their reasons are empty: the planner fills them in. */
  readonly legs: readonly ConvertLeg[]
  readonly dropped: readonly { readonly hop: Hop; readonly cut: Cut }[]
}

export function draftLegs(flows: readonly Flow[], terms: LegTerms): Draft {
  const dropped: { hop: Hop; cut: Cut }[] = []
  let remaining = flows
  // Each round drops at least one hop, so the loop ends.
  for (;;) {
    const legs: ConvertLeg[] = []
    const tooSmall = new Set<string>()
    for (const conversion of amountsOf(remaining, terms)) {
      const { hop } = conversion
      const leg = makeConversion(conversion, terms)
      if ('code' in leg) {
        dropped.push({ hop, cut: leg })
        tooSmall.add(hop.leg)
      } else legs.push(leg)
    }
    if (tooSmall.size === 0) return { legs: withUniqueKeys(legs), dropped }
    remaining = remaining.filter((flow) => !hopsOf(flow).some(({ hop }) => tooSmall.has(hop.leg)))
  }
}

/** Gives each leg its own key: a market may be used on one side in both phases. */
function withUniqueKeys(legs: readonly ConvertLeg[]): readonly ConvertLeg[] {
  const taken = new Set<string>()
  return legs.map((leg) => {
    const key = taken.has(leg.key) ? `${leg.key}-2` : leg.key
    taken.add(key)
    return { ...leg, key }
  })
}

/** Flows over one hop in one phase, in values. */
interface Group {
  readonly hop: Hop
  readonly phase: 1 | 2
  /** Value from the present balance. */
  own: Decimal
  /** Value from what a first phase brings. */
  passed: Decimal
  /** In a first phase: the part of `own` that the second phase passes on from the hub. */
  onward: Decimal
}

/** Sorted by phase, and within a phase by importance. */
function amountsOf(flows: readonly Flow[], terms: LegTerms): readonly Conversion[] {
  const groups = groupFlows(flows)
  const draw = createDraws(terms)
  // Flows keep to the bounds, but a first phase may bring slightly more than they assumed.
  const room = createRoom(terms.bounds, terms.valuation)
  const pools = createPools(groups)
  return groups.map((group) => {
    const { hop, phase } = group
    const { units } = room.fit(hop.gives, plus(draw(hop.gives, group.own), pools.shareOf(group)))
    const increment = terms.snapshot.assets.get(hop.gives)?.increment
    const gives = increment === undefined ? ZERO : quantiseDown(units, increment)
    room.take(hop.gives, gives)
    if (group.onward > 0n) pools.fill(group, priceConversion(hop, gives, terms)?.brings ?? ZERO)
    return { hop, phase, gives }
  })
}

function groupFlows(flows: readonly Flow[]): readonly Group[] {
  const seconds = new Set(flows.flatMap(({ second }) => (second ? [second.hop.leg] : [])))
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
  for (const { first, second } of flows) {
    // A flow that could go at once waits for the flows that use the same hop later: one conversion instead of two.
    const group = groupOf(first.hop, second === undefined && seconds.has(first.hop.leg) ? 2 : 1)
    group.own = plus(group.own, first.value)
    if (second === undefined) continue
    group.onward = plus(group.onward, first.value)
    const onward = groupOf(second.hop, 2)
    onward.passed = plus(onward.passed, second.value)
  }
  return [...groups.values()].sort((left, right) => left.phase - right.phase)
}

/**
 * Draws units from present balances. It takes the whole balance where the values do, so that rounding leaves nothing behind.
 */
function createDraws({ supplyOf, valuation }: LegTerms): (asset: string, value: Decimal) => Decimal {
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

/** Units that a hub receives in the first phase and passes on in the second. */
function createPools(groups: readonly Group[]) {
  const pools = new Map<string, Decimal>()
  const passed = new Map<string, Decimal>()
  for (const group of groups) addTo(passed, group.hop.gives, group.passed)
  return {
    fill({ hop, own, onward }: Group, brought: Decimal): void {
      addTo(pools, hop.brings, partOf(brought, onward, own, 'down'))
    },
    shareOf(group: Group): Decimal {
      const all = passed.get(group.hop.gives) ?? ZERO
      if (group.passed === 0n || all === 0n) return ZERO
      return partOf(pools.get(group.hop.gives) ?? ZERO, group.passed, all, 'down')
    },
  }
}

// What every planner of conversions works with: which markets may be used, through which hubs, at what rates and within
// which bounds. Each plan has one context, and the context decides nothing.
import { type Decimal, greatest, least, minus, ONE_UNIT, ZERO } from '../money/decimal.ts'
import { yieldAt } from './conversions/conversion.ts'
import { createFlows, type Flows } from './conversions/flows.ts'
import type { LegTerms, Supply } from './conversions/legs.ts'
import { createBounds, type OwnLimits } from './market/bounds.ts'
import { type Hop, indexMarkets } from './market/market-index.ts'
import type { Position, Snapshot } from './market/snapshot.ts'
import { createValuation } from './market/valuation.ts'

export interface PlanningContext extends LegTerms {
  /** Those that conversions may go through: known, priced, not in doubt, not left alone. Best first. */
  readonly hubs: readonly string[]
  readonly allHubs: readonly string[]
  /** Undefined where no market does, or none that the guards allow. The same object for the same two assets. */
  findHop(gives: string, brings: string): Hop | undefined
  /** Is there a market that the guards do not allow? */
  isForbidden(gives: string, brings: string): boolean
  partnersOf(asset: string): readonly string[]
  /** The first hub's market, else that of the first of `others`. */
  findWayOut(asset: string, others: (asset: string) => boolean): Hop | undefined
  findWayIn(asset: string, others: (asset: string) => boolean): Hop | undefined
  /** Value of the smallest conversion that is worth making and that the market takes. */
  floorOf(hop: Hop): Decimal
  /** `sizes`: units given up by leg, as far as known, at which rates are taken. `banned`: legs not to be made. */
  openFlows(sizes: ReadonlyMap<string, Decimal>, banned: ReadonlySet<string>): Flows
  /** As if what has no price cost nothing: to learn which prices are required, and at what sizes. */
  openScoutingFlows(sizes: ReadonlyMap<string, Decimal>, banned: ReadonlySet<string>): Flows
}

export interface PlanningTerms extends OwnLimits {
  readonly hubs: readonly string[] | undefined
  readonly leaveAlone?: ReadonlySet<string>
  readonly smallestTrade: Decimal
  /** Settled units that stay, by asset. */
  keepOf(asset: string): Decimal
  /** The same of all that there is, where `keepOf` is of a part; absent: the same. */
  staysOf?(asset: string): Decimal
}

export function openPlanningContext(snapshot: Snapshot, terms: PlanningTerms): PlanningContext {
  const allHubs = [...new Set(terms.hubs ?? [snapshot.valuationAsset])]
  const valuation = createValuation(snapshot, allHubs)
  const bounds = createBounds(snapshot, valuation, terms)
  const { allowedMarkets } = snapshot.limits
  const markets = allowedMarkets
    ? indexMarkets(snapshot.markets.filter(({ id }) => allowedMarkets.has(id)))
    : valuation.markets
  const isUsable = (hub: string) =>
    snapshot.assets.has(hub) &&
    valuation.priceOf(hub) !== null &&
    snapshot.positions.get(hub)?.inDoubt === undefined &&
    !terms.leaveAlone?.has(hub)
  const hubs = allHubs.filter(isUsable)

  const { findHop } = markets

  function findFirst(asset: string, others: (asset: string) => boolean, find: (other: string) => Hop | undefined) {
    for (const hub of hubs) {
      const hop = hub === asset ? undefined : find(hub)
      if (hop) return hop
    }
    const other = markets.partnersOf(asset).find((partner) => others(partner) && find(partner))
    return other === undefined ? undefined : find(other)
  }

  function floorOf({ market }: Hop): Decimal {
    const base = valuation.valueUp(market.baseAsset, market.minBaseAmount) ?? ZERO
    const quote = valuation.valueUp(market.quoteAsset, market.minQuoteAmount) ?? ZERO
    return greatest(smallestTrade, greatest(base, quote))
  }

  function openFlows(
    sizes: ReadonlyMap<string, Decimal>,
    banned: ReadonlySet<string>,
    assumed: Decimal | undefined,
  ): Flows {
    const yields = new Map<Hop, Decimal>()
    return createFlows({
      hubs,
      bounds,
      partnersOf: markets.partnersOf,
      findHop(gives, brings) {
        const hop = findHop(gives, brings)
        return hop && banned.size > 0 && banned.has(hop.leg) ? undefined : hop
      },
      yieldOf(hop) {
        let known = yields.get(hop)
        if (known === undefined) {
          known = yieldAt(hop, sizes.get(hop.leg) ?? ZERO, valuation) ?? assumed
          if (known !== undefined) yields.set(hop, known)
        }
        return known
      },
      floorOf,
    })
  }

  const supplies = new Map<string, Supply>()
  const { smallestTrade } = terms
  return {
    snapshot,
    valuation,
    bounds,
    smallestTrade,
    staysOf: (asset) => terms.staysOf?.(asset) ?? terms.keepOf(asset),
    hubs,
    allHubs,
    findHop,
    isForbidden: (gives, brings) =>
      allowedMarkets !== undefined && !findHop(gives, brings) && !!valuation.markets.findHop(gives, brings),
    partnersOf: markets.partnersOf,
    findWayOut: (asset, others) => findFirst(asset, others, (other) => findHop(asset, other)),
    findWayIn: (asset, others) => findFirst(asset, others, (other) => findHop(other, asset)),

    floorOf,
    supplyOf(asset) {
      let supply = supplies.get(asset)
      if (supply === undefined) {
        const units = spendableOf(snapshot.positions.get(asset), terms.keepOf(asset))
        supply = { units, value: valuation.valueDown(asset, units) ?? ZERO }
        supplies.set(asset, supply)
      }
      return supply
    },

    openFlows: (sizes, banned) => openFlows(sizes, banned, undefined),
    openScoutingFlows: (sizes, banned) => openFlows(sizes, banned, ONE_UNIT),
  }
}

/** What is there now and will still be there once all that is under way is done, less what is to stay. */
function spendableOf(position: Position | undefined, keep: Decimal): Decimal {
  if (!position || position.inDoubt !== undefined) return ZERO
  const there = least(position.spendable, position.holding)
  return greatest(ZERO, minus(there, keep))
}

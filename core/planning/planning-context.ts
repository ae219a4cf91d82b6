// Collects the terms that every planner of conversions works with: usable markets and hubs, ways between assets, rates, bounds and
// what may be spent. Each plan has one context, which decides nothing about what is traded.
import { NonLegCode } from '../contract/plan.ts'
import {
  type Decimal,
  divide,
  formatDecimal,
  greatest,
  least,
  minus,
  ONE_UNIT,
  partOf,
  ZERO,
} from '../money/decimal.ts'
import { yieldAt } from './conversions/conversion.ts'
import { type Choices, createFlows, type Flows, type FlowTerms, type RankedWay } from './conversions/flows.ts'
import type { LegTerms, Supply } from './conversions/legs.ts'
import { createWays, type Way } from './conversions/ways.ts'
import { type Bound, type Cut, createBounds, type OwnLimits } from './market/bounds.ts'
import { type Hop, indexMarkets } from './market/market-index.ts'
import type { Position, Snapshot } from './market/snapshot.ts'
import { createValuation } from './market/valuation.ts'

export interface PlanningContext extends LegTerms {
  /** Usable hubs, best first: known, priced, not in doubt, not left alone. */
  readonly hubs: readonly string[]
  readonly allHubs: readonly string[]
  /** One hop for each market that the guards allow. Always the same objects for the same two assets. */
  findHops(gives: string, brings: string): readonly Hop[]
  /** The direct ways and those through each hub. Always the same objects for the same two assets. */
  waysBetween(gives: string, brings: string): readonly Way[]
  /** The ways as `openFlows` compared them. Empty: no trade between the two assets was tried. */
  rankedWays(gives: string, brings: string): readonly RankedWay[]
  /** The ways that do not exist, with the reason: the direct way, and the way through each hub. */
  missingWays(gives: string, brings: string): readonly { readonly hub?: string; readonly cut: Cut }[]
  /** Whether a market exists that the guards do not allow. */
  isForbidden(gives: string, brings: string): boolean
  partnersOf(asset: string): readonly string[]
  /** Value of the smallest conversion that is worth making and that the market accepts. */
  floorOf(hop: Hop): Decimal
  /** Value received per value spent, at a size of `value` or as much of it as allowed. Undefined without a price. */
  yieldOf(hop: Hop, value: Decimal): Decimal | undefined
  /** The cut that says that less than the floor could be converted. */
  belowFloor(hop: Hop): Cut
  openFlows(round: FlowRound): Flows
  /** Treats hops without a price as free of cost, to find which prices are required, and at what sizes. */
  openScoutingFlows(round: FlowRound): Flows
}

export interface FlowRound extends Pick<FlowTerms, 'banned' | 'findObjection'> {
  /** By leg: units spent, as far as known. Rates are read at these sizes. */
  readonly sizes: ReadonlyMap<string, Decimal>
}

interface PlanningTerms extends OwnLimits {
  readonly hubs: readonly string[] | undefined
  readonly leaveAlone?: ReadonlySet<string>
  readonly smallestTrade: Decimal
  /** Settled units of the asset that stay. */
  keepOf(asset: string): Decimal
  /** Settled units that stay of the whole balance, where `keepOf` covers a part of it; absent: the same as `keepOf`. */
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

  const { findHops } = markets
  const waysBetween = createWays(markets, hubs)

  function isForbidden(gives: string, brings: string): boolean {
    return allowedMarkets !== undefined && !markets.findHop(gives, brings) && !!valuation.markets.findHop(gives, brings)
  }

  function missingWays(gives: string, brings: string) {
    const found = new Set(waysBetween(gives, brings).map(({ hub }) => hub))
    const others = [undefined, ...allHubs].filter((hub) => hub !== gives && hub !== brings && !found.has(hub))
    return others.map((hub) => ({ ...(hub !== undefined && { hub }), cut: whyMissing(gives, brings, hub) }))
  }

  function whyMissing(gives: string, brings: string, hub: string | undefined): Cut {
    const pairs =
      hub === undefined
        ? [[gives, brings] as const]
        : ([
            [gives, hub],
            [hub, brings],
          ] as const)
    const without = pairs.find(([from, to]) => !valuation.markets.findHop(from, to))
    if (without) return { code: NonLegCode.NoMarket, message: `no market of ${without.join(' and ')}` }
    const forbidden = pairs.find(([from, to]) => isForbidden(from, to))
    if (forbidden) {
      const message = `the guards do not allow the market of ${forbidden.join(' and ')}`
      return { code: NonLegCode.Guard, guard: 'allowedMarkets', message }
    }
    const doubt = snapshot.positions.get(hub ?? '')?.inDoubt
    if (doubt !== undefined) return { code: NonLegCode.InDoubt, message: `intent ${doubt} of ${hub} is in doubt` }
    if (terms.leaveAlone?.has(hub ?? ''))
      return { code: NonLegCode.LeftAlone, message: `the policy leaves ${hub} alone` }
    return { code: NonLegCode.NoPrice, message: `no market tells the price of ${hub} in ${snapshot.valuationAsset}` }
  }

  function floorOf({ market }: Hop): Decimal {
    const base = valuation.valueUp(market.baseAsset, market.minBaseAmount) ?? ZERO
    const quote = valuation.valueUp(market.quoteAsset, market.minQuoteAmount) ?? ZERO
    return greatest(smallestTrade, greatest(base, quote))
  }

  function belowFloor(hop: Hop): Cut {
    const floor = `${formatDecimal(floorOf(hop))} ${valuation.valuationAsset}`
    return {
      code: NonLegCode.BelowMinimum,
      message: `less could be traded than the ${floor} that ${hop.market.id} takes`,
    }
  }

  /** Half of the size without a price: the sizes with a price are smaller, and the next prices are read nearer to them. */
  function mostOf({ market, side, gives }: Hop): Bound | undefined {
    const refusedFrom = valuation.rates.leastRefused(market, side, gives)
    if (refusedFrom === undefined) return undefined
    const value = valuation.valueDown(gives, partOf(refusedFrom, 1n, 2n, 'down')) ?? ZERO
    const message = `${market.id} tells no price for ${formatDecimal(refusedFrom)} ${gives}: no more than half of it goes at once`
    return { value, cut: { code: NonLegCode.CutShort, message } }
  }

  function yieldOf(hop: Hop, value: Decimal, atLeast: Decimal = ZERO): Decimal | undefined {
    const price = valuation.priceOf(hop.gives)
    const most = mostOf(hop)?.value
    const capped = most === undefined ? value : least(value, most)
    const units = price === null || price === 0n ? ZERO : divide(capped, price, 'down')
    return yieldAt(hop, most === undefined ? greatest(units, atLeast) : units, valuation)
  }

  /** `assumed`: what one value brings where there is no price. */
  function openFlows({ sizes, ...round }: FlowRound, choices: Choices, assumed: Decimal | undefined): Flows {
    const yieldInRound = (hop: Hop, value: Decimal) => yieldOf(hop, value, sizes.get(hop.leg)) ?? assumed
    return createFlows({
      ...round,
      hubs,
      bounds,
      choices,
      waysBetween,
      partnersOf: markets.partnersOf,
      isPriced: (gives, brings) => findHops(gives, brings).some((hop) => yieldInRound(hop, ZERO) !== undefined),
      yieldOf: yieldInRound,
      mostOf,
      floorOf,
      belowFloor,
    })
  }

  const choices: Choices = new Map()
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
    findHops,
    waysBetween,
    rankedWays: (gives, brings) => choices.get(`${gives}>${brings}`) ?? [],
    missingWays,
    isForbidden,
    partnersOf: markets.partnersOf,

    yieldOf,
    floorOf,
    belowFloor,
    supplyOf(asset) {
      let supply = supplies.get(asset)
      if (supply === undefined) {
        const units = spendableOf(snapshot.positions.get(asset), terms.keepOf(asset))
        supply = { units, value: valuation.valueDown(asset, units) ?? ZERO }
        supplies.set(asset, supply)
      }
      return supply
    },

    openFlows: (round) => openFlows(round, choices, undefined),
    openScoutingFlows: (round) => openFlows(round, new Map(), ONE_UNIT),
  }
}

/** Units that are there now and remain once all movements under way are done, less the units to keep. */
function spendableOf(position: Position | undefined, keep: Decimal): Decimal {
  if (!position || position.inDoubt !== undefined) return ZERO
  const present = least(position.spendable, position.holding)
  return greatest(ZERO, minus(present, keep))
}

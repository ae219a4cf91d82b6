// Values assets in the valuation asset: by the middle of a market's two sides at its smallest sizes, direct or through one hub.
// It does not say what a conversion would bring: see rates.ts.
import {
  type Decimal,
  divide,
  multiply,
  ONE_UNIT,
  parseDecimal,
  partOf,
  plus,
  type Rounding,
} from '../../money/decimal.ts'
import { indexMarkets, type MarketIndex } from './market-index.ts'
import { createRates, type Rates } from './rates.ts'
import type { MarketFacts, RequiredPrice, Snapshot } from './snapshot.ts'

/** One plus half a percent: prices may move by so much from a plan to its sends. */
const AT_SEND = plus(ONE_UNIT, parseDecimal('0.005', 'the margin'))

export interface Valuation {
  readonly valuationAsset: string
  /** All markets, allowed or not: a price may be read in a market where trading is not allowed. */
  readonly markets: MarketIndex
  readonly rates: Rates
  /** Value of one settled unit; null without a price. */
  priceOf(asset: string): Decimal | null
  /**
   * Value of one settled unit by the dearer side of each market, rounded up, with a margin for the time until the sends. Guards
   * count at the later price of the opening, so without the margin they would refuse a leg that fills a bound to the last
   * digit. Null without a price.
   */
  dearPriceOf(asset: string): Decimal | null
  /** Value rounded down; null without a price. */
  valueDown(asset: string, amount: Decimal): Decimal | null
  valueUp(asset: string, amount: Decimal): Decimal | null
  /** Both sides, at the minimum, of the markets that could price an asset. Empty where it has a price, or no market could. */
  requiredFor(asset: string): readonly RequiredPrice[]
}

/**
 * `hubs`: assets through which a price may be found where no market is direct, best first; absent: no hub. A hub is also used
 * where a direct market has no price yet.
 */
export function createValuation(
  snapshot: Pick<Snapshot, 'valuationAsset' | 'markets' | 'prices' | 'missingPrices'>,
  hubs: readonly string[] = [],
): Valuation {
  const { valuationAsset } = snapshot
  const markets = indexMarkets(snapshot.markets)
  const rates = createRates(snapshot.prices, snapshot.missingPrices)

  /** Markets without a price of their smallest size. */
  const silent = new Set(
    (snapshot.missingPrices ?? []).flatMap(({ marketId, amount }) => (amount === undefined ? [marketId] : [])),
  )

  /** Units of `quote` for one unit of `asset`, by their own market. */
  function directPrice(asset: string, quote: string, by: PriceBy): Decimal | null {
    if (asset === quote) return ONE_UNIT
    return by(markets.findMarket(asset, quote), asset) ?? by(markets.findMarket(quote, asset), asset)
  }

  const byMiddle: PriceBy = (market, asset) => {
    const middle = market && rates.middleOf(market)
    if (middle === undefined || middle === 0n) return null
    return market?.baseAsset === asset ? middle : divide(ONE_UNIT, middle, 'down')
  }

  const byDearerSide: PriceBy = (market, asset) => {
    if (market === undefined) return null
    const isBase = market.baseAsset === asset
    const rate = rates.sideOf(market, isBase ? 'BUY' : 'SELL')
    if (rate === undefined || rate === 0n) return null
    return isBase ? rate : divide(ONE_UNIT, rate, 'up')
  }

  function marketBetween(asset: string, quote: string): MarketFacts | undefined {
    return [markets.findMarket(asset, quote), markets.findMarket(quote, asset)].find(
      (market) => market !== undefined && !silent.has(market.id),
    )
  }

  function findPrice(asset: string, by: PriceBy, rounding: Rounding): Decimal | null {
    const direct = directPrice(asset, valuationAsset, by)
    if (direct !== null) return direct
    for (const hub of hubs) {
      const inHub = directPrice(asset, hub, by)
      const hubPrice = inHub === null ? null : directPrice(hub, valuationAsset, by)
      if (inHub !== null && hubPrice !== null) return multiply(inHub, hubPrice, rounding)
    }
    return null
  }

  const priceOf = remembered((asset) => findPrice(asset, byMiddle, 'down'))
  const dearPriceOf = remembered((asset) => {
    const price = findPrice(asset, byDearerSide, 'up')
    return price === null || asset === valuationAsset ? price : partOf(price, AT_SEND, ONE_UNIT, 'up')
  })

  /** The markets of the shortest way to a price: direct, or through the first possible hub. Silent markets are left out. */
  function findWay(asset: string): readonly MarketFacts[] {
    const direct = marketBetween(asset, valuationAsset)
    if (direct) return [direct]
    for (const hub of hubs) {
      const toHub = marketBetween(asset, hub)
      const fromHub = marketBetween(hub, valuationAsset)
      if (toHub && fromHub) return [toHub, fromHub]
    }
    return []
  }

  return {
    valuationAsset,
    markets,
    rates,
    priceOf,
    dearPriceOf,
    valueDown: (asset, amount) => valueBy(priceOf(asset), amount, 'down'),
    valueUp: (asset, amount) => valueBy(priceOf(asset), amount, 'up'),
    requiredFor: (asset) =>
      priceOf(asset) === null
        ? findWay(asset)
            .filter((market) => rates.middleOf(market) === undefined)
            .flatMap(({ id }) => [
              { marketId: id, side: 'BUY' },
              { marketId: id, side: 'SELL' },
            ])
        : [],
  }
}

/** The price of an asset in one market; null where the market has no price. */
type PriceBy = (market: MarketFacts | undefined, asset: string) => Decimal | null

function remembered(find: (asset: string) => Decimal | null): (asset: string) => Decimal | null {
  const known = new Map<string, Decimal | null>()
  return (asset) => {
    let price = known.get(asset)
    if (price === undefined) {
      price = find(asset)
      known.set(asset, price)
    }
    return price
  }
}

function valueBy(price: Decimal | null, amount: Decimal, rounding: Rounding): Decimal | null {
  return price === null ? null : multiply(amount, price, rounding)
}

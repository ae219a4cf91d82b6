// Collects the indicative prices that a plan requires: missing prices, and prices at a missing size. Each side of a market is
// required once, at its largest size. A price that the service does not have is not required. Reads nothing itself.
import type { ConvertLeg } from '../../contract/plan.ts'
import { type Decimal, divide, formatDecimal, least, parseDecimal, quantiseDown, ZERO } from '../../money/decimal.ts'
import type { Hop } from '../market/market-index.ts'
import type { Side } from '../market/rates.ts'
import type { MarketFacts, RequiredPrice, Snapshot } from '../market/snapshot.ts'
import type { Valuation } from '../market/valuation.ts'

export interface RequiredPrices {
  /** Requires both sides at the market's minimum, where the asset has no price. */
  requirePriceOf(asset: string): void
  /** Requires both sides at the sizes of legs, and the used side of each hop at its value. */
  requireSizesOf(legs: readonly ConvertLeg[], values: ReadonlyMap<Hop, Decimal>): void
  list(): readonly RequiredPrice[]
}

const BOTH_SIDES = ['BUY', 'SELL'] as const satisfies readonly Side[]

export function createRequiredPrices(snapshot: Snapshot, valuation: Valuation): RequiredPrices {
  const required = new Map<string, { readonly price: RequiredPrice; readonly amount: Decimal }>()

  function put(price: RequiredPrice, amount: Decimal): void {
    const key = `${price.marketId} ${price.side}`
    const known = required.get(key)
    if (!known || known.amount < amount) required.set(key, { price, amount })
  }

  const prices: RequiredPrices = {
    requirePriceOf(asset) {
      for (const price of valuation.requiredFor(asset)) put(price, ZERO)
    },

    requireSizesOf(legs, values) {
      const markets = new Map(snapshot.markets.map((market) => [market.id, market]))
      for (const { market: id, gives } of legs) {
        const market = markets.get(id)
        if (market) requireAround(market, gives.asset, parseDecimal(gives.amount, 'gives.amount'), BOTH_SIDES)
      }
      for (const [{ market, gives, side }, value] of values) {
        const price = valuation.priceOf(gives)
        if (price) requireAround(market, gives, divide(value, price, 'down'), [side])
      }
    },

    list: () =>
      [...required.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, { price }]) => price),
  }

  /** Requires prices at the size of spending `amount` of `gives`, where no price of about that size is known. */
  function requireAround(market: MarketFacts, gives: string, amount: Decimal, sides: readonly Side[]): void {
    const asset = snapshot.assets.get(gives)
    if (!asset) return
    const most = asset.maxIndicativeAmount === 0n ? amount : least(amount, asset.maxIndicativeAmount)
    const size = quantiseDown(most, asset.increment)
    const smallest = gives === market.baseAsset ? market.minBaseAmount : market.minQuoteAmount
    for (const side of sides) {
      const { rates } = valuation
      if (rates.isCovered(market, side, gives, size)) continue
      const refusedFrom = rates.leastRefused(market, side, gives)
      const isTold = rates.sideOf(market, side) !== undefined
      if (refusedFrom !== undefined && (refusedFrom <= smallest || (isTold && size >= refusedFrom))) continue
      const isSmall = size === 0n || size < smallest || (refusedFrom !== undefined && !isTold)
      const about = isSmall ? {} : { amount: formatDecimal(size), amountAsset: gives }
      put({ marketId: market.id, side, ...about }, size)
    }
  }

  return prices
}

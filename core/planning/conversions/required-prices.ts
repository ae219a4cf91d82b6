// Which indicative prices a plan requires: those that it lacks, and those of a size that it has none of. Each side of a
// market is asked for once, at its largest size. Nothing is asked that the service would not tell.
import type { ConvertLeg } from '../../contract/plan.ts'
import { type Decimal, divide, formatDecimal, least, parseDecimal, quantiseDown, ZERO } from '../../money/decimal.ts'
import type { Hop } from '../market/market-index.ts'
import type { Side } from '../market/rates.ts'
import type { MarketFacts, RequiredPrice, Snapshot } from '../market/snapshot.ts'
import type { Valuation } from '../market/valuation.ts'

export interface RequiredPrices {
  /** Both sides at the market's minimum, where an asset's price is not known. */
  requirePriceOf(asset: string): void
  /** At the sizes of legs, both sides; and at the sizes of hops that were considered, by value, the side that they take. */
  requireSizesOf(legs: readonly ConvertLeg[], considered: ReadonlyMap<Hop, Decimal>): void
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

    requireSizesOf(legs, considered) {
      const markets = new Map(snapshot.markets.map((market) => [market.id, market]))
      for (const { market: id, gives } of legs) {
        const market = markets.get(id)
        if (market) requireAround(market, gives.asset, parseDecimal(gives.amount, 'gives.amount'), BOTH_SIDES)
      }
      for (const [{ market, gives, side }, value] of considered) {
        const price = valuation.priceOf(gives)
        if (price) requireAround(market, gives, divide(value, price, 'down'), [side])
      }
    },

    list: () =>
      [...required.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, { price }]) => price),
  }

  /** At about the size of giving up `amount` of `gives`, where not known. */
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

// Which indicative prices a plan requires: those that it lacks, and those of a size that it has none of. Each side of a
// market is asked for once, at its largest size. Nothing is asked that the service would not tell.
import type { ConvertLeg } from '../../contract/plan.ts'
import { type Decimal, divide, formatDecimal, least, parseDecimal, quantiseDown, ZERO } from '../../money/decimal.ts'
import type { Hop, MarketIndex } from '../market/market-index.ts'
import type { Side } from '../market/rates.ts'
import type { RequiredPrice, Snapshot } from '../market/snapshot.ts'
import type { Valuation } from '../market/valuation.ts'
import { type Flow, valuesByHop } from './flows.ts'

export interface RequiredPrices {
  /** Both sides at the market's minimum, where an asset's price is not known. */
  requirePriceOf(asset: string): void
  /** Both sides at about the size of giving up `amount`, where not known. */
  requireAround(hop: Hop, amount: Decimal): void
  /** Around the sizes of legs, and of flows that were scouted. */
  requireSizesOf(legs: readonly ConvertLeg[], scouted: readonly Flow[], findHop: MarketIndex['findHop']): void
  list(): readonly RequiredPrice[]
}

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

    requireAround({ market, gives }, amount) {
      const asset = snapshot.assets.get(gives)
      if (!asset) return
      const most = asset.maxIndicativeAmount === 0n ? amount : least(amount, asset.maxIndicativeAmount)
      const size = quantiseDown(most, asset.increment)
      const smallest = gives === market.baseAsset ? market.minBaseAmount : market.minQuoteAmount
      for (const side of ['BUY', 'SELL'] as const satisfies readonly Side[]) {
        if (valuation.rates.isCovered(market, side, gives, size)) continue
        const isSmall = size === 0n || size < smallest
        const about = isSmall ? {} : { amount: formatDecimal(size), amountAsset: gives }
        put({ marketId: market.id, side, ...about }, size)
      }
    },

    requireSizesOf(legs, scouted, findHop) {
      for (const { gives, brings } of legs) {
        const hop = findHop(gives.asset, brings.asset)
        if (hop) prices.requireAround(hop, parseDecimal(gives.amount, 'gives.amount'))
      }
      for (const [hop, value] of valuesByHop(scouted)) {
        const price = valuation.priceOf(hop.gives)
        if (price) prices.requireAround(hop, divide(value, price, 'down'))
      }
    },

    list: () =>
      [...required.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, { price }]) => price),
  }
  return prices
}

// Which indicative prices a plan would be better with. Each market's side is asked for once, at its largest
// size; nothing is asked that the service would not tell.
import type { ConvertLeg } from '../../contract/plan.ts'
import { type Decimal, divide, formatDecimal, least, parseDecimal, quantiseDown } from '../../money/decimal.ts'
import { type Flow, valuesByLeg } from '../conversions/flows.ts'
import type { Hop, MarketIndex } from './market-index.ts'
import type { Side } from './rates.ts'
import type { RequiredPrice, Snapshot } from './snapshot.ts'
import type { Valuation } from './valuation.ts'

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
  const required = new Map<string, { readonly want: RequiredPrice; readonly amount: Decimal }>()

  function put(want: RequiredPrice, amount: Decimal): void {
    const key = `${want.marketId} ${want.side}`
    const known = required.get(key)
    if (!known || known.amount < amount) required.set(key, { want, amount })
  }

  const prices: RequiredPrices = {
    requirePriceOf(asset) {
      for (const want of valuation.requiredFor(asset)) put(want, 0n as Decimal)
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
      for (const [hop, value] of valuesByLeg(scouted)) {
        const price = valuation.priceOf(hop.gives)
        if (price) prices.requireAround(hop, divide(value, price, 'down'))
      }
    },

    list: () => [...required.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, { want }]) => want),
  }
  return prices
}

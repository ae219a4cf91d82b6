// Which indicative prices a plan would be better with. Each market's side is asked for once, at its largest
// size; nothing is asked that the service would not tell.
import type { ConvertLeg } from '../../contract/plan.ts'
import { type Decimal, divide, formatDecimal, least, parseDecimal, quantiseDown } from '../../money/decimal.ts'
import { type Flow, valuesByLeg } from '../conversions/flows.ts'
import type { Crossing, MarketIndex } from './market-index.ts'
import type { Side } from './rates.ts'
import type { PriceWanted, Snapshot } from './snapshot.ts'
import type { Valuation } from './valuation.ts'

export interface WantedPrices {
  /** Both sides at the market's minimum, where an asset's price is not known. */
  wantPriceOf(asset: string): void
  /** Both sides at about the size of giving up `amount`, where not known. */
  wantAround(crossing: Crossing, amount: Decimal): void
  /** Around the sizes of legs, and of flows that were scouted. */
  wantSizesOf(legs: readonly ConvertLeg[], scouted: readonly Flow[], findCrossing: MarketIndex['findCrossing']): void
  list(): readonly PriceWanted[]
}

export function createWantedPrices(snapshot: Snapshot, valuation: Valuation): WantedPrices {
  const wanted = new Map<string, { readonly want: PriceWanted; readonly amount: Decimal }>()

  function put(want: PriceWanted, amount: Decimal): void {
    const key = `${want.marketId} ${want.side}`
    const known = wanted.get(key)
    if (!known || known.amount < amount) wanted.set(key, { want, amount })
  }

  const prices: WantedPrices = {
    wantPriceOf(asset) {
      for (const want of valuation.wantedFor(asset)) put(want, 0n as Decimal)
    },

    wantAround({ market, gives }, amount) {
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

    wantSizesOf(legs, scouted, findCrossing) {
      for (const { gives, brings } of legs) {
        const crossing = findCrossing(gives.asset, brings.asset)
        if (crossing) prices.wantAround(crossing, parseDecimal(gives.amount, 'gives.amount'))
      }
      for (const [crossing, value] of valuesByLeg(scouted)) {
        const price = valuation.priceOf(crossing.gives)
        if (price) prices.wantAround(crossing, divide(value, price, 'down'))
      }
    },

    list: () => [...wanted.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, { want }]) => want),
  }
  return prices
}

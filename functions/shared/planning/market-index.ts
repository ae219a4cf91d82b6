// Which market turns one asset into another. A market is directional in name only: its base is sold for
// the quote, or bought with it. Knows no prices.
import type { MarketFacts } from './snapshot.ts'

/** One asset given up for another, by the market that does it. */
export interface Crossing {
  readonly market: MarketFacts
  /** Of the market's base asset. */
  readonly side: 'BUY' | 'SELL'
  readonly gives: string
  readonly brings: string
  /** `gives>brings`: conversions from one asset to another are one leg, whatever they carry. */
  readonly leg: string
}

export function legOf(gives: string, brings: string): string {
  return `${gives}>${brings}`
}

export interface MarketIndex {
  findMarket(base: string, quote: string): MarketFacts | undefined
  /** By the market whose base is given up, else the one whose base is bought. The same object each time. */
  findCrossing(gives: string, brings: string): Crossing | undefined
  /** Assets that an asset has a market with, each once, in the order of their codes. */
  partnersOf(asset: string): readonly string[]
}

const NONE: readonly string[] = []

export function indexMarkets(markets: readonly MarketFacts[]): MarketIndex {
  const byLegs = new Map<string, MarketFacts>()
  const partners = new Map<string, string[]>()
  for (const market of markets) {
    const { baseAsset, quoteAsset } = market
    byLegs.set(legOf(baseAsset, quoteAsset), market)
    entryOf(partners, baseAsset).push(quoteAsset)
    entryOf(partners, quoteAsset).push(baseAsset)
  }
  const sorted = new Map<string, readonly string[]>()
  const crossings = new Map<string, Crossing | null>()

  function makeCrossing(gives: string, brings: string, leg: string): Crossing | null {
    const sells = byLegs.get(leg)
    if (sells) return { market: sells, side: 'SELL', gives, brings, leg }
    const buys = byLegs.get(legOf(brings, gives))
    return buys ? { market: buys, side: 'BUY', gives, brings, leg } : null
  }

  return {
    findMarket: (base, quote) => byLegs.get(legOf(base, quote)),

    findCrossing(gives, brings) {
      const leg = legOf(gives, brings)
      let crossing = crossings.get(leg)
      if (crossing === undefined) {
        crossing = makeCrossing(gives, brings, leg)
        crossings.set(leg, crossing)
      }
      return crossing ?? undefined
    },

    partnersOf(asset) {
      const known = sorted.get(asset)
      if (known) return known
      const found = partners.get(asset) ?? NONE
      const list = found.length < 2 ? found : [...new Set(found)].sort()
      sorted.set(asset, list)
      return list
    },
  }
}

function entryOf(map: Map<string, string[]>, key: string): string[] {
  const known = map.get(key)
  if (known !== undefined) return known
  const fresh: string[] = []
  map.set(key, fresh)
  return fresh
}

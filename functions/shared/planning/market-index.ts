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
  /** By the market whose base is given up, else the one whose base is bought. The same object each time. */
  findCrossing(gives: string, brings: string): Crossing | undefined
  /** Assets that an asset has a market with, each once, in the order of their codes. */
  partnersOf(asset: string): readonly string[]
}

const NONE: readonly string[] = []

export function indexMarkets(markets: readonly MarketFacts[]): MarketIndex {
  const byBase = new Map<string, Map<string, MarketFacts>>()
  const partners = new Map<string, string[]>()
  for (const market of markets) {
    const { baseAsset, quoteAsset } = market
    entryOf(byBase, baseAsset, () => new Map<string, MarketFacts>()).set(quoteAsset, market)
    entryOf(partners, baseAsset, () => []).push(quoteAsset)
    entryOf(partners, quoteAsset, () => []).push(baseAsset)
  }
  const sorted = new Map<string, readonly string[]>()
  const crossings = new Map<string, Map<string, Crossing | null>>()

  function makeCrossing(gives: string, brings: string): Crossing | null {
    const leg = legOf(gives, brings)
    const sells = byBase.get(gives)?.get(brings)
    if (sells) return { market: sells, side: 'SELL', gives, brings, leg }
    const buys = byBase.get(brings)?.get(gives)
    return buys ? { market: buys, side: 'BUY', gives, brings, leg } : null
  }

  return {
    findCrossing(gives, brings) {
      const known = entryOf(crossings, gives, () => new Map<string, Crossing | null>())
      let crossing = known.get(brings)
      if (crossing === undefined) {
        crossing = makeCrossing(gives, brings)
        known.set(brings, crossing)
      }
      return crossing ?? undefined
    },

    partnersOf(asset) {
      const known = sorted.get(asset)
      if (known) return known
      const list = [...new Set(partners.get(asset) ?? NONE)].sort()
      sorted.set(asset, list)
      return list
    },
  }
}

function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const fresh = make()
  map.set(key, fresh)
  return fresh
}

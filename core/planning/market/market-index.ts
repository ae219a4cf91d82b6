// Which market turns one asset into another: a hop. A market is directional in name only, as its base is sold for the
// quote or bought with it. The index knows no prices.
import type { MarketFacts } from './snapshot.ts'

/** One asset given up for another, by the market that does it. */
export interface Hop {
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
  findHop(gives: string, brings: string): Hop | undefined
  /** Assets that an asset has a market with, each once, in the order of their codes. */
  partnersOf(asset: string): readonly string[]
}

const NONE: readonly MarketFacts[] = []

export function indexMarkets(markets: readonly MarketFacts[]): MarketIndex {
  const byAsset = new Map<string, MarketFacts[]>()
  for (const market of markets) {
    put(byAsset, market.baseAsset, market)
    put(byAsset, market.quoteAsset, market)
  }
  const sorted = new Map<string, readonly string[]>()
  const hops = new Map<string, Hop | null>()

  function findMarket(base: string, quote: string): MarketFacts | undefined {
    const ofBase = byAsset.get(base) ?? NONE
    const ofQuote = byAsset.get(quote) ?? NONE
    // A hub may have thousands of markets; what is traded by way of it has few.
    const fewer = ofBase.length < ofQuote.length ? ofBase : ofQuote
    return fewer.findLast(({ baseAsset, quoteAsset }) => baseAsset === base && quoteAsset === quote)
  }

  function makeHop(gives: string, brings: string, leg: string): Hop | null {
    const sells = findMarket(gives, brings)
    if (sells) return { market: sells, side: 'SELL', gives, brings, leg }
    const buys = findMarket(brings, gives)
    return buys ? { market: buys, side: 'BUY', gives, brings, leg } : null
  }

  return {
    findMarket,

    findHop(gives, brings) {
      const leg = legOf(gives, brings)
      let hop = hops.get(leg)
      if (hop === undefined) {
        hop = makeHop(gives, brings, leg)
        hops.set(leg, hop)
      }
      return hop ?? undefined
    },

    partnersOf(asset) {
      const known = sorted.get(asset)
      if (known) return known
      const found = (byAsset.get(asset) ?? NONE).map(({ baseAsset, quoteAsset }) =>
        baseAsset === asset ? quoteAsset : baseAsset,
      )
      const list = found.length < 2 ? found : [...new Set(found)].sort()
      sorted.set(asset, list)
      return list
    },
  }
}

function put(map: Map<string, MarketFacts[]>, key: string, market: MarketFacts): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [market])
  else known.push(market)
}

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
  /** `SELL BTC-USD`: conversions on one side of a market are one leg, whatever they carry. */
  readonly leg: string
}

export function legOf(side: Hop['side'], marketId: string): string {
  return `${side} ${marketId}`
}

export interface MarketIndex {
  findMarket(base: string, quote: string): MarketFacts | undefined
  /** By the market whose base is given up, then by the one whose base is bought. The same objects each time. */
  findHops(gives: string, brings: string): readonly Hop[]
  /** The first of them. */
  findHop(gives: string, brings: string): Hop | undefined
  /** Assets that an asset has a market with, each once, in the order of their codes. */
  partnersOf(asset: string): readonly string[]
}

const NONE: readonly MarketFacts[] = []
const NO_HOPS: readonly Hop[] = []

export function indexMarkets(markets: readonly MarketFacts[]): MarketIndex {
  const byAsset = new Map<string, MarketFacts[]>()
  for (const market of markets) {
    put(byAsset, market.baseAsset, market)
    put(byAsset, market.quoteAsset, market)
  }
  const sorted = new Map<string, readonly string[]>()
  const hops = new Map<string, readonly Hop[]>()

  function findMarket(base: string, quote: string): MarketFacts | undefined {
    const ofBase = byAsset.get(base) ?? NONE
    const ofQuote = byAsset.get(quote) ?? NONE
    // A hub may have thousands of markets; what is traded by way of it has few.
    const fewer = ofBase.length < ofQuote.length ? ofBase : ofQuote
    return fewer.findLast(({ baseAsset, quoteAsset }) => baseAsset === base && quoteAsset === quote)
  }

  function makeHops(gives: string, brings: string): readonly Hop[] {
    const hop = (market: MarketFacts, side: Hop['side']): Hop => {
      return { market, side, gives, brings, leg: legOf(side, market.id) }
    }
    const sells = findMarket(gives, brings)
    const buys = findMarket(brings, gives)
    if (sells && buys) return [hop(sells, 'SELL'), hop(buys, 'BUY')]
    return sells ? [hop(sells, 'SELL')] : buys ? [hop(buys, 'BUY')] : NO_HOPS
  }

  function findHops(gives: string, brings: string): readonly Hop[] {
    const pair = `${gives}>${brings}`
    let found = hops.get(pair)
    if (found === undefined) {
      found = makeHops(gives, brings)
      hops.set(pair, found)
    }
    return found
  }

  return {
    findMarket,

    findHops,
    findHop: (gives, brings) => findHops(gives, brings)[0],

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

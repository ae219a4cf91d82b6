// Finds the market that turns one asset into another: a hop. Only the name of a market has a direction, because its base can
// be sold for the quote or bought with it. The index knows no prices.
import type { MarketFacts } from './snapshot.ts'

/** One asset converted into another, with the market for it. */
export interface Hop {
  readonly market: MarketFacts
  /** Side of the market's base asset. */
  readonly side: 'BUY' | 'SELL'
  readonly gives: string
  readonly brings: string
  /** `SELL BTC-USD`: all conversions on one side of a market form one leg, whatever they carry. */
  readonly leg: string
}

export function legOf(side: Hop['side'], marketId: string): string {
  return `${side} ${marketId}`
}

export interface MarketIndex {
  findMarket(base: string, quote: string): MarketFacts | undefined
  /** The market whose base is sold comes first, then the market whose base is bought. Always the same objects. */
  findHops(gives: string, brings: string): readonly Hop[]
  findHop(gives: string, brings: string): Hop | undefined
  /** Assets that have a market with this asset, each once, sorted by code. */
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
    const withBase = byAsset.get(base) ?? NONE
    const withQuote = byAsset.get(quote) ?? NONE
    // A hub may have thousands of markets; the other asset has few.
    const fewer = withBase.length < withQuote.length ? withBase : withQuote
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

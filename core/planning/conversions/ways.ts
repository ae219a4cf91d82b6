// Lists the ways from one asset to another: by their own market, in either direction, and through each hub. It knows no prices
// and no bounds.
import type { Hop, MarketIndex } from '../market/market-index.ts'

export interface Way {
  /** Absent: the way uses the two assets' own market. */
  readonly hub?: string
  readonly first: Hop
  readonly second?: Hop
}

export function hopsOfWay({ first, second }: Way): readonly Hop[] {
  return second === undefined ? [first] : [first, second]
}

/** `hubs`: best first; among ways of equal cost the first wins. @returns the same list for the same two assets */
export function createWays({ findHops }: MarketIndex, hubs: readonly string[]) {
  const known = new Map<string, readonly Way[]>()

  function findWays(gives: string, brings: string): readonly Way[] {
    const ways: Way[] = findHops(gives, brings).map((first) => ({ first }))
    for (const hub of hubs) {
      if (hub === gives || hub === brings) continue
      for (const first of findHops(gives, hub)) {
        for (const second of findHops(hub, brings)) ways.push({ hub, first, second })
      }
    }
    return ways.length === 0 ? NONE : ways
  }

  return (gives: string, brings: string): readonly Way[] => {
    const pair = `${gives}>${brings}`
    let ways = known.get(pair)
    if (ways === undefined) {
      ways = findWays(gives, brings)
      known.set(pair, ways)
    }
    return ways
  }
}

const NONE: readonly Way[] = []

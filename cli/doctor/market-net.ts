// Which hubs a policy needs so that its assets can be valued and converted by the markets that there are. Pure.
import type { Market } from '../../core/service/markets.ts'

/** An asset that must have a market with one of `to`, or with a hub that has one. */
export interface Need {
  readonly from: string
  readonly to: readonly string[]
}

export interface MarketNet {
  isTraded(one: string, other: string): boolean
  /** Directly, or through one of the hubs. */
  isMet(need: Need, hubs: readonly string[]): boolean
  /**
   * Hubs to add to `hubs`: as few as meet most, at each step the one that meets most of what is left, then the one
   * with the most markets, then by code. Empty where none would help.
   */
  suggestHubs(needs: readonly Need[], hubs: readonly string[]): readonly string[]
}

export function createMarketNet(markets: readonly Pick<Market, 'baseAsset' | 'quoteAsset'>[]): MarketNet {
  const partners = new Map<string, Set<string>>()
  const partnersOf = (asset: string) => partners.get(asset) ?? new Set<string>()
  for (const { baseAsset, quoteAsset } of markets) {
    partners.set(baseAsset, partnersOf(baseAsset).add(quoteAsset))
    partners.set(quoteAsset, partnersOf(quoteAsset).add(baseAsset))
  }
  const isTraded = (one: string, other: string) => partnersOf(one).has(other)
  const isMetThrough = ({ from, to }: Need, hub: string) =>
    isTraded(from, hub) && to.some((other) => other !== hub && isTraded(hub, other))
  const isMet = (need: Need, hubs: readonly string[]) =>
    need.to.some((other) => isTraded(need.from, other)) || hubs.some((hub) => isMetThrough(need, hub))

  return {
    isTraded,
    isMet,
    suggestHubs(needs, hubs) {
      const suggested: string[] = []
      let unmet = needs.filter((need) => !isMet(need, hubs))
      while (unmet.length > 0) {
        const candidates = new Set(unmet.flatMap(({ from }) => [...partnersOf(from)]))
        const [best] = [...candidates]
          .map((hub) => ({ hub, meets: unmet.filter((need) => isMetThrough(need, hub)).length }))
          .filter(({ meets }) => meets > 0)
          .sort(
            (one, other) =>
              other.meets - one.meets ||
              partnersOf(other.hub).size - partnersOf(one.hub).size ||
              (one.hub < other.hub ? -1 : 1),
          )
        if (best === undefined) break
        suggested.push(best.hub)
        unmet = unmet.filter((need) => !isMetThrough(need, best.hub))
      }
      return suggested
    },
  }
}

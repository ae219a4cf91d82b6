// Builds the net of markets between assets. It says which conversions and prices of a policy have no market, and which
// hubs would help. Pure.
import { MOST_HUBS } from '../../core/contract/policies.ts'
import type { NamedConversion } from '../../core/policies/references.ts'
import type { Market } from '../../core/service/markets.ts'
import type { PolicyReferences } from '../../core/treasury/policy-references.ts'

/** A required market: of the asset `from` with one of `to`, or with a hub that has one. */
interface Need {
  readonly from: string
  readonly to: readonly string[]
}

export interface MarketNet {
  isTraded(one: string, other: string): boolean
  /** Directly, or through one of the hubs. */
  isMet(need: Need, hubs: readonly string[]): boolean
  /**
   * A few hubs to add to `hubs` that meet most needs. Each step takes the hub that meets most of the remaining
   * needs, then the one with the most markets, then the first by code. Empty where no hub would help.
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

interface Unmet {
  readonly need: Need
  /** The path within the policy, as treasury.json spells it. */
  readonly at: string
  readonly says: string
  /** True where the advised hubs would meet the need. */
  readonly isHelped: boolean
}

export interface Needs {
  readonly unmet: readonly Unmet[]
  /** The policy's own hubs, and others that would help. */
  readonly advised: readonly string[]
}

interface Requirement extends Omit<Unmet, 'isHelped'> {
  /** False for sweeps and payments, which convert by one market. */
  readonly takesHubs: boolean
}

/** `codes`: the assets that exist. An asset that does not exist is reported where it is named. */
export function findUnmet(references: PolicyReferences, codes: ReadonlySet<string>, net: MarketNet): Needs {
  const { hubs, conversions } = references
  const required = [
    ...conversions.flatMap(conversionNeeds),
    ...portfolioNeeds(references, codes),
    ...valueNeeds(references),
  ]
  const unmet = required.filter(
    ({ need, takesHubs }) =>
      [need.from, ...need.to].every((code) => codes.has(code)) && !net.isMet(need, takesHubs ? hubs : []),
  )
  const needs = unmet.flatMap(({ need, takesHubs }) => (takesHubs ? [need] : []))
  const advised = [...hubs, ...net.suggestHubs(needs, hubs)].slice(0, MOST_HUBS)
  return {
    unmet: unmet.map(({ takesHubs, ...found }) => ({
      ...found,
      isHelped: takesHubs && net.isMet(found.need, advised),
    })),
    advised,
  }
}

function conversionNeeds({ at, gives, brings, hubs }: NamedConversion): Requirement[] {
  if (gives === brings) return []
  const says = `no market turns ${gives} into ${brings} ${through(hubs)}`
  return [{ need: { from: gives, to: [brings] }, at, says, takesHubs: hubs.length > 0 }]
}

function portfolioNeeds({ portfolio, partners, hubs }: PolicyReferences, codes: ReadonlySet<string>): Requirement[] {
  return portfolio.flatMap(({ at, code }) => {
    const to = partners.filter((other) => other !== code && codes.has(other))
    const says = `no market turns ${code} into another asset of the policy ${through(hubs)}`
    return to.length === 0 ? [] : [{ need: { from: code, to }, at, says, takesHubs: true }]
  })
}

function valueNeeds({ valued, valuationAsset, hubs }: PolicyReferences): Requirement[] {
  return valued
    .filter(({ code }) => code !== valuationAsset)
    .map(({ at, code }) => {
      const says = `no market tells what ${code} is worth in ${valuationAsset} ${through(hubs)}`
      return { need: { from: code, to: [valuationAsset] }, at, says, takesHubs: true }
    })
}

function through(hubs: readonly string[]): string {
  return hubs.length === 0 ? 'directly' : `directly or through ${hubs.join(', ')}`
}

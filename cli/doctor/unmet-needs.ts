// Where no market leads to what a policy wants: from what it converts to what that is to become, and to a price for
// what it counts; and the hubs with which markets would. Pure.
import { MOST_HUBS } from '../../core/contract/policies.ts'
import type { NamedConversion, PolicyReferences } from '../../core/treasury/policy-references.ts'
import type { MarketNet, Need } from './market-net.ts'

export interface Unmet {
  readonly need: Need
  /** Within the policy, as treasury.json spells it. */
  readonly at: string
  readonly says: string
  /** The hubs that are advised would do. */
  readonly isHelped: boolean
}

export interface Needs {
  readonly unmet: readonly Unmet[]
  /** The policy's own, and others that would help. */
  readonly advised: readonly string[]
}

interface Wanted extends Omit<Unmet, 'isHelped'> {
  /** Sweeps and payments convert by one market. */
  readonly takesHubs: boolean
}

/** `codes`: of the assets that there are; what needs another is told where that is named. */
export function findUnmet(references: PolicyReferences, codes: ReadonlySet<string>, net: MarketNet): Needs {
  const { hubs, conversions } = references
  const wanted = [
    ...conversions.flatMap(conversionNeeds),
    ...portfolioNeeds(references, codes),
    ...valueNeeds(references),
  ]
  const unmet = wanted.filter(
    ({ need, takesHubs }) =>
      [need.from, ...need.to].every((code) => codes.has(code)) && !net.isMet(need, takesHubs ? hubs : []),
  )
  const needs = unmet.flatMap(({ need, takesHubs }) => (takesHubs ? [need] : []))
  const advised = [...hubs, ...net.suggestHubs(needs, hubs)].slice(0, MOST_HUBS)
  return {
    unmet: unmet.map(({ takesHubs, ...one }) => ({ ...one, isHelped: takesHubs && net.isMet(one.need, advised) })),
    advised,
  }
}

function conversionNeeds({ at, gives, brings, hubs }: NamedConversion): Wanted[] {
  if (gives === brings) return []
  const says = `no market turns ${gives} into ${brings} ${through(hubs)}`
  return [{ need: { from: gives, to: [brings] }, at, says, takesHubs: hubs.length > 0 }]
}

function portfolioNeeds({ portfolio, partners, hubs }: PolicyReferences, codes: ReadonlySet<string>): Wanted[] {
  return portfolio.flatMap(({ at, code }) => {
    const to = partners.filter((other) => other !== code && codes.has(other))
    const says = `no market turns ${code} into another asset of the policy ${through(hubs)}`
    return to.length === 0 ? [] : [{ need: { from: code, to }, at, says, takesHubs: true }]
  })
}

function valueNeeds({ valued, valuationAsset, hubs }: PolicyReferences): Wanted[] {
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

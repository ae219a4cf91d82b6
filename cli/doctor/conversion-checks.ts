// Whether markets lead where a policy wants to convert, and tell what its assets are worth; and which hubs would do
// where they do not. Pure.
import type { Guards } from '../../functions/contract/guards.ts'
import { isWithdrawing, MOST_HUBS } from '../../functions/contract/policies.ts'
import type { DrainedHub } from '../../functions/contract/policy-conflicts.ts'
import { ownAssetsOf } from '../../functions/contract/policy-hubs.ts'
import type { NamedConversion, PolicyReferences } from '../../functions/contract/policy-references.ts'
import type { Treasury } from '../../functions/contract/treasury.ts'
import { type Check, fail, warn } from './check.ts'
import type { MarketNet, Need } from './suggest-hubs.ts'

interface Finding {
  readonly need: Need
  readonly detail: string
  /** Sweeps and payments convert by one market. */
  readonly takesHubs: boolean
}

/** `name`: of the check; `root`: before each place. Assets that are not there are told where they are named. */
export function conversionChecks(
  name: string,
  root: string,
  references: PolicyReferences,
  codes: ReadonlySet<string>,
  net: MarketNet,
): Check[] {
  const { hubs, conversions } = references
  const found = [
    ...conversions.flatMap((conversion) => conversionFinding(root, conversion)),
    ...portfolioFindings(root, references, codes),
    ...valueFindings(root, references),
  ].filter(
    ({ need, takesHubs }) =>
      [need.from, ...need.to].every((code) => codes.has(code)) && !net.isMet(need, takesHubs ? hubs : []),
  )
  const needs = found.flatMap(({ need, takesHubs }) => (takesHubs ? [need] : []))
  const advised = [...hubs, ...net.suggestHubs(needs, hubs)].slice(0, MOST_HUBS)
  return found.map(({ need, detail, takesHubs }) =>
    takesHubs && net.isMet(need, advised)
      ? fail(name, detail, `set ${root}hubs to ${JSON.stringify(advised)}`)
      : fail(name, detail, 'sluice markets lists those there are'),
  )
}

/**
 * What an earlier run left in a hub may be swept before the next takes it up. Only of hubs that are needed: two
 * assets of the policy have markets with it, and none with each other.
 */
export function drainChecks(
  drained: readonly DrainedHub[],
  policies: Treasury['policies'],
  guards: Guards,
  net: MarketNet,
) {
  return drained.flatMap(({ policy: name, hub, at, verb }): Check[] => {
    const policy = policies[name]
    if (policy === undefined || isWithdrawing(policy)) return []
    const own = [...ownAssetsOf(policy, policy.valuationAsset ?? guards.valuationAsset)]
    const reached = own.filter((asset) => net.isTraded(asset, hub))
    if (!reached.some((one) => reached.some((other) => other !== one && !net.isTraded(one, other)))) return []
    const place = at
      .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
      .join('')
      .slice(1)
    const detail = `${place} ${verb} ${hub}, a hub: what a failed conversion leaves there may be gone before the next run goes on with it`
    return [warn(`policy ${name}`, detail, `leave ${hub} out there, keep some of it, or name another hub`)]
  })
}

function conversionFinding(root: string, { at, gives, brings, hubs }: NamedConversion): Finding[] {
  if (gives === brings) return []
  const detail = `${root}${at}: no market turns ${gives} into ${brings} ${through(hubs)}`
  return [{ need: { from: gives, to: [brings] }, detail, takesHubs: hubs.length > 0 }]
}

function portfolioFindings(
  root: string,
  { portfolio, partners, hubs }: PolicyReferences,
  codes: ReadonlySet<string>,
): Finding[] {
  return portfolio.flatMap(({ at, code }) => {
    const to = partners.filter((other) => other !== code && codes.has(other))
    const detail = `${root}${at}: no market turns ${code} into another asset of the policy ${through(hubs)}`
    return to.length === 0 ? [] : [{ need: { from: code, to }, detail, takesHubs: true }]
  })
}

function valueFindings(root: string, { valued, valuationAsset, hubs }: PolicyReferences): Finding[] {
  return valued
    .filter(({ code }) => code !== valuationAsset)
    .map(({ at, code }) => {
      const detail = `${root}${at}: no market tells what ${code} is worth in ${valuationAsset} ${through(hubs)}`
      return { need: { from: code, to: [valuationAsset] }, detail, takesHubs: true }
    })
}

function through(hubs: readonly string[]): string {
  return hubs.length === 0 ? 'directly' : `directly or through ${hubs.join(', ')}`
}

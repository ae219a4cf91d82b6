// What the policies of treasury.json name at the service, each with the place where it is named: assets, markets,
// contacts with what they are sent, and conversions that need a market. Owns also how assets are spelled: planners go by
// settled codes alone, and would leave out of their totals what is named otherwise. Pure.
import type { Guards, PolicyGuards } from '../contract/guards.ts'
import type { Policy } from '../contract/policies.ts'
import { kindOf } from '../policies/kinds.ts'
import { keyed, listed, NO_REFERENCES, named, type OwnReferences } from '../policies/references.ts'

/** What a policy names itself, and what follows from its hubs and guards. */
export interface PolicyReferences extends OwnReferences {
  /** An asset of `portfolio` is to be turned into another of these. */
  readonly partners: readonly string[]
  readonly valuationAsset: string
  /** Of a policy that converts; the valuation asset where it names none. */
  readonly hubs: readonly string[]
}

/** `guards` are those of everything: they name the asset in which values are given. */
export function referencesOf(policy: Policy, guards: Guards): PolicyReferences {
  const valuationAsset = policy.valuationAsset ?? guards.valuationAsset
  const hubs = policy.hubs ?? [valuationAsset]
  const own = kindOf(policy).references(policy, hubs)
  const bounds = referencesOfGuards(policy.guards, 'guards.')
  const valuing = policy.valuationAsset === undefined ? [] : [named('valuationAsset', valuationAsset)]
  return {
    ...own,
    valuationAsset,
    hubs,
    partners: kindOf(policy).ownAssets(policy, valuationAsset),
    assets: [...own.assets, ...listed('hubs', policy.hubs ?? []), ...valuing, ...bounds.assets],
    markets: [...own.markets, ...bounds.markets],
    contacts: [...own.contacts, ...bounds.contacts],
  }
}

/** `prefix`: before the field's name. */
export function referencesOfGuards(guards: PolicyGuards & Partial<Guards>, prefix = ''): OwnReferences {
  const { assets = {}, contacts = {}, allowedContacts = [], allowedMarkets = [], dailyOutflow = {} } = guards
  const { assets: asked = {}, contacts: askedContacts = {} } = guards.approval ?? {}
  const valued = guards.valuationAsset === undefined ? [] : [guards.valuationAsset]
  return {
    ...NO_REFERENCES,
    assets: [
      ...keyed(`${prefix}assets`, Object.keys(assets)),
      ...keyed(`${prefix}dailyOutflow`, Object.keys(dailyOutflow)),
      ...keyed(`${prefix}approval.assets`, Object.keys(asked)),
      ...valued.map((code) => ({ at: `${prefix}valuationAsset`, code })),
    ],
    markets: allowedMarkets.map((id, index) => ({ at: `${prefix}allowedMarkets[${index}]`, id })),
    contacts: [
      ...Object.keys(contacts).map((id) => ({ at: `${prefix}contacts.${id}`, id, assets: [] })),
      ...Object.keys(askedContacts).map((id) => ({ at: `${prefix}approval.contacts.${id}`, id, assets: [] })),
      ...allowedContacts.map((id, index) => ({ at: `${prefix}allowedContacts[${index}]`, id, assets: [] })),
    ],
  }
}

/** Fields whose codes are matched in any spelling. */
const MATCHED = /^(guards\.|valuationAsset$)/

/** An equity has two spellings, and the service takes any case; what it does not know stays as it is. */
export function spelling(
  assets: readonly { readonly assetSymbol: string; readonly rebasedSymbol: string }[],
): (code: string) => string {
  // Settled codes last: where one asset's ticker is another's code, the code counts.
  const spelled = new Map([
    ...assets.map(({ rebasedSymbol, assetSymbol }) => [rebasedSymbol.toLowerCase(), assetSymbol] as const),
    ...assets.map(({ assetSymbol }) => [assetSymbol.toLowerCase(), assetSymbol] as const),
  ])
  return (code) => spelled.get(code.toLowerCase()) ?? code
}

/** Each place in the policy that names an asset by another spelling, with what to write there. Guards may name any. */
export function misspelled(policy: Policy, guards: Guards, settled: (code: string) => string): string[] {
  return referencesOf(policy, guards)
    .assets.filter(({ at, code }) => !MATCHED.test(at) && settled(code) !== code)
    .map(({ at, code }) => `${at}: expected the settled code, ${settled(code)}; got ${code}`)
}

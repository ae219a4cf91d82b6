// Lists everything that the policies of treasury.json name at the service, each with its place in the file. These are
// assets, markets, contacts with the assets they receive, and conversions that need a market. Also owns the spelling of
// assets: planners compare settled codes only, and would leave another spelling out of their totals. Pure.
import type { Guards, PolicyGuards } from '../contract/guards.ts'
import type { Policy } from '../contract/policies.ts'
import { kindOf } from '../policies/kinds.ts'
import { keyed, listed, NO_REFERENCES, named, type OwnReferences } from '../policies/references.ts'

/** References of the policy itself, and those from its hubs and guards. */
export interface PolicyReferences extends OwnReferences {
  /** Every asset of `portfolio` must be convertible into another asset of this list. */
  readonly partners: readonly string[]
  readonly valuationAsset: string
  /** Hubs of a policy that converts. Default: the valuation asset. */
  readonly hubs: readonly string[]
}

/** `guards`: the guards of everything, which name the default valuation asset. */
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

/** `prefix`: text before the field's name. */
export function referencesOfGuards(guards: PolicyGuards & Partial<Guards>, prefix = ''): OwnReferences {
  const { assets = {}, contacts = {}, allowedContacts = [], allowedMarkets = [], dailyOutflow = {} } = guards
  const { assets: approvalAssets = {}, contacts: approvalContacts = {} } = guards.approval ?? {}
  const valued = guards.valuationAsset === undefined ? [] : [guards.valuationAsset]
  return {
    ...NO_REFERENCES,
    assets: [
      ...keyed(`${prefix}assets`, Object.keys(assets)),
      ...keyed(`${prefix}dailyOutflow`, Object.keys(dailyOutflow)),
      ...keyed(`${prefix}approval.assets`, Object.keys(approvalAssets)),
      ...valued.map((code) => ({ at: `${prefix}valuationAsset`, code })),
    ],
    markets: allowedMarkets.map((id, index) => ({ at: `${prefix}allowedMarkets[${index}]`, id })),
    contacts: [
      ...Object.keys(contacts).map((id) => ({ at: `${prefix}contacts.${id}`, id, assets: [] })),
      ...Object.keys(approvalContacts).map((id) => ({ at: `${prefix}approval.contacts.${id}`, id, assets: [] })),
      ...allowedContacts.map((id, index) => ({ at: `${prefix}allowedContacts[${index}]`, id, assets: [] })),
    ],
  }
}

/** Fields whose codes may have any spelling. */
const MATCHED = /^(guards\.|valuationAsset$)/

/**
 * Returns a function from any spelling to the settled code. An equity has two names, and the service ignores case. An
 * unknown code stays unchanged.
 */
export function spelling(
  assets: readonly { readonly assetSymbol: string; readonly rebasedSymbol: string }[],
): (code: string) => string {
  // Settled codes come last: where one asset's ticker is another's code, the code wins.
  const spelled = new Map([
    ...assets.map(({ rebasedSymbol, assetSymbol }) => [rebasedSymbol.toLowerCase(), assetSymbol] as const),
    ...assets.map(({ assetSymbol }) => [assetSymbol.toLowerCase(), assetSymbol] as const),
  ])
  return (code) => spelled.get(code.toLowerCase()) ?? code
}

/**
 * Each place in the policy that uses another spelling of an asset, with the correct code. Guards may use any spelling.
 */
export function misspelled(policy: Policy, guards: Guards, settled: (code: string) => string): string[] {
  return referencesOf(policy, guards)
    .assets.filter(({ at, code }) => !MATCHED.test(at) && settled(code) !== code)
    .map(({ at, code }) => `${at}: expected the settled code, ${settled(code)}; got ${code}`)
}

// What the policies of treasury.json name at the service, each with the place where it is named: assets, markets,
// contacts with what they are sent, and conversions that need a market. Owns also how assets are spelled: planners go by
// settled codes alone, and would leave out of their totals what is named otherwise. Pure.
import type { Guards, PolicyGuards } from '../contract/guards.ts'
import { isWithdrawing, type Policy, PolicyKind, type RebalancePolicy, type SweepRule } from '../contract/policies.ts'
import { ownAssetsOf } from './policy-hubs.ts'

export interface NamedAsset {
  /** Within the policy, as treasury.json spells it: `rules[0].assets[1]`. */
  readonly at: string
  readonly code: string
}

export interface NamedContact {
  readonly at: string
  readonly id: string
  /** What is sent to it; none where only the holdings say. */
  readonly assets: readonly string[]
}

/** A conversion that a policy may make, by one market or through one of the hubs. */
export interface NamedConversion {
  readonly at: string
  readonly gives: string
  readonly brings: string
  readonly hubs: readonly string[]
}

export interface PolicyReferences {
  readonly assets: readonly NamedAsset[]
  readonly markets: readonly { readonly at: string; readonly id: string }[]
  readonly contacts: readonly NamedContact[]
  readonly conversions: readonly NamedConversion[]
  /** Assets of a portfolio: each is to be turned into another of `partners`, by one market or through a hub. */
  readonly portfolio: readonly NamedAsset[]
  readonly partners: readonly string[]
  /** What the policy works with; each needs a price in `valuationAsset`, by a market or through a hub. */
  readonly valued: readonly NamedAsset[]
  readonly valuationAsset: string
  /** Of a policy that converts; the valuation asset where it names none. */
  readonly hubs: readonly string[]
}

type OwnReferences = Omit<PolicyReferences, 'hubs' | 'partners' | 'valuationAsset'>

const NONE = { assets: [], markets: [], contacts: [], conversions: [], portfolio: [], valued: [] }

/** `guards` are those of everything: they name the asset in which values are given. */
export function referencesOf(policy: Policy, guards: Guards): PolicyReferences {
  const valuationAsset = policy.valuationAsset ?? guards.valuationAsset
  const hubs = policy.hubs ?? [valuationAsset]
  const own = referencesByKind(policy, hubs)
  const bounds = referencesOfGuards(policy.guards, 'guards.')
  const valuing = policy.valuationAsset === undefined ? [] : [named('valuationAsset', valuationAsset)]
  return {
    ...own,
    valuationAsset,
    hubs,
    partners: isWithdrawing(policy) ? [] : ownAssetsOf(policy, valuationAsset),
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
    ...NONE,
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

function referencesByKind(policy: Policy, hubs: readonly string[]): OwnReferences {
  switch (policy.kind) {
    case PolicyKind.Rebalance:
      return referencesOfRebalance(policy)
    case PolicyKind.Fund: {
      const { asset, from } = policy
      const assets = [named('asset', asset), ...from.map((each, index) => named(`from[${index}].asset`, each.asset))]
      return {
        ...NONE,
        assets,
        valued: assets,
        conversions: from.map((each, index) => ({
          at: `from[${index}].asset`,
          gives: each.asset,
          brings: asset,
          hubs,
        })),
      }
    }
    case PolicyKind.ConvertOnArrival: {
      const { asset, into } = policy
      const assets = [named('asset', asset), named('into', into)]
      return {
        ...NONE,
        assets,
        valued: assets,
        conversions: [{ at: 'into', gives: asset, brings: into, hubs }],
      }
    }
    case PolicyKind.Sweep:
      return mergedRules(policy.rules)
    case PolicyKind.ConvertAndWithdraw: {
      const { from, into, contactId } = policy
      return {
        ...NONE,
        assets: [named('from', from), named('into', into)],
        contacts: [{ at: 'contactId', id: contactId, assets: [into] }],
        conversions: [{ at: 'into', gives: from, brings: into, hubs: [] }],
      }
    }
  }
}

function referencesOfRebalance({ weights, amounts, reserve, leaveAlone }: RebalancePolicy): OwnReferences {
  const targets = keyed(weights === undefined ? 'amounts' : 'weights', Object.keys(weights ?? amounts ?? {}))
  return {
    ...NONE,
    assets: [...targets, ...keyed('reserve', Object.keys(reserve)), ...listed('leaveAlone', leaveAlone)],
    portfolio: targets,
    valued: targets,
  }
}

function mergedRules(rules: readonly SweepRule[]): OwnReferences {
  const all = rules.map(({ assets, allBut, convertInto, contactId }, index) => {
    const at = `rules[${index}]`
    const sent = convertInto === undefined ? (assets ?? []) : [convertInto]
    return {
      assets: [
        ...listed(`${at}.assets`, assets ?? []),
        ...listed(`${at}.allBut`, allBut ?? []),
        ...(convertInto === undefined ? [] : [named(`${at}.convertInto`, convertInto)]),
      ],
      contacts: [{ at: `${at}.contactId`, id: contactId, assets: sent }],
      conversions:
        convertInto === undefined
          ? []
          : (assets ?? []).map((gives) => ({ at: `${at}.convertInto`, gives, brings: convertInto, hubs: [] })),
    }
  })
  return {
    ...NONE,
    assets: all.flatMap(({ assets }) => assets),
    contacts: all.flatMap(({ contacts }) => contacts),
    conversions: all.flatMap(({ conversions }) => conversions),
  }
}

function named(at: string, code: string): NamedAsset {
  return { at, code }
}

function listed(at: string, codes: readonly string[]): NamedAsset[] {
  return codes.map((code, index) => named(`${at}[${index}]`, code))
}

function keyed(at: string, codes: readonly string[]): NamedAsset[] {
  return codes.map((code) => named(`${at}.${code}`, code))
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

// Checks that the names in the policies of treasury.json exist at the service and fit together. It checks assets by
// their settled codes, contacts that take what is sent to them, and conversions: whether markets lead there, and which
// hubs would help. Reads only.

import { sameCode } from '../../core/contract/fields.ts'
import type { Guards } from '../../core/contract/guards.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { unreadableAsset } from '../../core/planning/market/snapshot.ts'
import { isWithdrawing, ownAssetsOf } from '../../core/policies/kinds.ts'
import { pathText } from '../../core/policies/policy-fault.ts'
import type { NamedAsset, NamedContact } from '../../core/policies/references.ts'
import { counted } from '../../core/printable.ts'
import type { Asset } from '../../core/service/assets.ts'
import type { Contact } from '../../core/service/contacts.ts'
import type { Market } from '../../core/service/markets.ts'
import { problemOf } from '../../core/service/problem.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { type DrainedHub, drainedHubs } from '../../core/treasury/policy-conflicts.ts'
import { type PolicyReferences, referencesOf, referencesOfGuards } from '../../core/treasury/policy-references.ts'
import { type Advice, advice, option } from '../../place/next-step.ts'
import { remedyAfter } from '../../place/service/service-failure.ts'
import { messageOf } from './address-checks.ts'
import { type Check, fail, ok, warn } from './check.ts'
import { createMarketNet, findUnmet, type MarketNet } from './market-net.ts'
import { judgeContact } from './reference-checks.ts'

/** The service's assets and markets, and the contacts that the policies name. */
interface Known {
  readonly assets: readonly Asset[]
  readonly codes: ReadonlySet<string>
  readonly markets: readonly Market[]
  readonly marketIds: ReadonlySet<string>
  readonly net: MarketNet
  /** Null for a contact that does not exist. A contact that was not read has no entry. */
  readonly contacts: ReadonlyMap<string, Contact | null>
}

interface NamedPart extends Named {
  readonly kind: string
}

/** Maximum contacts that are read, because each costs a request. */
const MOST_CONTACTS = 200

/** One check for each policy without findings, and one for each finding. */
export async function policyChecks(
  { policies, guards }: Pick<Treasury, 'policies' | 'guards'>,
  client: Pick<ServiceClient, 'assets' | 'markets' | 'contact'>,
): Promise<Check[]> {
  const whole = { ...referencesOfGuards(guards), partners: [], hubs: [], valuationAsset: guards.valuationAsset }
  const named: NamedPart[] = [
    ...Object.entries(policies).map(([name, policy]) => ({
      name: `policy ${name}`,
      root: `policies.${name}.`,
      kind: policy.kind,
      references: referencesOf(policy, guards),
    })),
    { name: 'guards of all', root: 'guards.', kind: 'guards', references: whole },
  ]
  // The valuation asset has a default, so it does not count as a name in the file.
  if (Object.keys(policies).length === 0 && countOf(whole) <= 1) return []
  try {
    const known = await readKnown(
      named.flatMap(({ references }) => references.contacts),
      client,
    )
    const drains = drainChecks(drainedHubs(policies, guards), policies, guards, known.net)
    return named.flatMap(({ name, root, kind, references }) => {
      const warnings = drains.filter(({ check }) => check === name)
      const found = [...findingsOf({ name, root, references }, known), ...warnings]
      return found.length > 0
        ? found
        : [ok(name, `${kind}: ${counted(countOf(references), 'name')}, all there and fitting`)]
    })
  } catch (error) {
    return [fail('policies', `not checked: ${messageOf(error)}`, remedyAfter(error))]
  }
}

function countOf({ assets, markets, contacts }: PolicyReferences): number {
  const names = [...assets.map(({ code }) => code), ...markets.map(({ id }) => id), ...contacts.map(({ id }) => id)]
  return new Set(names).size
}

async function readKnown(
  named: readonly NamedContact[],
  client: Pick<ServiceClient, 'assets' | 'markets' | 'contact'>,
): Promise<Known> {
  const assets = await client.assets()
  const markets = await client.markets()
  const contacts = new Map<string, Contact | null>()
  for (const id of [...new Set(named.map((each) => each.id))].slice(0, MOST_CONTACTS)) {
    contacts.set(id, await findContact(id, client))
  }
  return {
    assets,
    markets,
    contacts,
    codes: new Set(assets.map(({ assetSymbol }) => assetSymbol)),
    marketIds: new Set(markets.map(({ id }) => id)),
    net: createMarketNet(markets),
  }
}

async function findContact(id: string, client: Pick<ServiceClient, 'contact'>): Promise<Contact | null> {
  try {
    return await client.contact(id)
  } catch (error) {
    if (problemOf(error)?.code === 'not_found') return null
    throw error
  }
}

function findingsOf({ name, root, references }: Named, known: Known): Check[] {
  const rooted = <Each extends { readonly at: string }>(each: Each): Each => ({ ...each, at: root + each.at })
  const { assets, markets, contacts } = references
  return [
    ...assets.flatMap((each) => assetFindings(name, rooted(each), known)),
    ...markets.map(rooted).flatMap(({ at, id }) => marketFindings(name, at, id, known)),
    ...contacts.flatMap((each) => contactFindings(name, rooted(each), known)),
    ...conversionChecks({ name, root, references }, known),
  ]
}

function assetFindings(name: string, { at, code }: NamedAsset, { assets, codes }: Known): Check[] {
  const known = assets.find(({ assetSymbol }) => assetSymbol === code)
  const unreadable = known && unreadableAsset(known)
  if (unreadable !== undefined) return [fail(name, `${at}: ${unreadable}`, 'ask the service about this figure')]
  if (codes.has(code)) return []
  const other = assets.find(
    ({ assetSymbol, rebasedSymbol }) => sameCode(assetSymbol, code) || sameCode(rebasedSymbol, code),
  )
  if (other === undefined) return [fail(name, `${at}: there is no asset ${code}`, listedBy('assets'))]
  return [
    fail(name, `${at}: ${code} is not the settled code, which is ${other.assetSymbol}`, `name ${other.assetSymbol}`),
  ]
}

function marketFindings(name: string, at: string, id: string, { markets, marketIds }: Known): Check[] {
  if (marketIds.has(id)) return []
  const other = markets.find(
    (market) => sameCode(market.id, id) || sameCode(`${market.rebasedBaseAsset}-${market.quoteAsset}`, id),
  )
  if (other === undefined) return [fail(name, `${at}: there is no market ${id}`, listedBy('markets'))]
  return [fail(name, `${at}: ${id} is not the settled spelling, which is ${other.id}`, `name ${other.id}`)]
}

function contactFindings(name: string, { at, id, assets: sent }: NamedContact, { assets, contacts }: Known): Check[] {
  const contact = contacts.get(id)
  if (contact === null) return [fail(name, `${at}: there is no contact ${id}`, listedBy('contacts'))]
  if (contact === undefined) {
    return [
      warn(
        name,
        `${at}: not checked, after ${MOST_CONTACTS} contacts`,
        advice`name it by ${option('contact')} to check it`,
      ),
    ]
  }
  return sent.flatMap((code) => {
    const asset = assets.find(({ assetSymbol }) => assetSymbol === code)
    // An asset that does not exist, or cannot be read, is reported where it is named.
    if (asset === undefined || unreadableAsset(asset) !== undefined) return []
    const { status, detail, next } = judgeContact(name, { id, asset: code }, asset, contact)
    return status === 'fail' ? [fail(name, `${at}: ${detail}`, next ?? '')] : []
  })
}

/** A part of treasury.json, with the assets that it names. */
interface Named {
  /** The name of its check. */
  readonly name: string
  /** The prefix of each path in it, from the root of treasury.json. */
  readonly root: string
  readonly references: PolicyReferences
}

/** An asset that does not exist is reported where it is named, and not here. */
function conversionChecks(
  { name, root, references }: Named,
  { codes, net }: { readonly codes: ReadonlySet<string>; readonly net: MarketNet },
): Check[] {
  const { unmet, advised } = findUnmet(references, codes, net)
  return unmet.map(({ at, says, isHelped }) => {
    const next = isHelped ? `set ${root}hubs to ${JSON.stringify(advised)}` : listedBy('markets')
    return fail(name, `${root}${at}: ${says}`, next)
  })
}

/**
 * Warns where another policy may take what an earlier run left in a hub. It counts only hubs that are needed: two
 * assets of the policy have a market with the hub, and no market with each other.
 */
function drainChecks(
  drained: readonly DrainedHub[],
  policies: Treasury['policies'],
  guards: Guards,
  net: MarketNet,
): Check[] {
  return drained.flatMap(({ policy: name, hub, at, verb }): Check[] => {
    const policy = policies[name]
    if (policy === undefined || isWithdrawing(policy)) return []
    const own = ownAssetsOf(policy, policy.valuationAsset ?? guards.valuationAsset)
    const reached = own.filter((asset) => net.isTraded(asset, hub))
    if (!reached.some((asset) => reached.some((other) => other !== asset && !net.isTraded(asset, other)))) return []
    const detail = `${pathText(at)} ${verb} ${hub}, a hub: what a failed conversion leaves there may be gone before the next run continues with it`
    return [warn(`policy ${name}`, detail, `leave ${hub} out there, keep some of it, or name another hub`)]
  })
}

function listedBy(query: string): Advice {
  return { do: 'query', query, why: 'lists the known ones' }
}

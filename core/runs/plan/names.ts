// Whether the service has what a run's policy names, and what the guards that bound it name: assets, markets, contacts.
// Planners go by what is there alone. Without what was misspelt the rest would be traded for what nobody meant, and a
// bound would bound nothing: so it is told before there is a plan, with the place and the nearest name. Reads only.

import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { sameCode } from '../../contract/fields.ts'
import { isWithdrawing } from '../../contract/policies.ts'
import type { ShownContact } from '../../movements/withdrawal/payee.ts'
import { nearestHint, nearestName } from '../../treasury/nearest-name.ts'
import { type PolicyReferences, referencesOf, referencesOfGuards } from '../../treasury/policy-references.ts'
import type { RunPorts } from '../ports.ts'
import type { RunRecord } from '../record/run-record.ts'
import { misspelled } from './spelling.ts'
import type { Taken } from './take-snapshot.ts'

const MOST_TOLD = 5
type Names = Pick<PolicyReferences, 'assets' | 'markets' | 'contacts'>

/** Each wrong name with its place and what to write there; `undefined` where all are right. @throws Transient, Defect */
export async function findWrongNames(
  run: Pick<RunRecord, 'policy' | 'request' | 'asPlanned'>,
  { snapshot, settled }: Pick<Taken, 'snapshot' | 'settled'>,
  { service, treasury: { guards } }: Pick<RunPorts, 'service' | 'treasury'>,
): Promise<string | undefined> {
  const { policy, request, asPlanned } = run
  const root = typeof request.policy === 'string' ? `policies.${policy}` : 'input.policy'
  const own = rooted(referencesOf(asPlanned, guards), `${root}.`)
  const ofAll = referencesOfGuards(guards, 'guards.')
  const assets = [...own.assets, ...ofAll.assets].filter(({ code }) => !snapshot.assets.has(settled(code)))
  const marketIds = snapshot.markets.map(({ id }) => id)
  const markets = [...own.markets, ...ofAll.markets].filter(({ id }) => !marketIds.some((known) => sameCode(known, id)))
  // What bounds contacts concerns no run that sends nothing to any.
  const named = isWithdrawing(asPlanned) ? [...own.contacts, ...ofAll.contacts] : []
  const found = [
    ...misspelled(asPlanned, guards, settled).map((each) => `${root}.${each}`),
    ...assets.map(
      ({ at, code }) => `${at}: ${missing('asset', code)}${nearestHint(code, [...snapshot.assets.keys()])}`,
    ),
    ...markets.map(({ at, id }) => `${at}: ${missing('market', id)}${nearestHint(id, marketIds)}`),
    ...(await missingContacts(named, snapshot.contacts, service)),
  ]
  if (found.length === 0) return undefined
  const more = found.length > MOST_TOLD ? [`and ${found.length - MOST_TOLD} more`] : []
  return [...found.slice(0, MOST_TOLD), ...more].join('; ')
}

/** `seen`: contacts that were read, by id. */
async function missingContacts(
  named: PolicyReferences['contacts'],
  seen: ReadonlyMap<string, unknown>,
  service: Pick<RunPorts['service'], 'findContact' | 'contacts'>,
): Promise<string[]> {
  const unseen = [...new Set(named.map(({ id }) => id))].filter((id) => !seen.has(id))
  const looked = await mapBounded(unseen, READS_AT_ONCE, async (id) => ({ id, contact: await service.findContact(id) }))
  const gone = new Set(looked.flatMap(({ id, contact }) => (contact === undefined ? [id] : [])))
  if (gone.size === 0) return []
  // For a hint only: what cannot be listed leaves the refusal as it is.
  const contacts = await service.contacts().catch(() => [])
  return named
    .filter(({ id }) => gone.has(id))
    .map(({ at, id }) => `${at}: ${missing('contact', id)}${contactHint(id, contacts)}`)
}

/** By its id; or by a label, which is easily taken for one. */
function contactHint(given: string, contacts: readonly ShownContact[]): string {
  const byName = new Map(
    contacts.flatMap((contact) =>
      [contact.reference, contact.alias, contact.id].flatMap((name) =>
        name === null ? [] : [[name, contact] as const],
      ),
    ),
  )
  const meant = byName.get(nearestName(given, [...byName.keys()]) ?? '')
  return meant === undefined ? '' : `; did you mean ${meant.id} (${meant.alias})?`
}

function missing(what: string, name: string): string {
  return `the service has no ${what} ${name}`
}

function rooted({ assets, markets, contacts }: Names, root: string): Names {
  const put = <Each extends { readonly at: string }>(each: Each): Each => ({ ...each, at: root + each.at })
  return { assets: assets.map(put), markets: markets.map(put), contacts: contacts.map(put) }
}

// Finds what stands in the way of a run before it has a plan: halts, maintenance, quiet hours, and names of assets,
// markets and contacts, in its policy or in the guards, that the service does not have. Reads only.
import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { sameCode } from '../../contract/fields.ts'
import type { Policy } from '../../contract/policies.ts'
import { RunEnd } from '../../contract/runs.ts'
import { findQuiet } from '../../guards/quiet-hours.ts'
import { haltText } from '../../journal/halts.ts'
import type { ShownContact } from '../../movements/withdrawal/payee.ts'
import type { Snapshot } from '../../planning/market/snapshot.ts'
import { isWithdrawing } from '../../policies/kinds.ts'
import { nearestHint, nearestName } from '../../treasury/nearest-name.ts'
import {
  misspelled,
  type PolicyReferences,
  referencesOf,
  referencesOfGuards,
} from '../../treasury/policy-references.ts'
import type { RunPorts } from '../ports.ts'
import type { RunRecord } from '../record/run-record.ts'
import { guardSetsOf } from './limits.ts'

export interface Obstacle {
  readonly outcome: typeof RunEnd.Halted | typeof RunEnd.Guarded
  /** Which guard, as the plan's messages name it. */
  readonly guard: string
  readonly why: string
}

const MAINTENANCE = 'MAINTENANCE'

/**
 * What is in the way of every run of the policy now; `undefined` for nothing, and then the service's clock has been
 * measured.
 * @throws Transient, Defect
 */
export async function findObstacle(name: string, policy: Policy, ports: RunPorts): Promise<Obstacle | undefined> {
  const { halts, service } = ports
  const halt = await halts.find(name, policy.was)
  if (halt) return { outcome: RunEnd.Halted, guard: 'halt', why: haltText(halt) }
  const { status } = await service.health()
  // During maintenance nothing else answers, the clock neither.
  if (status === MAINTENANCE) {
    return { outcome: RunEnd.Guarded, guard: 'maintenance', why: 'the service is in maintenance' }
  }
  await service.clock.measure()
  for (const { root, guards } of guardSetsOf(name, policy, ports)) {
    const quiet = findQuiet(guards.quietHours ?? [], service.clock.reachedMs(), service.clock.nowMs())
    if (quiet === undefined) continue
    const until = quiet.untilMs === undefined ? 'without an end' : `until ${new Date(quiet.untilMs).toISOString()}`
    return {
      outcome: RunEnd.Guarded,
      guard: 'quietHours',
      why: `it is in the quiet hours of ${root}.quietHours, ${until}`,
    }
  }
  return undefined
}

const MOST_REPORTED = 5
type Names = Pick<PolicyReferences, 'assets' | 'markets' | 'contacts'>

interface Figures {
  readonly snapshot: Pick<Snapshot, 'assets' | 'markets' | 'contacts'>
  /** The settled code of an asset, however it is spelled. */
  readonly settled: (code: string) => string
}

/**
 * Each wrong name with its place and what to write there; `undefined` where all are right. Planners go by what the
 * service has. Without what was misspelt they would trade the rest for what nobody meant, and a bound would bound
 * nothing: so it is reported before there is a plan. @throws Transient, Defect
 */
export async function findWrongNames(
  run: Pick<RunRecord, 'policy' | 'request' | 'asPlanned'>,
  { snapshot, settled }: Figures,
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
  const more = found.length > MOST_REPORTED ? [`and ${found.length - MOST_REPORTED} more`] : []
  return [...found.slice(0, MOST_REPORTED), ...more].join('; ')
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

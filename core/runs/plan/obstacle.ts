// Finds obstacles of a run before it has a plan: halts, maintenance and quiet hours. It also finds names of assets, markets and
// contacts, in the policy or the guards, that the service does not have. Reads only.
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
  /** The guard, as the plan's messages name it. */
  readonly guard: string
  readonly why: string
}

const MAINTENANCE = 'MAINTENANCE'

/**
 * The obstacle for every run of the policy now. `undefined`: there is no obstacle, and the service's clock has been measured.
 * @throws Transient, Defect
 */
export async function findObstacle(name: string, policy: Policy, ports: RunPorts): Promise<Obstacle | undefined> {
  const { halts, service } = ports
  const halt = await halts.find(name)
  if (halt) return { outcome: RunEnd.Halted, guard: 'halt', why: haltText(halt) }
  const { status } = await service.health()
  // During maintenance the service answers nothing else, so its clock cannot be measured.
  if (status === MAINTENANCE) {
    return { outcome: RunEnd.Guarded, guard: 'maintenance', why: 'the service is in maintenance' }
  }
  await service.clock.measure()
  const quiet = findQuietHours(name, policy, {
    treasury: ports.treasury,
    fromMs: service.clock.reachedMs(),
    toMs: service.clock.nowMs(),
  })
  return quiet === undefined ? undefined : { outcome: RunEnd.Guarded, guard: 'quietHours', why: quiet }
}

/** One sentence where a moment of the span (epoch ms, service time) is in quiet hours of the policy or the deployment. */
export function findQuietHours(
  name: string,
  policy: Policy,
  { treasury, fromMs, toMs }: Pick<RunPorts, 'treasury'> & { readonly fromMs: number; readonly toMs: number },
): string | undefined {
  for (const { root, guards } of guardSetsOf(name, policy, { treasury })) {
    const quiet = findQuiet(guards.quietHours ?? [], fromMs, toMs)
    if (quiet === undefined) continue
    const until = quiet.untilMs === undefined ? 'without an end' : `until ${new Date(quiet.untilMs).toISOString()}`
    return `it is in the quiet hours of ${root}.quietHours, ${until}`
  }
  return undefined
}

const MOST_REPORTED = 5
type Names = Pick<PolicyReferences, 'assets' | 'markets' | 'contacts'>

interface Figures {
  readonly unreadable: ReadonlyMap<string, string>
  readonly snapshot: Pick<Snapshot, 'assets' | 'markets' | 'contacts'>
  /** Returns the settled code of an asset in any spelling. */
  readonly settled: (code: string) => string
}

/**
 * Each wrong name with its place and a fix; `undefined` where all are right. It is checked before planning, because planners
 * skip names that the service lacks. A plan without a misspelled asset would trade the rest in an unwanted way, and a
 * misspelled bound would bound nothing.
 * @throws Transient, Defect
 */
export async function findWrongNames(
  run: RunRecord,
  { snapshot, settled, unreadable }: Figures,
  { service, treasury: { guards } }: RunPorts,
): Promise<string | undefined> {
  const { policy, request, asPlanned } = run
  const root = typeof request.policy === 'string' ? `policies.${policy}` : 'input.policy'
  const own = rooted(referencesOf(asPlanned, guards), `${root}.`)
  const ofAll = referencesOfGuards(guards, 'guards.')
  const assets = [...own.assets, ...ofAll.assets].filter(({ code }) => !snapshot.assets.has(settled(code)))
  const marketIds = snapshot.markets.map(({ id }) => id)
  const markets = [...own.markets, ...ofAll.markets].filter(({ id }) => !marketIds.some((known) => sameCode(known, id)))
  // Bounds on contacts do not concern a run that withdraws nothing.
  const named = isWithdrawing(asPlanned) ? [...own.contacts, ...ofAll.contacts] : []
  const found = [
    ...misspelled(asPlanned, guards, settled).map((each) => `${root}.${each}`),
    ...assets.map(
      ({ at, code }) =>
        `${at}: ${unreadable.get(settled(code)) ?? `${missing('asset', code)}${nearestHint(code, [...snapshot.assets.keys()])}`}`,
    ),
    ...markets.map(
      ({ at, id }) => `${at}: ${unreadable.get(id) ?? `${missing('market', id)}${nearestHint(id, marketIds)}`}`,
    ),
    ...unreadableBetween(own, unreadable).map((each) => `${root}: ${each}`),
    ...(await missingContacts(named, snapshot.contacts, service)),
  ]
  if (found.length === 0) return undefined
  const more = found.length > MOST_REPORTED ? [`and ${found.length - MOST_REPORTED} more`] : []
  return [...found.slice(0, MOST_REPORTED), ...more].join('; ')
}

/** Markets between two assets of the policy: a plan without one of them would take another way, or none. */
function unreadableBetween(
  { hubs, valuationAsset, partners, assets }: Omit<PolicyReferences, 'contacts'>,
  unreadable: ReadonlyMap<string, string>,
): string[] {
  const named = [...new Set([...hubs, valuationAsset, ...partners, ...assets.map(({ code }) => code)])]
  const markets = named.flatMap((base) => named.map((quote) => `${base}-${quote}`))
  return markets.flatMap((id) => unreadable.get(id) ?? [])
}

/** `seen`: contacts that were read already, by id. */
async function missingContacts(
  named: PolicyReferences['contacts'],
  seen: ReadonlyMap<string, unknown>,
  service: Pick<RunPorts['service'], 'findContact' | 'contacts'>,
): Promise<string[]> {
  const unseen = [...new Set(named.map(({ id }) => id))].filter((id) => !seen.has(id))
  const answers = await mapBounded(unseen, READS_AT_ONCE, async (id) => ({
    id,
    contact: await service.findContact(id),
  }))
  const gone = new Set(answers.flatMap(({ id, contact }) => (contact === undefined ? [id] : [])))
  if (gone.size === 0) return []
  // The list only serves a hint: without it the refusal stays the same.
  const contacts = await service.contacts().catch(() => [])
  return named
    .filter(({ id }) => gone.has(id))
    .map(({ at, id }) => `${at}: ${missing('contact', id)}${contactHint(id, contacts)}`)
}

/** Suggests the contact whose id or label is nearest: a label is easily mistaken for an id. */
function contactHint(given: string, contacts: readonly ShownContact[]): string {
  const byName = new Map(
    contacts.flatMap((contact) =>
      [contact.reference, contact.alias, contact.id].flatMap((name) =>
        name === null ? [] : [[name, contact] as const],
      ),
    ),
  )
  const nearest = byName.get(nearestName(given, [...byName.keys()]) ?? '')
  return nearest === undefined ? '' : `; did you mean ${nearest.id} (${nearest.alias})?`
}

function missing(kind: string, name: string): string {
  return `the service has no ${kind} ${name}`
}

function rooted<Of extends Names>({ assets, markets, contacts, ...rest }: Of, root: string) {
  const put = <Each extends { readonly at: string }>(each: Each): Each => ({ ...each, at: root + each.at })
  return { ...rest, assets: assets.map(put), markets: markets.map(put), contacts: contacts.map(put) }
}

// Makes the acts of people from one record of the journal, and those of one version of the configuration: that it was
// deployed, and each bound that it changed. The policies of runs and intents are read elsewhere. Pure.
import * as z from 'zod/mini'
import { IntentKind } from '../../core/contract/records.ts'
import { askerIn } from '../../core/journal/askers.ts'
import { EVERYTHING, type SwitchAct, switchActOf } from '../../core/journal/halts.ts'
import { checkRecord } from '../../core/journal/record-format.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { type ConfigurationVersion, configurationIn } from '../../core/people/configurations.ts'
import { counted } from '../../core/printable.ts'
import { decisionsIn } from '../../core/runs/approval/decisions.ts'
import { requesterIn } from '../../core/runs/approval/requesters.ts'
import type { Decision } from '../../core/runs/approval/standing.ts'
import { type Act, Did } from './act.ts'

const statement = { by: z.string(), because: z.string(), at: z.string() }
const foreign = z.object(statement)
const resolved = z.object({ ...statement, movementId: z.optional(z.string()), sameAccount: z.optional(z.string()) })
const released = z.object({ ...statement, residues: z.record(z.string(), z.string()) })

/** The acts that the record keeps, and none for a record of another kind. @throws Defect */
export function actsOfRecord(record: StoredRecord): readonly Act[] {
  const { pk } = record
  const [letter, first = '', second = '', third = ''] = pk.split('#')
  const common = { record: pk, policy: null, detail: null, what: null }
  switch (letter) {
    // Who asked for a run.
    case 'Q': {
      const asked = requesterIn(record)
      if (asked?.kind !== 'person') return []
      const detail = asked.ownId === undefined ? null : `under the id ${asked.ownId}`
      return [
        { ...common, at: asked.at, by: asked.by, did: Did.Asked, kind: 'run', about: first, because: null, detail },
      ]
    }
    // Decisions on a plan or a movement.
    case 'D':
      return decisionsIn(record).map((decision) => ({ ...common, ...decided(decision, [first, second, third]) }))
    // Halts and resumes.
    case 'H':
      return [{ ...common, ...switched(switchActOf(record)) }]
    // A movement that is declared to be others'.
    case 'O': {
      const { by, because, at } = checkRecord(foreign, record)
      const kind = subjectOf(first)
      return [{ ...common, at, by, because, did: Did.DeclaredForeign, kind, about: pk.slice(`O#${first}#`.length) }]
    }
    // Versions of the configuration, who asked for a movement, write-offs, and settled doubts.
    case 'Y':
      if (first === 'configuration') return configured(record)
      if (first === 'asked') return [askedFor(record, common)]
      return [first === 'released' ? { ...common, ...writtenOff(record, second) } : settled(record, common)]
    default:
      return []
  }
}

function decided(
  { decision, by, because, at, secondBecause }: Decision,
  [first, second, third]: readonly [string, string, string],
): Omit<Act, 'record' | 'policy' | 'what'> {
  const isOfMovement = third !== ''
  const terms = isOfMovement ? `terms ${third}` : `plan ${second}`
  const more = secondBecause === undefined ? '' : `; another person must approve too: ${secondBecause}`
  const subject = isOfMovement ? { kind: subjectOf(first), about: second } : ({ kind: 'run', about: first } as const)
  return { ...subject, at, by, because, did: decision, detail: `${terms}${more}` }
}

function switched({ at, because, by, did, scope }: SwitchAct): Omit<Act, 'record' | 'detail' | 'what'> {
  const act = { at, by, because, did }
  if (scope === EVERYTHING) return { ...act, kind: 'everything', about: null, policy: null }
  return { ...act, kind: 'policy', about: scope, policy: scope }
}

function askedFor(record: StoredRecord, common: Pick<Act, 'record' | 'policy' | 'what'>): Act {
  const { at, by, ownId } = askerIn(record)
  const [, , kind = '', about = ''] = record.pk.split('#')
  const detail = ownId === undefined ? null : `under the id ${ownId}`
  return { ...common, at, by, did: Did.Asked, kind: subjectOf(kind), about, because: null, detail }
}

function settled(record: StoredRecord, common: Pick<Act, 'record' | 'policy' | 'what'>): Act {
  const { at, because, by, movementId, sameAccount } = checkRecord(resolved, record)
  const [, , kind = '', about = ''] = record.pk.split('#')
  const found = movementId === undefined ? 'nothing moved' : `it is movement ${movementId}`
  const vouched = sameAccount === undefined ? '' : `; the key ${sameAccount} is of the account of the key that signed`
  return { ...common, at, by, because, did: Did.Resolved, kind: subjectOf(kind), about, detail: `${found}${vouched}` }
}

function writtenOff(record: StoredRecord, policy: string) {
  const { at, because, by, residues } = checkRecord(released, record)
  const left = Object.entries(residues).map(([key, amount]) => `${amount} ${key}`)
  const detail = `left on the way: ${left.join(', ')}`
  return { at, by, because, did: Did.Released, kind: 'policy', about: policy, policy, detail } as const
}

function subjectOf(kind: string): IntentKind {
  return kind === IntentKind.Withdraw ? IntentKind.Withdraw : IntentKind.Convert
}

/** In place of a name, where nobody claims to have deployed it. */
const NOT_RECORDED = 'not recorded'

/** @throws Defect */
function configured(record: StoredRecord): readonly Act[] {
  const version = configurationIn(record)
  const { at, by = NOT_RECORDED, changes = [] } = version
  const common = { at, by, because: null, what: null, record: record.pk }
  const file = `version ${record.version} of treasury.json`
  return [
    {
      ...common,
      did: Did.Configured,
      kind: 'configuration',
      about: String(record.version),
      policy: null,
      detail: `${changesText(version, record.version)}; ${placeText(version)}; SHA-256 ${version.configuration}`,
    },
    ...changes.map(
      ({ kind, path, text }): Act => ({
        ...common,
        did: kind,
        kind: 'bound',
        about: path,
        policy: policyIn(path),
        detail: `${text} (${file})`,
      }),
    ),
  ]
}

function changesText({ changes, changesTotal = 0, previous }: ConfigurationVersion, version: number): string {
  if (previous === undefined) {
    return version === 1
      ? 'the first version that was recorded'
      : 'recorded anew after the version before was deleted, so its changes are not known'
  }
  if (changes === undefined) return 'the version before is too large to be compared'
  const shown = changesTotal > changes.length ? `, of which ${changes.length} are in the log` : ''
  return `${counted(changesTotal, 'change')} of bounds and settings${shown}`
}

/** The deployment, and where to look up who really deployed it. */
function placeText({ commit, release, stack }: ConfigurationVersion): string {
  const source = commit === undefined ? '' : `, commit ${commit}`
  const proof =
    stack === undefined
      ? 'at a desk'
      : `by stack ${stack}: CloudTrail has who deployed it, as ExecuteChangeSet, CreateStack or UpdateStack of this stack before then`
  return `release ${release}${source}, ${proof}`
}

function policyIn(path: string): string | null {
  const [root, policy] = path.split('.')
  return root === 'policies' && policy !== undefined ? policy : null
}

// Finds the one record that a person means by an id. An ambiguous id is refused with its candidates; an unknown id is
// refused with what was searched. Also reads what is shown of that record. Reads only.

import type { RunReport } from '../../core/contract/runs.ts'
import { printable } from '../../core/printable.ts'
import { reportOfRun } from '../../core/runs/record/run-record.ts'
import { nearestName } from '../../core/treasury/nearest-name.ts'
import type { OperationContext } from '../../place/context.ts'
import type { ExecutionAccess } from '../../place/executions/executions.ts'
import type { ConfiguredJournal, NamedJournal, RunAccess } from '../../place/journal/journal-parts.ts'
import { type JournalConnection, withJournalConnection } from '../../place/journal-connection.ts'
import { findRun } from '../../place/named-policy.ts'
import { advice, type ConnectionFlags, options } from '../../place/next-step.ts'
import { failedWith, OperationError, usageError } from '../../place/operation-error.ts'
import { ID_EXPECTATION, isId } from '../../place/service/service-id.ts'
import {
  type ForeignMovement,
  type FoundRecord,
  findRecords,
  type RecordSources,
  type Scan,
  type Wanted,
} from './find-records.ts'
import { type LoadedIntent, loadIntent } from './load-intent.ts'
import { findReadableOwnId } from './own-id.ts'
import { RequestKind, readKind } from './record-kind.ts'
import { findUnrecorded, type Unrecorded } from './unrecorded.ts'

type Recorded = FoundRecord | { readonly kind: 'foreign'; readonly foreign: ForeignMovement }
export type OneRecord = Recorded | { readonly kind: 'unrecorded'; readonly unrecorded: Unrecorded }

/** Refuses a text that cannot be an id. Call it before anything is opened. @throws OperationError (exit 2) */
export function assertId(id: string): void {
  if (isId(id)) return
  throw usageError('usage', `id: expected ${ID_EXPECTATION}; got something else`, { do: 'list-movements' })
}

/** A record with all that is shown of it. */
export type ShownRecord =
  | Exclude<OneRecord, FoundRecord>
  | { readonly kind: 'run'; readonly report: RunReport; readonly ownId: string | undefined }
  | { readonly kind: 'intent'; readonly as: string; readonly loaded: LoadedIntent }

export interface Shown extends ConnectionFlags {
  readonly kind?: string
  /** The key of a record. The search through the journal begins after it. */
  readonly after?: string
}

/** Asks the service nothing. @throws OperationError: exit 2 for an ambiguous id, exit 1 for an unknown id */
export function readShownRecord(
  id: string,
  { kind: kindText, after, ...flags }: Shown,
  context: OperationContext,
): Promise<ShownRecord> {
  const kind = readKind(kindText)
  assertId(id)
  const read = async (journal: JournalConnection): Promise<ShownRecord> => {
    const found = await findOneRecord(id, { kind, after }, journal)
    if (found.kind === 'foreign' || found.kind === 'unrecorded') return found
    if (found.kind === 'run') {
      const ownId = await findReadableOwnId('run', found.run.runId, journal)
      return { kind: 'run', report: reportOfRun(found.run), ownId }
    }
    const { intent, as } = found
    const ownId = await findReadableOwnId(intent.kind, intent.intentId, journal)
    return { kind: 'intent', as, loaded: { ...(await loadIntent(intent, journal)), ownId } }
  }
  return withJournalConnection(flags, context, read, { showsTour: true })
}

/** @throws OperationError: exit 2 for an ambiguous id, exit 1 for an unknown one */
export async function findOneRecord(
  id: string,
  wanted: Wanted,
  connection: NamedJournal & ConfiguredJournal & RecordSources & ExecutionAccess,
): Promise<OneRecord> {
  const { asked, foreign, scan } = await findRecords(id, connection, wanted)
  const all: readonly Recorded[] = [
    ...asked,
    ...foreign.map((movement) => ({ kind: 'foreign', foreign: movement }) as const),
  ]
  const [only, ...others] = all
  if (only === undefined) {
    const unrecorded = await findUnrecorded(id, wanted.kind, connection)
    if (unrecorded !== undefined) return { kind: 'unrecorded', unrecorded }
    throw await unknown(id, { wanted, scan, connection })
  }
  // An exact id of a record takes precedence over other meanings of the same text.
  const [own, ...owns] = asked.filter((record) => record.id === id)
  if (owns.length > 0)
    throw several(
      id,
      [own, ...owns].filter((record) => record !== undefined),
    )
  if (others.length > 0 && own === undefined) throw several(id, all)
  return own ?? only
}

function several(id: string, all: readonly Recorded[]): OperationError {
  const kinds = [...new Set(all.map((found) => (found.kind === 'foreign' ? found.foreign.kind : found.kind)))]
  const byKind = kinds.length === all.length ? options('kind', kinds) : 'one of the ids above'
  return usageError(
    'usage',
    [`the id ${printable(id)} is ambiguous; it may mean:`, ...all.map(candidateText)].join('\n'),
    advice`the same command with ${byKind}`,
  )
}

function candidateText(found: Recorded): string {
  if (found.kind === 'foreign') return `${found.foreign.kind}: a movement that is claimed for others`
  return `${found.kind} ${printable(found.id)}: the id is ${found.as}`
}

interface Unknown {
  readonly wanted: Wanted
  readonly scan: Scan | undefined
  readonly connection: NamedJournal & ConfiguredJournal & RunAccess
}

async function unknown(id: string, { wanted, scan, connection }: Unknown): Promise<OperationError> {
  const { after, kind } = wanted
  const { records = 0, upTo } = scan ?? {}
  // People often give a policy's name in place of its run's id. The error then says so.
  const isPolicy = nearestName(id, Object.keys(connection.treasury.policies)) !== undefined
  if (isPolicy && (kind ?? RequestKind.Run) === RequestKind.Run) {
    const refused: unknown = await findRun(id, connection).catch((error: unknown) => error)
    if (refused instanceof OperationError) return refused
  }
  if (upTo !== undefined) {
    const searched =
      records === 1
        ? 'the one record that was searched does not have it'
        : `${records} records that were searched do not have it`
    return failedWith(
      'refused',
      `no key of the journal in ${connection.name} is ${printable(id)}, and ${searched}; there are more`,
      {
        do: 'show-movement',
        id,
        kind,
        after: upTo,
        why: 'searches the next ones; ids of intents, runs, executions and proven movements are keys',
      },
    )
  }
  const nouns = { convert: 'conversion', withdraw: 'withdrawal', run: 'run' }
  const none = kind === undefined ? 'no intent, run, execution, order or withdrawal' : `no ${nouns[kind]}`
  const rest = after === undefined ? '' : 'other '
  const searched = records === 1 ? `its one ${rest}record was` : `all ${records} ${rest}records were`
  return failedWith(
    'refused',
    `the journal in ${connection.name} has ${none} that goes by ${printable(id)}; ${searched} searched`,
    { do: 'list-movements' },
  )
}

// Finds a request by any of its ids: the record's, the given id, an execution's, or the service's id of the order or
// withdrawal. It reads keys of the journal first, then open intents. Only where neither knows the id it scans the
// journal, a part at a time. Reads only.
import { ANY_INTENT, FOREIGN, IntentKind, RECORD_FORMAT, recordKey } from '../../core/contract/records.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { fieldsOfIntent } from '../../core/journal/intent-record.ts'
import { findNamed, type PersonsDecision } from '../../core/journal/journal.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { findTries } from '../../core/runs/plan/payments.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import type { IntentAccess, OpenIntentAccess, RecordAccess, RunAccess } from '../../place/journal/journal-parts.ts'
import { findInIntent, findInRun, namedBy } from './named-ids.ts'
import { RequestKind } from './record-kind.ts'

/** `as`: what the id is to the record, in words. */
export type FoundRecord =
  | { readonly kind: 'convert' | 'withdraw'; readonly id: string; readonly as: string; readonly intent: Intent }
  | { readonly kind: 'run'; readonly id: string; readonly as: string; readonly run: RunRecord }

/** A movement that a person declared foreign. */
export interface ForeignMovement {
  readonly kind: IntentKind
  readonly id: string
  /** Absent where the journal has no declaration by a person: a step of a run has claimed it for others. */
  readonly word: PersonsDecision | undefined
}

interface FoundRecords {
  /** Each record once. There are several where the id is ambiguous. */
  readonly asked: readonly FoundRecord[]
  readonly foreign: readonly ForeignMovement[]
  /** Absent where a key was enough. */
  readonly scan?: Scan
}

export interface Scan {
  readonly records: number
  /** The last key that was read, where more records follow. */
  readonly upTo?: string
}

export interface Wanted {
  readonly kind?: RequestKind | undefined
  /** The key of a record. The scan begins behind it. */
  readonly after?: string | undefined
}

export type RecordSources = IntentAccess &
  RunAccess &
  Pick<OpenIntentAccess, 'openIntents'> &
  Pick<RecordAccess, 'scanPart'>

/** Maximum open intents that are read, to see whether one of them has the id. */
const MOST_OPEN = 200

/** @throws Transient, Defect */
export async function findRecords(
  id: string,
  connection: RecordSources,
  { kind, after }: Wanted,
): Promise<FoundRecords> {
  const named = namedBy(id)
  const isWanted = (found: RequestKind) => (kind === undefined || found === kind) && (named.kind ?? found) === found
  const found = new FoundOnce(isWanted)
  // The first search has read every key.
  if (after !== undefined) return scanJournal(id, connection, found, after)
  for (const { id: intentId, kind: intentKind, as } of named.intents)
    found.addIntent(await connection.journal.find(intentId, intentKind), as)
  for (const { id: runId, as } of named.runs) found.addRun(await connection.runJournal.runs.find(runId), as)
  found.addIntent((await findTries(id, connection.journal)).at(-1), 'the id of a payout row')
  // An exact id of a record takes precedence over other meanings of the same text.
  if (found.all().some(({ id: own }) => own === id)) return { asked: found.all(), foreign: [] }
  const foreign = (await addClaimed(id, connection, found)).filter((movement) => isWanted(movement.kind))
  await addOpen(id, connection, found)
  if (found.all().length + foreign.length > 0) return { asked: found.all(), foreign }
  return scanJournal(id, connection, found, undefined)
}

/** Collects each record once, under the first id that led to it. */
class FoundOnce {
  readonly #found = new Map<string, FoundRecord>()
  readonly #isWanted: (kind: RequestKind) => boolean

  constructor(isWanted: (kind: RequestKind) => boolean) {
    this.#isWanted = isWanted
  }

  addIntent(intent: Intent | undefined, as: string): void {
    if (intent !== undefined) this.#add({ kind: intent.kind, id: intent.intentId, as, intent })
  }

  addRun(run: RunRecord | undefined, as: string): void {
    if (run !== undefined) this.#add({ kind: RequestKind.Run, id: run.runId, as, run })
  }

  all(): readonly FoundRecord[] {
    return [...this.#found.values()]
  }

  #add(asked: FoundRecord): void {
    const key = `${asked.kind}#${asked.id}`
    if (this.#isWanted(asked.kind) && !this.#found.has(key)) this.#found.set(key, asked)
  }
}

/** An order and a withdrawal may have the same id, because their claims are different records. */
async function addClaimed(id: string, { journal }: RecordSources, found: FoundOnce): Promise<ForeignMovement[]> {
  const foreign: ForeignMovement[] = []
  for (const kind of Object.values(IntentKind)) {
    const holder = await journal.findClaim(kind, id)
    if (holder === undefined) continue
    if (holder === FOREIGN) foreign.push({ kind, id, word: await journal.findForeign(kind, id) })
    else found.addIntent(await journal.find(holder, kind), kind === IntentKind.Convert ? 'its order' : 'its withdrawal')
  }
  return foreign
}

/**
 * A movement in doubt has no claim yet, but an open intent may name it: an order that may exist, or a candidate row.
 */
async function addOpen(id: string, { openIntents }: RecordSources, found: FoundOnce): Promise<void> {
  // The scan sees the intents that are left out here. `cases list` names the unreadable ones.
  const { intents } = await openIntents({ limit: MOST_OPEN, onMisfit: () => undefined })
  for (const intent of intents) {
    const as = findInIntent(recordOf(intent), id)
    if (as !== undefined) found.addIntent(intent, as)
  }
}

/** Scans the journal, as the last resort. */
async function scanJournal(
  id: string,
  { journal, runJournal, scanPart }: RecordSources,
  found: FoundOnce,
  after: string | undefined,
): Promise<FoundRecords> {
  const runPrefix = recordKey.run('')
  let records = 0
  let upTo: string | undefined
  const onCutOff = (key: string) => {
    upTo = key
  }
  for await (const record of scanPart([ANY_INTENT, runPrefix], { after, onCutOff })) {
    records += 1
    if (record.pk.startsWith(ANY_INTENT)) {
      const as = findInIntent(record, id)
      if (as !== undefined) found.addIntent(await findNamed(journal, record.pk.slice(ANY_INTENT.length)), as)
      continue
    }
    const inRun = findInRun(record, id)
    if (inRun === undefined) continue
    if (inRun.intentId === undefined)
      found.addRun(await runJournal.runs.find(record.pk.slice(runPrefix.length)), inRun.as)
    else found.addIntent(await journal.find(inRun.intentId, inRun.kind), inRun.as)
  }
  return { asked: found.all(), foreign: [], scan: { records, ...(upTo !== undefined && { upTo }) } }
}

function recordOf(intent: Intent): StoredRecord {
  return {
    ...fieldsOfIntent(intent),
    pk: recordKey.intent(intent.kind, intent.intentId),
    version: intent.version,
    format: RECORD_FORMAT,
    stamp: '',
  }
}

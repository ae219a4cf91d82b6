// Finds what was asked for by any id: that of the record, the one that was given, an execution, an order or a withdrawal
// of the service. Keys of the journal are read first, then the intents that are not settled. Only where neither knows the
// id is the journal looked through, a part at a time. Reads only.
import { ANY_INTENT, FOREIGN, IntentKind, RECORD_FORMAT, recordKey } from '../../core/contract/records.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { fieldsOfIntent } from '../../core/journal/intent-record.ts'
import { findNamed, type PersonsWord } from '../../core/journal/journal.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import type { JournalConnection } from '../connection/journal/journal-connection.ts'
import { AskedKind } from './asked-kind.ts'
import { findInIntent, findInRun, namedBy } from './named-ids.ts'

/** `as`: what the id is of it, in words. */
export type Asked =
  | { readonly kind: 'convert' | 'withdraw'; readonly id: string; readonly as: string; readonly intent: Intent }
  | { readonly kind: 'run'; readonly id: string; readonly as: string; readonly run: RunRecord }

/** A movement that a person declared to be others' business. */
export interface ForeignMovement {
  readonly kind: IntentKind
  readonly id: string
  /** Absent where the journal has no such word: a step of a run has claimed it for others. */
  readonly word: PersonsWord | undefined
}

export interface FoundAsked {
  /** Each once. More than one where the id is of several. */
  readonly asked: readonly Asked[]
  readonly foreign: readonly ForeignMovement[]
  /** Absent where a key was enough. */
  readonly lookedThrough?: LookedThrough
}

export interface LookedThrough {
  readonly records: number
  /** Where there are more behind: the key of the last one, to go on with. */
  readonly upTo?: string
}

/** What is looked for. */
export interface Wanted {
  readonly kind?: AskedKind | undefined
  /** The key of a record: the journal is looked through behind it. */
  readonly after?: string | undefined
}

type Reads = Pick<JournalConnection, 'journal' | 'runJournal' | 'openIntents' | 'scanPart'>

/** Open intents that are read, to see whether one of them knows the id. */
const MOST_OPEN = 200

/** @throws Transient, Defect */
export async function findAsked(id: string, connection: Reads, { kind, after }: Wanted): Promise<FoundAsked> {
  const named = namedBy(id)
  const isWanted = (of: AskedKind) => (kind === undefined || of === kind) && (named.kind ?? of) === of
  const found = new FoundOnce(isWanted)
  // The look before has read every key.
  if (after !== undefined) return lookThrough(id, connection, found, after)
  for (const { id: intentId, kind: of, as } of named.intents)
    found.addIntent(await connection.journal.find(intentId, of), as)
  for (const { id: runId, as } of named.runs) found.addRun(await connection.runJournal.runs.find(runId), as)
  // An id of the record itself is that record, whatever else may be called so.
  if (found.all().some(({ id: own }) => own === id)) return { asked: found.all(), foreign: [] }
  const foreign = (await addClaimed(id, connection, found)).filter((movement) => isWanted(movement.kind))
  await addOpen(id, connection, found)
  if (found.all().length + foreign.length > 0) return { asked: found.all(), foreign }
  return lookThrough(id, connection, found, undefined)
}

/** Collects what was found, each once, by the first thing that led to it. */
class FoundOnce {
  readonly #found = new Map<string, Asked>()
  readonly #isWanted: (kind: AskedKind) => boolean

  constructor(isWanted: (kind: AskedKind) => boolean) {
    this.#isWanted = isWanted
  }

  addIntent(intent: Intent | undefined, as: string): void {
    if (intent !== undefined) this.#add({ kind: intent.kind, id: intent.intentId, as, intent })
  }

  addRun(run: RunRecord | undefined, as: string): void {
    if (run !== undefined) this.#add({ kind: AskedKind.Run, id: run.runId, as, run })
  }

  all(): readonly Asked[] {
    return [...this.#found.values()]
  }

  #add(asked: Asked): void {
    const key = `${asked.kind}#${asked.id}`
    if (this.#isWanted(asked.kind) && !this.#found.has(key)) this.#found.set(key, asked)
  }
}

/** An order and a withdrawal may have the same id: their claims are different records. */
async function addClaimed(id: string, { journal }: Reads, found: FoundOnce): Promise<ForeignMovement[]> {
  const foreign: ForeignMovement[] = []
  for (const kind of Object.values(IntentKind)) {
    const holder = await journal.findClaim(kind, id)
    if (holder === undefined) continue
    if (holder === FOREIGN) foreign.push({ kind, id, word: await journal.findForeign(kind, id) })
    else found.addIntent(await journal.find(holder, kind), kind === IntentKind.Convert ? 'its order' : 'its withdrawal')
  }
  return foreign
}

/** What is in doubt has no claim yet: an order that may exist, or a row that may be the withdrawal. */
async function addOpen(id: string, { openIntents }: Reads, found: FoundOnce): Promise<void> {
  // The scan sees those that are left out. One that cannot be read hides none of the others: `cases list` names it.
  const { intents } = await openIntents({ limit: MOST_OPEN, onMisfit: () => undefined })
  for (const intent of intents) {
    const as = findInIntent(recordOf(intent), id)
    if (as !== undefined) found.addIntent(intent, as)
  }
}

/** The scan of last resort. */
async function lookThrough(
  id: string,
  { journal, runJournal, scanPart }: Reads,
  found: FoundOnce,
  after: string | undefined,
): Promise<FoundAsked> {
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
  return { asked: found.all(), foreign: [], lookedThrough: { records, ...(upTo !== undefined && { upTo }) } }
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

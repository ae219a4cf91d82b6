// Finds what was asked for by any id: that of the record, the one that was given, an execution, an order or a withdrawal
// of the service. Keys of the journal are read first, then the intents that are not settled. Only where neither knows the
// id is the journal looked through, up to the bound of every scan. Reads only.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { FOREIGN, FOREIGN_OF_EITHER_KIND, IntentKind, listing, recordKey } from '../../core/contract/records.ts'
import { Defect } from '../../core/errors.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { fieldsOfIntent } from '../../core/journal/intent-record.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import type { JournalTarget } from '../target/journal/journal-target.ts'
import { CommandError } from '../terminal/command-error.ts'
import { ExitCode } from '../terminal/exit-code.ts'
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
}

export interface FoundAsked {
  /** Each once. More than one where the id is of several. */
  readonly asked: readonly Asked[]
  readonly foreign: readonly ForeignMovement[]
  /** How many records were looked through; absent where a key was enough. */
  readonly lookedThrough?: number
}

type Reads = Pick<JournalTarget, 'journal' | 'runJournal' | 'intentIndex' | 'scan'>

/** Open intents that are read, to see whether one of them knows the id. */
const MOST_OPEN = 200

/** @throws Transient, Defect. @throws CommandError (exit 1) where the journal is too long to look through */
export async function findAsked(id: string, target: Reads, kind?: AskedKind): Promise<FoundAsked> {
  const named = namedBy(id)
  const isWanted = (of: AskedKind) => (kind === undefined || of === kind) && (named.kind ?? of) === of
  const found = new FoundOnce(isWanted)
  for (const { id: intentId, as } of named.intents) found.addIntent(await target.journal.find(intentId), as)
  for (const { id: runId, as } of named.runs) found.addRun(await target.runJournal.runs.find(runId), as)
  // An id of the record itself is that record, whatever else may be called so.
  if (found.all().some(({ id: own }) => own === id)) return { asked: found.all(), foreign: [] }
  const foreign = (await addClaimed(id, target, found)).filter((movement) => isWanted(movement.kind))
  await addOpen(id, target, found)
  if (found.all().length + foreign.length > 0) return { asked: found.all(), foreign }
  return lookThrough(id, target, found)
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
    const key = `${asked.kind === AskedKind.Run ? 'R' : 'I'}#${asked.id}`
    if (this.#isWanted(asked.kind) && !this.#found.has(key)) this.#found.set(key, asked)
  }
}

/** An order and a withdrawal may have the same id: their claims are different records. */
async function addClaimed(id: string, { journal }: Reads, found: FoundOnce): Promise<ForeignMovement[]> {
  const foreign: ForeignMovement[] = []
  for (const kind of Object.values(IntentKind)) {
    const holder = await journal.findClaim(kind, id)
    if (holder === undefined) continue
    if (holder === FOREIGN || holder === FOREIGN_OF_EITHER_KIND) foreign.push({ kind, id })
    else found.addIntent(await journal.find(holder, kind), kind === IntentKind.Convert ? 'its order' : 'its withdrawal')
  }
  return foreign
}

/** What is in doubt has no claim yet: an order that may exist, or a row that may be the withdrawal. */
async function addOpen(id: string, { journal, intentIndex }: Reads, found: FoundOnce): Promise<void> {
  // Where there are more, the scan below sees them all.
  const ids = await intentIndex.list(listing.open, MOST_OPEN).catch((error: unknown) => {
    if (error instanceof Defect) return []
    throw error
  })
  // One that cannot be read hides none of the others: `attention` names it.
  const open = await mapBounded(ids, READS_AT_ONCE, (each) =>
    journal.find(each).catch((error: unknown) => {
      if (error instanceof Defect) return undefined
      throw error
    }),
  )
  for (const intent of open) {
    const as = intent && findInIntent(recordOf(intent), id)
    if (as !== undefined) found.addIntent(intent, as)
  }
}

/** The scan of last resort. */
async function lookThrough(id: string, { journal, runJournal, scan }: Reads, found: FoundOnce): Promise<FoundAsked> {
  const runPrefix = recordKey.run('')
  const intentPrefix = recordKey.intent('')
  let lookedThrough = 0
  for await (const record of scan([intentPrefix, runPrefix], tooLong)) {
    lookedThrough += 1
    if (record.pk.startsWith(intentPrefix)) {
      const as = findInIntent(record, id)
      if (as !== undefined) found.addIntent(await journal.find(record.pk.slice(intentPrefix.length)), as)
      continue
    }
    const inRun = findInRun(record, id)
    if (inRun === undefined) continue
    if (inRun.intentId === undefined)
      found.addRun(await runJournal.runs.find(record.pk.slice(runPrefix.length)), inRun.as)
    else found.addIntent(await journal.find(inRun.intentId), inRun.as)
  }
  return { asked: found.all(), foreign: [], lookedThrough }
}

function recordOf(intent: Intent): StoredRecord {
  return { ...fieldsOfIntent(intent), pk: recordKey.intent(intent.intentId), version: intent.version, stamp: '' }
}

function tooLong(message: string): CommandError {
  return new CommandError({
    exitCode: ExitCode.Failed,
    code: 'refused',
    message: `no record has this id as its key, and ${message}: too many to look through`,
    next: 'give the id of an intent, a run, an execution, a proven order or a proven withdrawal: those are keys',
  })
}

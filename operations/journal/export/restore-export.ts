// Puts back what an export proves and the journal lacks. Records that had ended in the export are put back unchanged.
// Open ones may have moved since, so they become ESCALATED, and no id becomes usable again. It never changes a record
// that is as new. It may be cut off anywhere, and repeated.
import { randomUUID } from 'node:crypto'
import { mapBounded, READS_AT_ONCE } from '../../../core/bounded.ts'
import { IntentKind, IntentState } from '../../../core/contract/records.ts'
import { longestFenceSeconds } from '../../../core/contract/timing.ts'
import { Defect, Refused, Transient } from '../../../core/errors.ts'
import { type Intent, isLost, isSettled } from '../../../core/journal/intent.ts'
import { intentOfRecord } from '../../../core/journal/intent-record.ts'
import { createLanes } from '../../../core/journal/lanes.ts'
import { outlineOf } from '../../../core/journal/long-records.ts'
import { judgeChain, withoutChain } from '../../../core/journal/record-chain.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { isAtEnd, mayBeginAgain, runOfRecord } from '../../../core/runs/record/run-record.ts'
import type {
  ConfiguredJournal,
  IntentAccess,
  RecordAccess,
  RequestAccess,
} from '../../../place/journal/journal-parts.ts'
import { ATTENTION, REBUILT } from '../judge.ts'
import { closedRunRecord, isFinalRun } from '../run-evidence.ts'
import type { Manifest } from './manifest.ts'
import { recordsOfExport } from './read-export.ts'

type Restoring = ConfiguredJournal & IntentAccess & Pick<RequestAccess, 'readRecord'> & Pick<RecordAccess, 'store'>

export interface ReadExport {
  readonly dir: string
  readonly manifest: Manifest
}

export interface Restored {
  readonly about: string
  /** The change, in words. */
  readonly write: string
  readonly because: string
  /** Whether the record is put back unchanged. There may be millions of these. */
  readonly isAsItWas: boolean
  readonly isFailed: boolean
}

/**
 * The passes before and after executions are read. The executions of an id that was under way may prove more than the
 * export.
 */
export type Pass = 'ended' | 'underWay' | 'claims'

/**
 * Kinds of records that are put back where they are absent, beside intents, runs and claims. Each of them only prevents
 * movements, is a page of a run (`G#`), or belongs to the log of people alone (`Y#`).
 */
const HOLDING_BACK = /^[BEFGHOTY]#/

interface Restoration {
  readonly pass: Pass
  /** False only reports what would be written. */
  readonly mayWrite: boolean
  readonly onRestored: (restored: Restored) => void
}

const AT_ONCE = 1_000

export async function restoreExport(
  connection: Restoring,
  { dir, manifest }: ReadExport,
  restoration: Restoration,
): Promise<void> {
  let some: StoredRecord[] = []
  // One after the other, where records may share a list of lost withdrawals, or an intent.
  const most = restoration.pass === 'ended' ? READS_AT_ONCE : 1
  const restore = async () => {
    await mapBounded(some, most, (record) => restoreRecord(connection, record, manifest.startedAt, restoration))
    some = []
  }
  for await (const record of recordsOfExport(dir, manifest)) {
    some.push(record)
    if (some.length === AT_ONCE) await restore()
  }
  await restore()
}

async function restoreRecord(
  connection: Restoring,
  record: StoredRecord,
  at: string,
  { mayWrite, onRestored, pass }: Restoration,
): Promise<void> {
  const about = record.pk
  try {
    const plan = await planFor(connection, record, pass, at)
    if (plan === undefined) return
    if (mayWrite) await plan.work()
    const { because, isAsItWas, write } = plan
    onRestored({ about, write, because, isAsItWas, isFailed: false })
  } catch (error) {
    // The next restore tries again: another process wrote it meanwhile, its id belongs to another request, or it was
    // edited.
    if (!(error instanceof Transient || error instanceof Refused || error instanceof Defect)) throw error
    onRestored({ about, write: 'nothing', because: error.message, isAsItWas: false, isFailed: true })
  }
}

interface Plan {
  readonly isAsItWas: boolean
  readonly write: string
  readonly because: string
  readonly work: () => Promise<unknown>
}

async function planFor(connection: Restoring, record: StoredRecord, pass: Pass, at: string): Promise<Plan | undefined> {
  const { pk } = record
  if (pass === 'claims') return pk.startsWith('C#') ? planHolder(connection, record, at) : undefined
  if (pk.startsWith('I#')) return planIntent(connection, record, pass, at)
  if (pk.startsWith('R#')) return planRun(connection, record, pass, at)
  if (pass !== 'ended' || judgeChain(record).is === 'broken') return undefined
  if (!pk.startsWith('C#') && !HOLDING_BACK.test(pk)) return undefined
  if ((await connection.readRecord(pk)) !== undefined) return undefined
  return put(connection, record, undefined, `the export of ${at} has it`)
}

async function planIntent(
  connection: Restoring,
  record: StoredRecord,
  pass: Pass,
  at: string,
): Promise<Plan | undefined> {
  const was = intentOfRecord(record)
  const known = await connection.journal.find(was.intentId, was.kind)
  if (known !== undefined && (isSettled(known.state) || !isOlder(known, was))) return undefined
  const isWhole = judgeChain(record).is !== 'broken'
  if (isSettled(was.state) && isWhole) {
    return pass === 'ended' ? put(connection, record, known, `it was ${was.state} in the export of ${at}`) : undefined
  }
  if (pass !== 'underWay') return undefined
  if (known?.state === IntentState.Escalated) return undefined
  const isAsked = was.state === IntentState.Escalated && isWhole
  const because = isAsked
    ? `it waited for a person in the export of ${at}`
    : `whether it has moved money is not known: it was ${was.state} in the export of ${at}`
  const work = async () => {
    await closeLane(connection, was)
    // The decision of a person is put back with all its facts.
    if (isAsked) return writeOver(connection, record, known)
    return escalate(connection, was, known, because)
  }
  return { isAsItWas: false, write: 'ESCALATED', because, work }
}

/** For an intent that is open in the journal. A record that a rebuild has written knows less than any former record. */
function isOlder(known: Intent, was: Intent): boolean {
  const isRebuilt = known.why?.includes(REBUILT) === true && isLost(known) && known.resolution === undefined
  return isRebuilt || known.version < was.version
}

async function planRun(connection: Restoring, record: StoredRecord, pass: Pass, at: string): Promise<Plan | undefined> {
  // Its pages may not be back yet, and nothing here depends on its legs.
  const was = runOfRecord(outlineOf(record))
  const stored = await connection.readRecord(record.pk)
  const known = stored && runOfRecord(stored)
  // An end that a later entry may begin again is older than what came after it.
  const hasEnded = known !== undefined && isAtEnd(known) && !mayBeginAgain(known)
  if (known !== undefined && (hasEnded || known.version >= was.version)) return undefined
  const isFinal = isFinalRun(was) && judgeChain(record).is !== 'broken'
  if (isFinal !== (pass === 'ended')) return undefined
  if (isFinal) return put(connection, record, known, `it was ${was.outcome} in the export of ${at}`)
  const closed = closedRunRecord(record, was)
  return {
    isAsItWas: false,
    write: String(closed.outcome),
    because: `it was ${was.outcome} in the export of ${at}, and may have gone on since`,
    work: () => writeOver(connection, closed, known),
  }
}

/**
 * A claim proves a movement. Its holder is DONE by it, even where the holder's record is younger than the export's
 * start.
 */
async function planHolder(connection: Restoring, claim: StoredRecord, at: string): Promise<Plan | undefined> {
  const [, named, movementId] = /^C#(convert|withdraw)#(.+)$/s.exec(claim.pk) ?? []
  const kind = Object.values(IntentKind).find((each) => each === named)
  const { intentId } = claim
  if (kind === undefined || movementId === undefined || typeof intentId !== 'string') return undefined
  // No intent's id begins with a bracket. A person declared this movement foreign.
  if (intentId.startsWith('(')) return undefined
  const known = await connection.journal.find(intentId, kind)
  if (known !== undefined && !(isLost(known) && known.why?.includes(REBUILT) && known.resolution === undefined))
    return undefined
  const because = `the export of ${at} has its claim on ${movementId}`
  const work = async () => {
    const lost = known ?? (await openLost(connection, { intentId, kind, params: {}, createdAt: at }, because))
    await connection.journal.advance(lost, { state: IntentState.Done, ref: movementId })
  }
  return { isAsItWas: false, write: `DONE by ${movementId}`, because: `${intentId}: ${because}`, work }
}

function put(
  connection: Restoring,
  record: StoredRecord,
  known: { readonly version: number } | undefined,
  because: string,
) {
  return { isAsItWas: true, write: 'as it was', because, work: () => writeOver(connection, record, known) }
}

/** Without an older record it keeps the version, because executions have seen it. */
async function writeOver(
  { store }: Restoring,
  record: StoredRecord,
  known: { readonly version: number } | undefined,
): Promise<void> {
  const bare = { ...withoutChain(record), stamp: randomUUID() }
  const outcome =
    known === undefined
      ? await store.create(bare)
      : await store.replace({ ...bare, version: known.version + 1 }, known.version)
  if (outcome === 'stale') throw new Transient(`another wrote ${record.pk} meanwhile`)
}

async function escalate(connection: Restoring, was: Intent, known: Intent | undefined, because: string): Promise<void> {
  if (known === undefined) {
    await openLost(connection, was, because)
    return
  }
  const end = { state: IntentState.Escalated, outcome: ATTENTION, why: `${because} (${REBUILT})` }
  await connection.journal.advance(known, { ...end, attempt: undefined })
}

type Opening = Pick<Intent, 'intentId' | 'kind' | 'createdAt'> & { readonly params: unknown }

/** ESCALATED at once, so that no step can find it READY. */
function openLost({ journal, treasury }: Restoring, { createdAt, intentId, kind, params }: Opening, because: string) {
  const frozen = { isEnteredAgain: true, fenceSeconds: longestFenceSeconds(treasury.timing) } as const
  const end = { state: IntentState.Escalated, outcome: ATTENTION, why: `${because} (${REBUILT})` }
  return journal.open<IntentKind>({ intentId, kind, params, frozen, createdAt, notAfter: createdAt }, end)
}

/** Closes the lane before the record exists, so that the record is listed as lost from its first moment. */
async function closeLane({ journal, store }: Restoring, { intentId, kind, params }: Intent): Promise<void> {
  if (kind !== IntentKind.Withdraw) return
  const { assetSymbol } = params as { readonly assetSymbol?: unknown }
  if (typeof assetSymbol === 'string') await createLanes(store, journal, randomUUID).closeForLost(assetSymbol, intentId)
}

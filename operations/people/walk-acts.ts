// Walks the acts of people, latest first, from the records that decide: requests of runs, decisions, halts, and
// statements, and from the versions of the configuration. Executions that no record explains are acts too. Each
// record's chain, the signatures of decisions and the requests of statements are checked when it is read. All earlier
// versions of a halt and of the configuration must be there. A broken or missing record is reported and hides no other.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { type IntentKind, PEOPLES_ACTS, RequestList, recordKey } from '../../core/contract/records.ts'
import { Defect } from '../../core/errors.ts'
import { pastHaltIn, scopeOfHalt } from '../../core/journal/halts.ts'
import { intentOfRecord } from '../../core/journal/intent-record.ts'
import { findReadable } from '../../core/journal/listed-records.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { assertFollows, pastConfigurationIn } from '../../core/people/configurations.ts'
import { runOfRecord } from '../../core/runs/record/run-record.ts'
import type { ApprovalAccess, RequestAccess } from '../../place/journal/journal-parts.ts'
import type { AskedList, RequestEntry } from '../../place/journal/request-index.ts'
import { findUnheardIn } from '../journal/unheard.ts'
import { requestName } from '../words/request-words.ts'
import { type Act, type BrokenRecord, Did } from './act.ts'
import { actsOfRecord } from './acts-of-record.ts'
import { type ActFilter, isWanted } from './filter.ts'
import { didOfRun, isStart, turnoverText, unrecordedStart } from './unrecorded-starts.ts'

/** Records that are read together. */
const PART = 64
/** Maximum earlier versions of the halts of one scope, or of the configuration: only people make new versions. */
const MOST_VERSIONS = 10_000

export interface ActSources {
  readonly journal: RequestAccess & Pick<ApprovalAccess, 'decisionKey'>
  readonly nowMs: number
  readonly onBroken: (broken: BrokenRecord) => void
}

/** @throws Transient */
export async function* walkActs(sources: ActSources, filter: ActFilter): AsyncGenerator<Act, void> {
  const { journal, nowMs } = sources
  const read = new Set<string>()
  let waiting: Act[] = []
  let part: RequestEntry[] = []
  const take = async (reachedMs: number) => {
    const found = await mapBounded(part, READS_AT_ONCE, ({ key }) => actsOf(key, sources, filter))
    waiting = [...waiting, ...found.flat()].sort(latestFirst)
    part = []
    // The records behind this part have no act after `reachedMs`.
    const open = waiting.findIndex((act) => !(Date.parse(act.at) > reachedMs))
    return waiting.splice(0, open === -1 ? waiting.length : open)
  }
  // The index has a record by its latest act, so a record after `beforeMs` may have earlier acts as well.
  for await (const entry of journal.walkRequests(listsFor(filter), { sinceMs: filter.sinceMs }, nowMs)) {
    // The index may list a record twice while it moves on to another month.
    if (read.has(entry.key)) continue
    read.add(entry.key)
    part.push(entry)
    if (part.length === PART) yield* await take(Date.parse(entry.at))
  }
  yield* await take(Number.NEGATIVE_INFINITY)
  if (!read.has(recordKey.configuration)) await reportLostConfiguration(sources)
}

/** The lists of movements and runs are long, so they are walked only where their acts may be wanted. */
function listsFor({ did, person }: ActFilter): readonly AskedList[] {
  const isWalked = person === undefined && (did === undefined || did === Did.Asked || did === Did.Planned)
  return isWalked ? [PEOPLES_ACTS, ...Object.values(RequestList)] : [PEOPLES_ACTS]
}

/** The index cannot list a deleted record, but its earlier versions show that it was there. */
async function reportLostConfiguration({ journal, onBroken }: ActSources): Promise<void> {
  const [newest, earlier] = await Promise.all(
    [recordKey.configuration, recordKey.pastConfiguration(1)].map((key) =>
      findReadable(
        () => journal.readRecord(key),
        () => undefined,
      ),
    ),
  )
  if (newest !== undefined || earlier === undefined) return
  const record = recordKey.configuration
  onBroken({ record, message: `the record ${record} is missing, and its earlier versions are there` })
}

function latestFirst(left: Act, right: Act): number {
  const byRecord = left.record === right.record ? 0 : left.record < right.record ? -1 : 1
  // Acts of one record keep their order.
  return Date.parse(right.at) - Date.parse(left.at) || byRecord
}

async function actsOf(key: string, sources: ActSources, filter: ActFilter): Promise<readonly Act[]> {
  if (isStart(key)) {
    const starts = await unrecordedStart(key, sources.journal)
    return starts.filter((act) => isWanted(act, filter))
  }
  const record = await findWhole(key, sources)
  if (record === undefined) return []
  const kept = versionsKeptOf(key)
  const past = kept === undefined ? [] : await pastOf(record, kept, sources, filter)
  const acts = [...(await actsIn(record, key, sources)), ...past]
  // Only the record of the run says that it was a plan.
  const mayBe = filter.did === Did.Planned ? { ...filter, did: Did.Asked } : filter
  const named = await mapBounded(
    acts.filter((act) => isWanted(act, mayBe)),
    1,
    async (act) => (act.policy === null ? { ...act, ...(await subjectOf(act, sources.journal)) } : act),
  )
  return named.filter((act) => isWanted(act, filter))
}

/** Reports a record that is missing or broken. */
async function findWhole(key: string, { journal, onBroken }: ActSources): Promise<StoredRecord | undefined> {
  const report = ({ message }: Error) => onBroken({ record: key, message })
  return findReadable(async () => {
    const record = await journal.readRecord(key)
    if (record === undefined) throw new Defect(`the record ${key} is missing`)
    return record
  }, report)
}

/** How a record's earlier versions are kept. */
interface KeptVersions {
  readonly keyOf: (version: number) => string
  /** @throws Defect */
  readonly read: (kept: StoredRecord) => StoredRecord
  /** Throws Defect where `next` was not written after `was`. */
  readonly assertNext?: (was: StoredRecord, next: StoredRecord) => void
}

/** Undefined for a record whose earlier versions are not kept. */
function versionsKeptOf(key: string): KeptVersions | undefined {
  if (key === recordKey.configuration) {
    return { keyOf: recordKey.pastConfiguration, read: pastConfigurationIn, assertNext: assertFollows }
  }
  if (!key.startsWith(recordKey.halt(''))) return undefined
  return { keyOf: (version) => recordKey.pastHalt(scopeOfHalt(key), version), read: pastHaltIn }
}

/** The acts of the earlier versions of a record, back to the first one before the time of the filter. */
async function pastOf(
  current: StoredRecord,
  { assertNext, keyOf, read }: KeptVersions,
  sources: ActSources,
  { sinceMs }: ActFilter,
): Promise<readonly Act[]> {
  await reportPutBack(current, keyOf(current.version + 1), sources)
  const past: Act[] = []
  const oldest = Math.max(1, current.version - MOST_VERSIONS)
  let next: StoredRecord | undefined = current
  for (let version = current.version - 1; version >= oldest; version -= 1) {
    const key = keyOf(version)
    const kept = await findWhole(key, sources)
    const later: StoredRecord | undefined = next
    const was: StoredRecord | undefined =
      kept &&
      (await findReadable(
        async () => {
          const found = read(kept)
          assertKept(found, { key, pk: current.pk, version })
          if (later !== undefined) assertNext?.(found, later)
          return found
        },
        reporting(key, sources),
      ))
    next = was
    if (was === undefined) continue
    const acts = await actsIn(was, key, sources)
    past.push(...acts)
    if (sinceMs !== undefined && acts.some(({ at }) => Date.parse(at) < sinceMs)) return past
  }
  if (oldest > 1) sources.onBroken({ record: current.pk, message: `only the latest ${MOST_VERSIONS} acts were read` })
  return past
}

/** A version is kept before the next replaces it, so none has the number after the newest. */
async function reportPutBack({ pk, version }: StoredRecord, next: string, { journal, onBroken }: ActSources) {
  if ((await journal.readRecord(next)) === undefined) return
  onBroken({
    record: pk,
    message: `the record ${pk} has version ${version}, and a version ${version + 1} of it was there`,
  })
}

/** @throws Defect where another version stands under the number */
function assertKept(found: StoredRecord, { key, pk, version }: { key: string; pk: string; version: number }): void {
  if (found.pk === pk && found.version === version) return
  throw new Defect(`the record ${key} keeps another version: ${found.version} of ${found.pk}`)
}

/** Reports a record with something that nobody said. Its acts are listed all the same, as they are written. */
async function actsIn(record: StoredRecord, key: string, sources: ActSources): Promise<readonly Act[]> {
  const { journal, onBroken } = sources
  const store = { read: journal.readRecord }
  const acts = await findReadable(
    async () => {
      const unheard = await findUnheardIn(record, store, journal.decisionKey)
      if (unheard !== undefined) onBroken({ record: key, message: unheard })
      return actsOfRecord(record)
    },
    reporting(key, sources),
  )
  return (acts ?? []).map((act) => ({ ...act, record: key }))
}

function reporting(record: string, { onBroken }: ActSources) {
  return ({ message }: Error) => onBroken({ record, message })
}

/**
 * Reads what the record of the run or the intent adds to an act: policy, time and words. Undefined where that record is
 * missing or broken, because the act itself is known without it.
 */
async function subjectOf({ did, kind, about }: Act, { readRecord }: Pick<RequestAccess, 'readRecord'>) {
  if (about === null || (kind !== 'run' && kind !== 'convert' && kind !== 'withdraw')) return undefined
  return findReadable(
    async () => (kind === 'run' ? runNamed(about, did, readRecord) : intentNamed(kind, about, readRecord)),
    () => undefined,
  )
}

type Read = RequestAccess['readRecord']

async function runNamed(
  runId: string,
  did: Did,
  read: Read,
): Promise<Pick<Act, 'did' | 'policy' | 'startedAt' | 'what'> | undefined> {
  const record = await read(recordKey.run(runId))
  if (record === undefined) return undefined
  const run = runOfRecord(record)
  const named = { policy: run.policy, startedAt: run.startedAt, what: turnoverText(run) }
  return { ...named, did: did === Did.Asked ? didOfRun(run) : did }
}

async function intentNamed(
  kind: IntentKind,
  intentId: string,
  read: Read,
): Promise<Pick<Act, 'policy' | 'what'> | undefined> {
  const record = await read(recordKey.intent(kind, intentId))
  if (record === undefined) return undefined
  const intent = intentOfRecord(record)
  const { policy } = intent.params
  return { policy: typeof policy === 'string' ? policy : null, what: requestName(intent) }
}

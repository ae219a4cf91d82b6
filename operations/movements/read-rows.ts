// Reads the rows of `sluice movements list`, newest first, from the journal's index by time. Where only open records
// are asked for, it reads the list of open records. Each read is bounded, and says how to continue.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { entryName } from '../../core/contract/fields.ts'
import { REFUND_DUE } from '../../core/contract/outcome-names.ts'
import { ConvertEnd, WithdrawEnd } from '../../core/contract/outcomes.ts'
import { IntentState, RequestList, recordKey } from '../../core/contract/records.ts'
import { MACHINE_OF_INTENTS } from '../../core/contract/states.ts'
import { intentOfRecord } from '../../core/journal/intent-record.ts'
import { findReadable } from '../../core/journal/listed-records.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { type LegResult, runOfRecord } from '../../core/runs/record/run-record.ts'
import { findLastEntry } from '../../core/triggers/entries.ts'
import type { Executions } from '../../place/executions/executions.ts'
import type { OpenIntentAccess, RequestAccess, RunAccess } from '../../place/journal/journal-parts.ts'
import type { RequestEntry } from '../../place/journal/request-index.ts'
import { isSeen } from './attention.ts'
import { findReadableOwnId } from './own-id.ts'
import { RequestKind } from './record-kind.ts'
import { newestFirst, passesFilter, type RequestRow, type RowFilter, rowOfIntent, rowOfRun } from './request-row.ts'
import { lastReportIn } from './under-way.ts'

export interface ReadRows {
  /** The newest rows. Where more than the limit exist, at least one row more. */
  readonly rows: readonly RequestRow[]
  /** One message for each record that cannot be read. */
  readonly unreadable: readonly string[]
  /** Where not everything was read: the filter that continues. */
  readonly goOn?: { readonly before: string }
}

/** Maximum records that are read beyond the shown rows, because a filter may drop many. */
const MOST_DROPPED = 500
const CHUNK = 64
export const MOST_ROWS = 10_000

/** All open records; undefined where more are open than one read returns. The list by time is read then. */
export async function readOpen(
  {
    openIntents,
    readRecord,
    runJournal,
  }: RunAccess & Pick<OpenIntentAccess, 'openIntents'> & Pick<RequestAccess, 'readRecord'>,
  filter: RowFilter,
): Promise<ReadRows | undefined> {
  const unreadable: string[] = []
  let isCutOff = false
  const onCutOff = () => {
    isCutOff = true
  }
  const [{ intents, lookedAtUpTo }, runs] = await Promise.all([
    openIntents({ onMisfit: ({ message }) => unreadable.push(message) }),
    runJournal.open(onCutOff),
  ])
  if (isCutOff || lookedAtUpTo !== undefined) return undefined
  const all = await mapBounded([...intents.map(rowOfIntent), ...runs.map(rowOfRun)], READS_AT_ONCE, (row) =>
    withOwnId(row, readRecord, unreadable),
  )
  const rows = all.filter((row) => passesFilter(row, filter))
  return { rows: rows.sort(newestFirst), unreadable }
}

export async function readNewest(
  { walkRequests, ...ends }: RequestAccess & EndAccess,
  filter: RowFilter,
  limit: number,
  nowMs: number,
): Promise<ReadRows> {
  const { readRecord } = ends
  const isByEnd = ENDS.includes(filter.outcome)
  const rows: RequestRow[] = []
  const unreadable: string[] = []
  let read = 0
  const take = async (chunk: readonly RequestEntry[]) => {
    const found = await mapBounded(chunk, READS_AT_ONCE, async ({ key }) => {
      const row = await readRow(() => readRecord(key), unreadable)
      return row && withOwnId(row, readRecord, unreadable)
    })
    read += chunk.length
    const known = found.filter((row) => row !== undefined)
    const all = isByEnd ? await withEnds(known, ends) : known
    rows.push(...all.filter((row) => passesFilter(row, filter)))
  }
  let chunk: RequestEntry[] = []
  for await (const entry of walkRequests(listsOf(filter.kind), filter, nowMs)) {
    chunk.push(entry)
    if (chunk.length < Math.min(CHUNK, limit + 1)) continue
    await take(chunk)
    chunk = []
    if (hasEnough(rows, limit)) return { rows, unreadable }
    // One millisecond is added: records of the same millisecond may be unread.
    if (read >= limit + MOST_DROPPED) {
      return { rows, unreadable, goOn: { before: new Date(Date.parse(entry.at) + 1).toISOString() } }
    }
  }
  await take(chunk)
  return { rows, unreadable }
}

/** Maximum shown rows whose executions are asked how they ended. */
const MOST_ENDS = 100
/** Ends of a movement that the service accepted. A person may have settled what ended otherwise. */
const ENDS: readonly unknown[] = [
  ...[WithdrawEnd.Completed, WithdrawEnd.FailedRefunded, REFUND_DUE],
  ...[ConvertEnd.Filled, ConvertEnd.Failed, ConvertEnd.Stuck],
]

type EndAccess = Pick<Executions, 'findExecution' | 'findHistory'> & Pick<RequestAccess, 'readRecord'>

/** The result that a run recorded of a leg: it reads its legs itself, also where the execution of a leg could not. */
export function findLegResult(
  runId: string,
  intentId: string,
  readRecord: RequestAccess['readRecord'],
): Promise<LegResult | undefined> {
  const read = async () => {
    const record = await readRecord(recordKey.run(runId))
    return record && runOfRecord(record).results[intentId]
  }
  return findReadable(read, () => undefined)
}

/**
 * No record of the journal has the end of an accepted movement, or says that its refund is due. Its execution does, as long
 * as AWS keeps that.
 */
export async function withEnds(
  rows: readonly RequestRow[],
  { findExecution, findHistory, readRecord }: EndAccess,
): Promise<readonly RequestRow[]> {
  const asked = await mapBounded(rows.slice(0, MOST_ENDS), READS_AT_ONCE, async (row) => {
    const { id, kind, run, state } = row
    if (kind === RequestKind.Run || state !== IntentState.Done) return row
    const machine = MACHINE_OF_INTENTS[kind]
    const find = (name: string) => findExecution(machine, name)
    const { kept, entry } = await findLastEntry(id, find, { isLeg: run !== undefined })
    const leg = run === undefined || kept?.status === 'SUCCEEDED' ? undefined : await findLegResult(run, id, readRecord)
    if (leg !== undefined && isSeen(leg)) return { ...row, outcome: leg.outcome }
    const isOpen = kind === RequestKind.Withdraw && kept !== undefined && kept.status !== 'SUCCEEDED'
    if (isOpen && lastReportIn(await findHistory(machine, entryName(id, entry))).isRefundDue)
      return { ...row, outcome: REFUND_DUE }
    // An execution that failed has its end as its error, and no output.
    const { outcome = kept?.error } = JSON.parse(kept?.output ?? '{}') as { readonly outcome?: string }
    return outcome !== undefined && ENDS.includes(outcome) ? { ...row, outcome } : row
  })
  return [...asked, ...rows.slice(MOST_ENDS)]
}

/** Whether one row more was read that is older than the last shown row. A later read continues between them. */
function hasEnough(rows: readonly RequestRow[], limit: number): boolean {
  const last = rows[limit - 1]
  return last !== undefined && rows.at(-1)?.at !== last.at
}

function listsOf(kind: RequestKind | undefined): readonly RequestList[] {
  return kind === undefined ? Object.values(RequestList) : [kind]
}

/** A record of who asked that was edited must not hide the row. */
async function withOwnId(
  row: RequestRow,
  readRecord: RequestAccess['readRecord'],
  unreadable: string[],
): Promise<RequestRow> {
  const onMisfit = ({ message }: Error) => unreadable.push(message)
  const ownId = await findReadableOwnId(row.kind, row.id, { readRecord }, onMisfit)
  return ownId === undefined ? row : { ...row, ownId }
}

/** An unreadable or edited record must not hide the others. */
function readRow(read: () => Promise<StoredRecord | undefined>, unreadable: string[]): Promise<RequestRow | undefined> {
  const onMisfit = ({ message }: Error) => unreadable.push(message)
  return findReadable(async () => {
    const record = await read()
    if (record === undefined) return undefined
    const isRun = record.pk.startsWith(recordKey.run(''))
    return isRun ? rowOfRun(runOfRecord(record)) : rowOfIntent(intentOfRecord(record))
  }, onMisfit)
}

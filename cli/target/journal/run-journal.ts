// What a journal knows of runs of policies: one run by its id, all runs, the runs of one policy, and what a policy
// remembers. Reads only. The runs of one policy are listed by the journal's index, month by month, so that this works
// in a journal of any size. The index may lag behind and holds keys only, so each run is read from the table.
import { randomUUID } from 'node:crypto'
import { mapBounded, READS_AT_ONCE } from '../../../core/bounded.ts'
import { listing, recordKey } from '../../../core/contract/records.ts'
import { RunEnd } from '../../../core/contract/runs.ts'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import { createPolicyRecords, type PolicyRecord } from '../../../core/runs/record/policy-record.ts'
import { type RunRecord, runOfRecord } from '../../../core/runs/record/run-record.ts'
import { createRuns, type Runs } from '../../../core/runs/record/runs.ts'
import { CommandError } from '../../terminal/command-error.ts'
import { ExitCode } from '../../terminal/exit-code.ts'
import type { JournalTable } from '../aws-address.ts'
import { scanRecords } from './journal-client.ts'
import { listKeys, type OnCutOff } from './listed-keys.ts'

export interface RunJournal {
  readonly runs: Runs
  /** What the policy remembers. The record has version 0 where the policy never ran. */
  policy(name: string): Promise<PolicyRecord>
  /** What each policy remembers whose runs left something on its way. */
  leavers(onCutOff?: OnCutOff): Promise<PolicyRecord[]>
  /** Latest first. @throws CommandError (exit 1) where the journal has more than 100 pages */
  list(): Promise<RunRecord[]>
  /** The runs that wait for a decision on their plan, or were approved and have not gone on. Latest first. */
  awaiting(onCutOff?: OnCutOff): Promise<RunRecord[]>
  /**
   * Runs of one policy, latest first: at least `limit` of them, where there are so many. Works in a journal of any
   * size.
   */
  listOf(policy: string, limit: number, nowMs: number): Promise<RunRecord[]>
}

export function createRunJournal(table: JournalTable): RunJournal {
  const store = createDynamoStore(table.client, table.tableName)
  const runs = createRuns(store, randomUUID)
  const policies = createPolicyRecords(store, randomUUID)
  return {
    runs,
    policy: policies.find,
    leavers: async (onCutOff) =>
      mapBounded(await listIds(table, listing.residues, onCutOff), READS_AT_ONCE, policies.find),
    list: async () => (await scanRuns(table)).sort(latestFirst),
    awaiting: async (onCutOff) => (await listAwaiting(table, runs, onCutOff)).sort(latestFirst),
    listOf: async (policy, limit, nowMs) => (await listRunsOf(policy, limit, { table, runs, nowMs })).sort(latestFirst),
  }
}

async function scanRuns(table: JournalTable): Promise<RunRecord[]> {
  const runs: RunRecord[] = []
  for await (const record of scanRecords(table, recordKey.run(''), tooLong)) runs.push(runOfRecord(record))
  return runs
}

function tooLong(message: string): CommandError {
  return new CommandError({
    exitCode: ExitCode.Failed,
    code: 'refused',
    message: `${message}: too many to look through`,
    next: 'add --policy NAME: the runs of one policy are found by the index',
  })
}

function latestFirst(left: RunRecord, right: RunRecord): number {
  return Date.parse(right.startedAt) - Date.parse(left.startedAt) || (left.runId < right.runId ? -1 : 1)
}

/** How far back a list goes, for a policy that seldom runs. */
const MOST_MONTHS = 24
/** The most runs of a month, or open runs. A policy that runs every five minutes has fewer. */
const MOST_LISTED = 10_000

/** All runs of the policy that are not at an end, and those of as many months as it takes to reach `limit`. */
async function listRunsOf(
  policy: string,
  limit: number,
  { table, runs, nowMs }: { readonly table: JournalTable; readonly runs: Pick<Runs, 'find'>; readonly nowMs: number },
): Promise<RunRecord[]> {
  const read = async (list: string) => {
    const ids = await listIds(table, list)
    const found = await mapBounded(ids, READS_AT_ONCE, (runId) => runs.find(runId))
    return found.filter((run) => run !== undefined).filter((run) => run.policy === policy)
  }
  // Runs are kept by id, because a run may have gone from one list to the other between two reads.
  const known = new Map<string, RunRecord>()
  const keep = (found: readonly RunRecord[]) => {
    for (const run of found) known.set(run.runId, run)
  }
  keep(await read(listing.openRuns))
  for (const month of monthsBackFrom(nowMs)) {
    if (known.size >= limit) break
    keep(await read(listing.runsOfPolicy(policy, month)))
  }
  return [...known.values()]
}

/** The runs that wait for a decision on their plan, or were approved and have not gone on. In no order. */
async function listAwaiting(
  table: JournalTable,
  runs: Pick<Runs, 'find'>,
  onCutOff: OnCutOff | undefined,
): Promise<RunRecord[]> {
  const ids = await listIds(table, listing.openRuns, onCutOff)
  const found = await mapBounded(ids, READS_AT_ONCE, (runId) => runs.find(runId))
  return found.filter((run) => run !== undefined).filter(({ outcome }) => outcome === RunEnd.AwaitingApproval)
}

/** `2026-02`, `2026-01`, `2025-12` and so on. */
function monthsBackFrom(nowMs: number): string[] {
  const now = new Date(nowMs)
  return Array.from({ length: MOST_MONTHS }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
}

async function listIds(table: JournalTable, list: string, onCutOff: OnCutOff = () => undefined): Promise<string[]> {
  const { keys, isCutOff } = await listKeys(table, list, { limit: MOST_LISTED })
  if (isCutOff) onCutOff(`the journal lists more than ${MOST_LISTED} records as ${list}: the rest was not looked at`)
  // Keys of runs and of policies have prefixes of one length.
  return keys.map((key) => key.slice(recordKey.run('').length))
}

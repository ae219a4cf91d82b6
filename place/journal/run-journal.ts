// Reads runs of policies from a journal: one run by its id, all runs, the runs of one policy, and the records of
// policies. Reads only. Runs are listed by the journal's indexes, month by month, so that this works in a journal of
// any size. The indexes may lag behind and hold keys only, so each run is read from the table.
import { randomUUID } from 'node:crypto'
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { listing, RequestList, recordKey } from '../../core/contract/records.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { listKeys } from '../../core/journal/listed-keys.ts'
import { readNamed } from '../../core/journal/listed-records.ts'
import { type DecisionReaders, withDecisions } from '../../core/runs/approval/decision.ts'
import { createDecisionReader } from '../../core/runs/approval/decisions.ts'
import { createRequesters } from '../../core/runs/approval/requesters.ts'
import { createPolicyRecords, type PolicyRecord } from '../../core/runs/record/policy-record.ts'
import { isAtEnd, isPlanOnly, type RunRecord } from '../../core/runs/record/run-record.ts'
import { createRuns, type Runs } from '../../core/runs/record/runs.ts'
import type { JournalTable, KeyedTable } from '../aws/aws-address.ts'
import { entriesIn, walkRequests } from './request-index.ts'

/** Called with a message about the part of a list that was not read. */
export type OnCutOff = (message: string) => void

/** Whether a list has the run. A list ends early behind very many runs that it does not have. */
type IsWanted = (run: RunRecord) => boolean

export interface RunJournal {
  readonly runs: Runs
  /** The record of the policy. It has version 0 where the policy never ran. */
  policy(name: string): Promise<PolicyRecord>
  /** Records of the policies whose runs left balances in hubs. */
  leavers(onCutOff?: OnCutOff): Promise<PolicyRecord[]>
  /** Runs of all policies, latest first, at most `limit`. It costs one query. */
  list(limit: number, nowMs: number, isWanted?: IsWanted): Promise<RunRecord[]>
  /** The same without the runs that only made a plan. Ends early behind very many plans in a row. */
  listMoving(limit: number, nowMs: number): Promise<RunRecord[]>
  /** The runs that have not ended. Latest first. */
  open(onCutOff?: OnCutOff): Promise<RunRecord[]>
  /** The runs that ended with a leg in doubt or stuck, and have not been settled again since. Latest first. */
  inNeed(onCutOff?: OnCutOff): Promise<RunRecord[]>
  /** The runs that wait for a decision on their plan, or were approved and have not continued. Latest first. */
  awaiting(onCutOff?: OnCutOff): Promise<RunRecord[]>
  /** Runs of one policy, latest first: at least `limit` of them, if so many exist. Works in a journal of any size. */
  listOf(policy: string, limit: number, nowMs: number, isWanted?: IsWanted): Promise<RunRecord[]>
  /** The latest run of the policy that has ended. Undefined where none ended within about a year. */
  latestOf(policy: string, nowMs: number, isWanted?: IsWanted): Promise<RunRecord | undefined>
}

export function createRunJournal(table: KeyedTable): RunJournal {
  const store = createDynamoStore(table.client, table.tableName)
  const heard = {
    decisions: createDecisionReader(store, table.decisionKey),
    requesters: createRequesters(store, randomUUID),
  }
  const runs = withWordsOf(createRuns(store, randomUUID), heard)
  const policies = createPolicyRecords(store, randomUUID)
  const list = async (limit: number, nowMs: number, isWanted?: IsWanted) =>
    (await listAll(limit, { table, runs, nowMs }, isWanted)).sort(latestFirst)
  /** The index may lag behind, so runs that no longer belong into the list are left out. */
  const listed = async (name: string, isInIt: IsWanted, onCutOff: OnCutOff | undefined) => {
    const found = await readNamed(await listIds(table, name, onCutOff), runs.find)
    return found.filter(isInIt).sort(latestFirst)
  }
  return {
    runs,
    policy: policies.find,
    leavers: async (onCutOff) =>
      mapBounded(await listIds(table, listing.residues, onCutOff), READS_AT_ONCE, policies.find),
    list,
    listMoving: (limit, nowMs) => list(limit, nowMs, (run) => !isPlanOnly(run)),
    open: (onCutOff) => listed(listing.openRuns, (run) => !isAtEnd(run), onCutOff),
    inNeed: (onCutOff) => listed(listing.runsInNeed, ({ outcome }) => outcome === RunEnd.NeedsAttention, onCutOff),
    awaiting: (onCutOff) =>
      listed(listing.openRuns, (run) => !isAtEnd(run) && run.outcome === RunEnd.AwaitingApproval, onCutOff),
    listOf: async (policy, limit, nowMs, isWanted) =>
      (await listRunsOf(policy, limit, { table, runs, nowMs }, isWanted)).sort(latestFirst),
    latestOf: (policy, nowMs, isWanted) => findLatestOf(policy, { table, runs, nowMs }, isWanted),
  }
}

/** Adds to a waiting run people's decisions on its plan, and who asked for it. */
function withWordsOf(runs: Runs, heard: DecisionReaders): Runs {
  const find: Runs['find'] = async (runId) => {
    const run = await runs.find(runId)
    return run && withDecisions(run, heard)
  }
  return { ...runs, find }
}

function latestFirst(left: RunRecord, right: RunRecord): number {
  return Date.parse(right.startedAt) - Date.parse(left.startedAt) || (left.runId < right.runId ? -1 : 1)
}

/** Maximum months that a list goes back, for a policy that seldom runs. */
const MOST_MONTHS = 24
/** Maximum open runs, or policies that left balances in hubs. */
const MOST_LISTED = 10_000
/** Maximum runs of a policy in a month, and maximum keys of a month that are read to find the newest of them. */
const MOST_SEEN = 50_000
const KEYS_ON_A_PAGE = 5_000

interface Looking {
  readonly table: JournalTable
  readonly runs: Pick<Runs, 'find'>
  readonly nowMs: number
}

/** Maximum runs that are read and left out of a list. */
const MOST_LEFT_OUT = 200

async function listAll(
  limit: number,
  { table, runs, nowMs }: Looking,
  isWanted: IsWanted = () => true,
): Promise<RunRecord[]> {
  const found: RunRecord[] = []
  let ids: string[] = []
  let read = 0
  const take = async () => {
    found.push(...(await readNamed(ids, runs.find)).filter(isWanted))
    read += ids.length
    ids = []
  }
  for await (const { key } of walkRequests(table, [RequestList.Run], {}, nowMs)) {
    ids.push(idOf(key))
    if (ids.length < limit) continue
    await take()
    if (found.length >= limit || read >= limit + MOST_LEFT_OUT) break
  }
  await take()
  return found.slice(0, limit)
}

/** All runs of the policy that are open or need a person, and those of as many months as it takes to reach `limit`. */
async function listRunsOf(policy: string, limit: number, looking: Looking, isWanted?: IsWanted): Promise<RunRecord[]> {
  const { table, nowMs } = looking
  // Runs are kept by id, because a run may have moved from one list to the other between two reads.
  const known = new Map<string, RunRecord>()
  const keep = async (ids: readonly string[]) => {
    for (const run of await readNamed(ids, looking.runs.find))
      if (run.policy === policy && (isWanted === undefined || isWanted(run))) known.set(run.runId, run)
  }
  for (const list of [listing.openRuns, listing.runsInNeed]) await keep(await listIds(table, list))
  for (const month of monthsBackFrom(nowMs)) {
    if (known.size >= limit) break
    const ids = await listIds(table, listing.runsOfPolicy(policy, month), undefined, MOST_SEEN)
    await keep(await newestOf(ids, isWanted === undefined ? limit : limit + MOST_LEFT_OUT, month, table))
  }
  return [...known.values()]
}

/** Maximum months that the search for one run goes back: the rarest schedule starts once a year. */
const MONTHS_OF_LATEST = 13

async function findLatestOf(
  policy: string,
  { table, runs, nowMs }: Looking,
  isWanted: IsWanted = () => true,
): Promise<RunRecord | undefined> {
  for (const month of monthsBackFrom(nowMs).slice(0, MONTHS_OF_LATEST)) {
    const ids = await listIds(table, listing.runsOfPolicy(policy, month), undefined, MOST_SEEN)
    // The newest is nearly always wanted, so more are read only where it is not.
    for (const limit of [1, MOST_LEFT_OUT]) {
      const newest = await readNamed(await newestOf(ids, limit, month, table), runs.find)
      const [latest] = newest.filter((run) => run.policy === policy && isWanted(run)).sort(latestFirst)
      if (latest !== undefined) return latest
      if (ids.length <= limit) break
    }
  }
  return undefined
}

/**
 * The newest runs of a month, by the list by time. So the reads of a policy depend on how many are wanted, and not on
 * how many ran.
 */
async function newestOf(
  ids: readonly string[],
  limit: number,
  month: string,
  table: JournalTable,
): Promise<readonly string[]> {
  if (ids.length <= limit) return ids
  const left = new Set(ids)
  const newest: string[] = []
  let seen = 0
  for await (const { key } of entriesIn(table, RequestList.Run, month, {}, KEYS_ON_A_PAGE)) {
    if (left.delete(idOf(key))) newest.push(idOf(key))
    seen += 1
    if (newest.length === limit || seen === MOST_SEEN) break
  }
  // If that list does not reach so far, all remaining runs may be the newest.
  return newest.length === limit ? newest : [...newest, ...left]
}

function idOf(key: string): string {
  return key.slice(recordKey.run('').length)
}

/** `2026-02`, `2026-01`, `2025-12` and so on. */
function monthsBackFrom(nowMs: number): string[] {
  const now = new Date(nowMs)
  return Array.from({ length: MOST_MONTHS }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
}

async function listIds(
  table: JournalTable,
  list: string,
  onCutOff: OnCutOff = () => undefined,
  limit = MOST_LISTED,
): Promise<string[]> {
  const { keys, isCutOff } = await listKeys(table, list, { limit })
  if (isCutOff) onCutOff(`the journal lists more than ${limit} records as ${list}: the rest was not read`)
  // Keys of runs and of policies have prefixes of one length.
  return keys.map((key) => key.slice(recordKey.run('').length))
}

// Reads what a journal knows of runs of policies: one by its id, all of them, and what a policy remembers.
// Reads only, for people's tools.
import { randomUUID } from 'node:crypto'
import { type DynamoDBClient, ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { mapBounded, READS_AT_ONCE } from '../../../core/bounded.ts'
import { JOURNAL_TABLE, listing, RECORD_KEY, recordKey } from '../../../core/contract/records.ts'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { createPolicyRecords, type PolicyRecord } from '../../../core/runs/record/policy-record.ts'
import { type RunRecord, runOfRecord } from '../../../core/runs/record/run-record.ts'
import { createRuns, type Runs } from '../../../core/runs/record/runs.ts'
import { CommandError } from '../../terminal/command-error.ts'
import { ExitCode } from '../../terminal/exit-code.ts'
import { listAwaiting, listIds, listRunsOf } from './listed-runs.ts'

/** Pages of up to 1 MB each. */
const MOST_PAGES = 100

export interface RunJournal {
  readonly runs: Runs
  /** What the policy remembers; a record of version 0 where it never ran. */
  policy(name: string): Promise<PolicyRecord>
  /** Of each policy that has left something on its way. */
  leavers(): Promise<PolicyRecord[]>
  /** Latest first. @throws CommandError (exit 1) where the journal has more than 100 pages */
  list(): Promise<RunRecord[]>
  /** Latest first, those that wait for a person's word on their plan, or were approved and have not gone on. */
  awaiting(): Promise<RunRecord[]>
  /** Latest first, of one policy: at least `limit`, where there are so many, in a journal of any size. */
  listOf(policy: string, limit: number, nowMs: number): Promise<RunRecord[]>
}

export function createRunJournal(client: DynamoDBClient): RunJournal {
  const store = createDynamoStore(client, JOURNAL_TABLE)
  const runs = createRuns(store, randomUUID)
  const policies = createPolicyRecords(store, randomUUID)
  return {
    runs,
    policy: policies.find,
    leavers: async () => mapBounded(await listIds(client, listing.residues), READS_AT_ONCE, policies.find),
    list: async () => (await scanRuns(client)).sort(latestFirst),
    awaiting: async () => (await listAwaiting(client, runs)).sort(latestFirst),
    listOf: async (policy, limit, nowMs) =>
      (await listRunsOf(policy, limit, { client, runs, nowMs })).sort(latestFirst),
  }
}

async function scanRuns(client: DynamoDBClient): Promise<RunRecord[]> {
  const runs: RunRecord[] = []
  let from: ScanCommandOutput['LastEvaluatedKey']
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer: ScanCommandOutput = await client.send(
      new ScanCommand({
        TableName: JOURNAL_TABLE,
        ConsistentRead: true,
        ExclusiveStartKey: from,
        // Intents are most of a journal: they are not sent over.
        FilterExpression: 'begins_with(#key, :runs)',
        ExpressionAttributeNames: { '#key': RECORD_KEY },
        ExpressionAttributeValues: { ':runs': { S: recordKey.run('') } },
      }),
    )
    for (const item of answer.Items ?? []) runs.push(runOfRecord(unmarshall(item) as StoredRecord))
    from = answer.LastEvaluatedKey
    if (from === undefined) return runs
  }
  throw new CommandError({
    exitCode: ExitCode.Failed,
    code: 'refused',
    message: `the journal has more than ${MOST_PAGES} pages: too many to look through`,
    next: 'name a policy: sluice runs --policy NAME goes by the index',
  })
}

function latestFirst(left: RunRecord, right: RunRecord): number {
  return Date.parse(right.startedAt) - Date.parse(left.startedAt) || (left.runId < right.runId ? -1 : 1)
}

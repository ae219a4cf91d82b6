// Checks whether the journal's table exists and has the right key, with the AWS SDK's own settings. It reads only the
// table's description.

import {
  DescribeTableCommand,
  DynamoDBClient,
  type GlobalSecondaryIndexDescription,
  type TableDescription,
} from '@aws-sdk/client-dynamodb'
import { ASKED_INDEX, JOURNAL_TABLE, LISTED_INDEX, RECORD_KEY } from '../../core/contract/records.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { errorName, errorText } from '../../core/error-name.ts'
import { clientConfigAt, type Deployment, nameAt } from '../connection/aws-address.ts'
import { findAwsRemedy } from '../connection/connection-remedy.ts'
import { type Check, fail, ok, warn } from './check.ts'

export const JOURNAL_TABLE_CHECK = 'journal table'
const CHECK = JOURNAL_TABLE_CHECK

export async function journalCheck({ aws, environment }: Pick<Treasury, 'aws' | 'environment'>): Promise<Check> {
  const deployment: Deployment = { environment }
  const client = new DynamoDBClient(clientConfigAt(deployment))
  const tableName = nameAt(deployment, JOURNAL_TABLE)
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }))
    return Table === undefined
      ? fail(CHECK, 'DynamoDB described nothing', 'try again')
      : describedCheck(Table, { tableName, pinned: aws })
  } catch (error) {
    return fail(
      CHECK,
      `${tableName} could not be described (${errorText(error)})`,
      findAwsRemedy(error) ?? remedies.get(errorName(error)) ?? OTHERWISE,
    )
  } finally {
    client.destroy()
  }
}

const remedies: ReadonlyMap<string, string> = new Map([
  ['ResourceNotFoundException', 'deploy the state stack: npm run deploy'],
  ['AccessDeniedException', 'let these credentials describe the table (dynamodb:DescribeTable)'],
])
const OTHERWISE = 'check the AWS region, credentials and network'

interface Wanted {
  readonly tableName: string
  /** The place that treasury.json pins. */
  readonly pinned?: Treasury['aws']
}

export function describedCheck(
  { DeletionProtectionEnabled, GlobalSecondaryIndexes = [], KeySchema, TableArn = '', TableStatus }: TableDescription,
  { pinned, tableName }: Wanted,
): Check {
  const [, , , region, account] = TableArn.split(':')
  if (pinned !== undefined && (account !== pinned.account || region !== pinned.region)) {
    const detail = `${tableName} is in account ${account}, ${region}; treasury.json pins ${pinned.account}, ${pinned.region}`
    return fail(CHECK, detail, 'set AWS_PROFILE and AWS_REGION, or name the other configuration with --config')
  }
  if (!hasKeyOfJournal({ KeySchema })) {
    const detail = `${tableName} has another key than ${RECORD_KEY}: it is not this journal`
    return fail(CHECK, detail, 'do not run against it; find out who made it')
  }
  if (TableStatus !== 'ACTIVE')
    return fail(CHECK, `${tableName} is ${TableStatus}`, 'wait until it is ACTIVE, or deploy the state stack')
  if (DeletionProtectionEnabled === false) {
    const detail = `${tableName} is there, and may be deleted: a lost journal may move money twice`
    return warn(CHECK, detail, 'deploy the state stack again: it switches deletion protection on')
  }
  // A restored table has only the indexes that the restore asked for.
  const lacking = [LISTED_INDEX, ASKED_INDEX].filter((name) => !GlobalSecondaryIndexes.some(isReady(name)))
  if (lacking.length > 0) {
    const detail = `${tableName} lacks the index ${lacking.join(', ')}: lists and the audit are incomplete`
    return warn(CHECK, detail, 'docs/runbook.md, "An index of the journal is missing"')
  }
  return ok(CHECK, `${tableName} is ACTIVE`)
}

export function hasKeyOfJournal({ KeySchema = [] }: Pick<TableDescription, 'KeySchema'>): boolean {
  return KeySchema.length === 1 && KeySchema[0]?.AttributeName === RECORD_KEY
}

function isReady(name: string): (index: GlobalSecondaryIndexDescription) => boolean {
  return ({ IndexName, IndexStatus = 'ACTIVE' }) => IndexName === name && IndexStatus === 'ACTIVE'
}

// Checks whether the journal's table exists, is the one that treasury.json pins, and has a journal's key, indexes and
// protection. It reads only the table's description.

import {
  DescribeTableCommand,
  DynamoDBClient,
  type GlobalSecondaryIndexDescription,
  type TableDescription,
} from '@aws-sdk/client-dynamodb'
import {
  ASKED_AT_KEY,
  ASKED_INDEX,
  ASKED_KEY,
  LISTED_INDEX,
  LISTED_KEY,
  RECORD_KEY,
} from '../../core/contract/records.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { errorName, errorText } from '../../core/error-name.ts'
import { clientConfigAt, deploymentOf, journalAt } from '../../place/aws/aws-address.ts'
import { findAwsRemedy } from '../../place/aws/connection-remedy.ts'
import { type Advice, advice, DEPLOY, option } from '../../place/next-step.ts'
import { type Check, fail, ok, warn } from './check.ts'

export const JOURNAL_TABLE_CHECK = 'journal table'
const CHECK = JOURNAL_TABLE_CHECK

export async function journalCheck(treasury: Pick<Treasury, 'aws' | 'environment'>): Promise<Check> {
  const deployment = deploymentOf(treasury)
  const client = new DynamoDBClient(clientConfigAt(deployment))
  const tableName = journalAt(deployment)
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }))
    return Table === undefined
      ? fail(CHECK, 'DynamoDB described nothing', 'try again')
      : describedCheck(Table, { tableName, pinned: treasury.aws, isGiven: deployment.given.journal !== undefined })
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

const remedies: ReadonlyMap<string, Advice> = new Map([
  ['ResourceNotFoundException', advice`deploy the state stack: ${DEPLOY}`],
  ['AccessDeniedException', 'let these credentials describe the table (dynamodb:DescribeTable)'],
])
const OTHERWISE = 'check the AWS region, credentials and network'

interface Wanted {
  readonly tableName: string
  /** The place that treasury.json pins. */
  readonly pinned?: Treasury['aws']
  /** A table of the account's own, which no deployment makes or changes. */
  readonly isGiven?: boolean
}

const OWN_TABLE = 'docs/deployment.md, "A bus, topics or a table of your own"'

export function describedCheck(table: TableDescription, { isGiven = false, pinned, tableName }: Wanted): Check {
  const { DeletionProtectionEnabled, GlobalSecondaryIndexes = [], TableArn = '', TableStatus } = table
  const [, , , region, account] = TableArn.split(':')
  if (pinned !== undefined && (account !== pinned.account || region !== pinned.region)) {
    const detail = `${tableName} is in account ${account}, ${region}; treasury.json pins ${pinned.account}, ${pinned.region}`
    return fail(
      CHECK,
      detail,
      advice`set AWS_PROFILE and AWS_REGION, or name the other configuration with ${option('config')}`,
    )
  }
  if (!hasKeyOfJournal(table)) {
    const detail = `${tableName} has another key than ${RECORD_KEY}: it is not this journal`
    return fail(CHECK, detail, 'do not run against it; find out who made it')
  }
  if (TableStatus !== 'ACTIVE')
    return fail(CHECK, `${tableName} is ${TableStatus}`, 'wait until it is ACTIVE, or deploy the state stack')
  if (DeletionProtectionEnabled === false) {
    const detail = `${tableName} is there, and may be deleted: a lost journal may move money twice`
    if (isGiven) return fail(CHECK, detail, `switch its deletion protection on: ${OWN_TABLE}`)
    return warn(CHECK, detail, 'deploy the state stack again: it switches deletion protection on')
  }
  const wrong = isGiven ? findTableFault(table) : undefined
  if (wrong !== undefined) return fail(CHECK, `${tableName} ${wrong}`, OWN_TABLE)
  // A restored table has only the indexes that the restore asked for.
  const lacking = [LISTED_INDEX, ASKED_INDEX].filter((name) => !GlobalSecondaryIndexes.some(isReady(name)))
  if (lacking.length > 0) {
    const detail = `${tableName} lacks the index ${lacking.join(', ')}: lists and the audit are incomplete`
    return warn(CHECK, detail, 'docs/runbook.md, "An index of the journal is missing"')
  }
  return ok(CHECK, `${tableName} is ACTIVE`)
}

/** How a table that others made differs from a journal, in words. */
function findTableFault({ AttributeDefinitions = [], GlobalSecondaryIndexes = [], Replicas = [] }: TableDescription) {
  if (Replicas.length > 0) return 'has replicas in other regions, where others may write records that are not seen here'
  const texts = AttributeDefinitions.flatMap(({ AttributeName, AttributeType }) =>
    AttributeType === 'S' ? [AttributeName] : [],
  )
  for (const [index, keys] of INDEX_KEYS) {
    const found = GlobalSecondaryIndexes.find(({ IndexName }) => IndexName === index)
    if (found === undefined) return `lacks the index ${index}`
    const has = found.KeySchema?.map(({ AttributeName }) => AttributeName).join(', ')
    if (has !== keys.join(', ')) return `has the index ${index} with the keys ${has}; expected ${keys.join(', ')}`
  }
  const other = [RECORD_KEY, ...INDEX_KEYS.values()].flat().find((key) => !texts.includes(key))
  return other === undefined ? undefined : `has another type for the key ${other} than S`
}

/** Keys of each index: the partition, and where it has one the sort key. */
const INDEX_KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  [LISTED_INDEX, [LISTED_KEY]],
  [ASKED_INDEX, [ASKED_KEY, ASKED_AT_KEY]],
])

export function hasKeyOfJournal({ KeySchema = [] }: Pick<TableDescription, 'KeySchema'>): boolean {
  return KeySchema.length === 1 && KeySchema[0]?.AttributeName === RECORD_KEY
}

function isReady(name: string): (index: GlobalSecondaryIndexDescription) => boolean {
  return ({ IndexName, IndexStatus = 'ACTIVE' }) => IndexName === name && IndexStatus === 'ACTIVE'
}

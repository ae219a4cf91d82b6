// Checks whether the journal's table exists and has the right key, through the AWS SDK's own settings. It reads the
// table's description only.
import { DescribeTableCommand, DynamoDBClient, type TableDescription } from '@aws-sdk/client-dynamodb'
import { JOURNAL_TABLE, RECORD_KEY } from '../../core/contract/records.ts'
import { AWS_LIMITS, awsErrorName, requestLimits } from '../../core/keys/aws-limits.ts'
import { messageOf } from './address-checks.ts'
import { type Check, fail, ok, warn } from './check.ts'

const CHECK = 'journal table'

export async function journalCheck(): Promise<Check> {
  const client = new DynamoDBClient(requestLimits(AWS_LIMITS))
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: JOURNAL_TABLE }))
    return Table === undefined ? fail(CHECK, 'DynamoDB described nothing', 'try again') : describedCheck(Table)
  } catch (error) {
    // The SDK has no name of its own for this.
    const name = messageOf(error) === 'Region is missing' ? 'RegionMissing' : awsErrorName(error)
    return fail(CHECK, `${JOURNAL_TABLE} could not be looked at (${name})`, remedies.get(name) ?? OTHERWISE)
  } finally {
    client.destroy()
  }
}

const remedies: ReadonlyMap<string, string> = new Map([
  ['ResourceNotFoundException', 'deploy the state stack: npm run deploy'],
  ['AccessDeniedException', 'let these credentials describe the table (dynamodb:DescribeTable)'],
  ['RegionMissing', 'set the AWS region, such as AWS_REGION'],
  ['CredentialsProviderError', 'give AWS credentials, such as AWS_PROFILE'],
  ['ExpiredTokenException', 'sign in to AWS again'],
])
const OTHERWISE = 'check the AWS region, credentials and network'

export function describedCheck({ TableStatus, KeySchema, DeletionProtectionEnabled }: TableDescription): Check {
  const keys = (KeySchema ?? []).map(({ AttributeName }) => AttributeName)
  if (keys.length !== 1 || keys[0] !== RECORD_KEY) {
    const detail = `${JOURNAL_TABLE} has another key than ${RECORD_KEY}: it is not this journal`
    return fail(CHECK, detail, 'do not run against it; find out who made it')
  }
  if (TableStatus !== 'ACTIVE')
    return fail(CHECK, `${JOURNAL_TABLE} is ${TableStatus}`, 'wait until it is ACTIVE, or deploy the state stack')
  if (DeletionProtectionEnabled === false) {
    const detail = `${JOURNAL_TABLE} is there, and may be deleted: a lost journal may move money twice`
    return warn(CHECK, detail, 'deploy the state stack again: it switches deletion protection on')
  }
  return ok(CHECK, `${JOURNAL_TABLE} is ACTIVE`)
}

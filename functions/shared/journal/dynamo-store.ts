// The journal's store on DynamoDB: one table, one key, conditional puts, strongly consistent reads.
// Settles what an unclear answer meant by reading back; never retries a move on its own account.
import {
  type ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
} from '@aws-sdk/client-dynamodb'
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import { RECORD_KEY } from '../../contract/records.ts'
import { Transient } from '../errors.ts'
import type { RecordStore, StoredRecord } from './record-store.ts'

export function createDynamoStore(client: Pick<DynamoDBClient, 'send'>, tableName: string): RecordStore {
  async function read(pk: string): Promise<StoredRecord | undefined> {
    const answer = await client
      .send(new GetItemCommand({ TableName: tableName, Key: { [RECORD_KEY]: { S: pk } }, ConsistentRead: true }))
      .catch((error: unknown) => {
        throw new Transient(`the journal did not answer a read (${nameOf(error)})`)
      })
    return answer.Item && (unmarshall(answer.Item) as StoredRecord)
  }

  /**
   * A put whose answer was lost may have been applied, and the SDK's own retry of it then fails
   * the condition. Both are settled by reading back and comparing the stamp.
   */
  async function put(record: StoredRecord, condition: Condition): Promise<'written' | 'stale'> {
    const failure = await client
      .send(
        new PutItemCommand({
          TableName: tableName,
          Item: marshall(record, { removeUndefinedValues: true }),
          ...condition,
        }),
      )
      .then(() => undefined, nameOf)
    if (failure === undefined) return 'written'
    const stored = await read(record.pk)
    if (stored?.stamp === record.stamp) return 'written'
    if (failure === CONDITION_FAILED) return 'stale'
    // Not there now, but a write that errored may still be applied: the version guards the next one.
    throw new Transient(`the journal did not confirm a write (${failure})`)
  }

  return {
    read,

    create: (record) =>
      put(record, {
        // Clause 1: no such record yet.
        ConditionExpression: '(attribute_not_exists(#pk))',
        ExpressionAttributeNames: { '#pk': RECORD_KEY },
      }),

    replace: (record, expectedVersion) =>
      put(record, {
        // Clause 1: the record is still the one that the decision was made on.
        ConditionExpression: '(#version = :expected)',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':expected': { N: String(expectedVersion) } },
      }),
  }
}

type Condition = Pick<
  PutItemCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>

const CONDITION_FAILED = 'ConditionalCheckFailedException' satisfies ConditionalCheckFailedException['name']

/** The error's name only: its message may quote the request. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown error'
}

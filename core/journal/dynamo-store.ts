// The journal's store on DynamoDB: one table, one key, conditional puts, strongly consistent reads.
// record-store.ts says what an unclear answer means. It never retries a move by itself.
import { type DynamoDBClient, GetItemCommand, PutItemCommand, type PutItemCommandInput } from '@aws-sdk/client-dynamodb'
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import { awsFault } from '../aws-fault.ts'
import { RECORD_KEY } from '../contract/records.ts'
import { type RecordStore, type StoredRecord, settleWrite, type WriteOutcome } from './record-store.ts'

export function createDynamoStore(client: Pick<DynamoDBClient, 'send'>, tableName: string): RecordStore {
  async function read(pk: string): Promise<StoredRecord | undefined> {
    const answer = await client
      .send(new GetItemCommand({ TableName: tableName, Key: { [RECORD_KEY]: { S: pk } }, ConsistentRead: true }))
      .catch((error: unknown) => {
        throw awsFault('the journal did not answer a read', nameOf(error))
      })
    // Only this store writes the table, so each item has what a StoredRecord has. Its readers check the rest.
    return answer.Item && (unmarshall(answer.Item) as StoredRecord)
  }

  async function put(record: StoredRecord, condition: Condition): Promise<WriteOutcome> {
    const failure = await client
      .send(
        new PutItemCommand({
          TableName: tableName,
          Item: marshall(record, { removeUndefinedValues: true }),
          ...condition,
        }),
      )
      .then(() => undefined, nameOf)
    return settleWrite(record, failure, read)
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

/** The error's name only: its message may quote the request. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown error'
}

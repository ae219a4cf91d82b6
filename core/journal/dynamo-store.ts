// The journal's store on DynamoDB: one table, one key, conditional puts, strongly consistent reads. Each read checks the
// record's chain, and each write holds the chain that was read, so that nothing is written over an edited record.
// record-store.ts says what an unclear answer means. It never retries a move by itself.
import { type DynamoDBClient, GetItemCommand, PutItemCommand, type PutItemCommandInput } from '@aws-sdk/client-dynamodb'
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import { awsFault } from '../aws-fault.ts'
import { CHAIN_KEY, RECORD_KEY } from '../contract/records.ts'
import { chained, chainIn, wholeRecord } from './record-chain.ts'
import { type RecordStore, type StoredRecord, settleWrite, type WriteOutcome } from './record-store.ts'

/** Each answer then says what the table counted for it, in a field that DynamoDB never leaves out. */
const WITH_CAPACITY = { ReturnConsumedCapacity: 'TOTAL' } as const

/**
 * The SDK takes an empty body, `null` or a list for an answer without fields. That would read as a record that is not
 * there, such as no halt, or as a write that was applied. @throws SyntaxError, as the SDK does for a body that is no JSON
 */
function assertOfTable<Answer extends { readonly ConsumedCapacity?: object | undefined }>(answer: Answer): Answer {
  if (answer.ConsumedCapacity !== undefined) return answer
  throw new SyntaxError('the answer does not say which capacity of the table it used')
}

export function createDynamoStore(client: Pick<DynamoDBClient, 'send'>, tableName: string): RecordStore {
  const chains = createKnownChains()

  async function read(pk: string): Promise<StoredRecord | undefined> {
    const answer = await client
      .send(
        new GetItemCommand({
          TableName: tableName,
          Key: { [RECORD_KEY]: { S: pk } },
          ConsistentRead: true,
          ...WITH_CAPACITY,
        }),
      )
      .then(assertOfTable)
      .catch((error: unknown) => {
        throw awsFault('the journal did not answer a read', error)
      })
    if (answer.Item === undefined) return undefined
    // What is whole was written by this store, so it has what a StoredRecord has. Its readers check the rest.
    const record = unmarshall(answer.Item) as StoredRecord
    const bare = wholeRecord(record)
    chains.note(record)
    return bare
  }

  /** Mostly known, because what is replaced was read. Undefined where the record is of another version by now. */
  async function chainBefore(pk: string, version: number): Promise<string | undefined> {
    const known = chains.find(pk, version)
    if (known !== undefined) return known
    await read(pk)
    return chains.find(pk, version)
  }

  async function put(bare: StoredRecord, before: string | undefined, condition: Condition): Promise<WriteOutcome> {
    const record = chained(bare, before)
    const failure = await client
      .send(
        new PutItemCommand({
          TableName: tableName,
          Item: marshall(record, { removeUndefinedValues: true }),
          ...condition,
          ...WITH_CAPACITY,
        }),
      )
      .then(assertOfTable)
      .then(() => undefined, asError)
    const outcome = await settleWrite(record, failure, read)
    if (outcome === 'written') chains.note(record)
    return outcome
  }

  return {
    read,

    create: (record) =>
      put(record, undefined, {
        // Clause 1: no such record yet.
        ConditionExpression: '(attribute_not_exists(#pk))',
        ExpressionAttributeNames: { '#pk': RECORD_KEY },
      }),

    async replace(record, expectedVersion) {
      const before = await chainBefore(record.pk, expectedVersion)
      // Another version is there by now.
      if (before === undefined) return 'stale'
      return put(record, before, {
        // Clause 1: the record is still of the version that the decision was made on.
        // Clause 2: and nobody has edited that version, which leaves it without its chain.
        ConditionExpression: '(#version = :expected) AND (#chain = :before)',
        ExpressionAttributeNames: { '#version': 'version', '#chain': CHAIN_KEY },
        ExpressionAttributeValues: { ':expected': { N: String(expectedVersion) }, ':before': { S: before } },
      })
    },
  }
}

/** Records of which the chain is kept in mind, of some 100 bytes each. */
const MOST_KNOWN = 5_000

/** The chains of the versions that were read or written last, by the key of their record. */
function createKnownChains() {
  const known = new Map<string, { readonly version: number; readonly chain: string | undefined }>()
  return {
    note(record: StoredRecord): void {
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(record.pk, { version: record.version, chain: chainIn(record) })
    },
    find: (pk: string, version: number) => (known.get(pk)?.version === version ? known.get(pk)?.chain : undefined),
  }
}

type Condition = Pick<
  PutItemCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>

/** The SDK throws nothing else; what is no error must not look like a success. */
function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error()
}

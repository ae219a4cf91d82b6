// Stores the journal in DynamoDB, with one table, one key, conditional puts and strongly consistent reads. Each read checks the
// record's chain. Each write requires the chain that was read, so that nothing overwrites an edited record. record-store.ts
// defines what an unclear answer means. It repeats no write itself.
import type { PutItemInput } from '@aws-sdk/client-dynamodb'
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import { awsFault } from '../aws-fault.ts'
import { CHAIN_KEY, RECORD_KEY, recordKey } from '../contract/records.ts'
import type { TableClient } from './dynamo-table.ts'
import { withLongRecords } from './long-records.ts'
import { chained, chainIn, wholeRecord } from './record-chain.ts'
import { type RecordStore, type StoredRecord, settleWrite, type WriteOutcome } from './record-store.ts'

/** Makes each answer report the consumed capacity, a field that DynamoDB never leaves out. */
const WITH_CAPACITY = { ReturnConsumedCapacity: 'TOTAL' } as const

/**
 * Rejects an empty body, `null` or a list, which the SDK takes for an answer without fields. It would read as a missing
 * record, for example no halt, or as an applied write.
 * @throws SyntaxError, as the SDK does for a body that is not JSON
 */
function assertOfTable<Answer extends { readonly ConsumedCapacity?: object | undefined }>(answer: Answer): Answer {
  if (answer.ConsumedCapacity !== undefined) return answer
  throw new SyntaxError('the answer does not say which capacity of the table it used')
}

export function createDynamoStore(client: Pick<TableClient, 'getItem' | 'putItem'>, tableName: string): RecordStore {
  const chains = createKnownChains()

  async function read(pk: string): Promise<StoredRecord | undefined> {
    const answer = await client
      .getItem({ TableName: tableName, Key: { [RECORD_KEY]: { S: pk } }, ConsistentRead: true, ...WITH_CAPACITY })
      .then(assertOfTable)
      .catch((error: unknown) => {
        throw awsFault('the journal did not answer a read', error)
      })
    if (answer.Item === undefined) return undefined
    // This store wrote every whole record, so it has the fields of a StoredRecord. Its readers check the rest.
    const record = unmarshall(answer.Item) as StoredRecord
    const bare = wholeRecord(record)
    chains.note(record)
    return bare
  }

  /** Usually known, because the replaced record was read. Undefined where the record has another version now. */
  async function chainBefore(pk: string, version: number): Promise<string | undefined> {
    const known = chains.find(pk, version)
    if (known !== undefined) return known
    await read(pk)
    return chains.find(pk, version)
  }

  async function put(bare: StoredRecord, before: string | undefined, condition: Condition): Promise<WriteOutcome> {
    const record = chained(bare, before)
    const failure = await client
      .putItem({
        TableName: tableName,
        Item: marshall(record, { removeUndefinedValues: true }),
        ...condition,
        ...WITH_CAPACITY,
      })
      .then(assertOfTable)
      .then(() => undefined, asError)
    const outcome = await settleWrite(record, failure, read)
    if (outcome === 'written') chains.note(record)
    return outcome
  }

  const items: RecordStore = {
    read,

    create: (record) =>
      put(record, undefined, {
        // Clause 1: no such record exists yet.
        ConditionExpression: '(attribute_not_exists(#pk))',
        ExpressionAttributeNames: { '#pk': RECORD_KEY },
      }),

    async replace(record, expectedVersion) {
      const before = await chainBefore(record.pk, expectedVersion)
      // The record has another version now.
      if (before === undefined) return 'stale'
      return put(record, before, {
        // Clause 1: the record still has the version on which the decision was made. Clause 2: nobody has edited that
        // version, which would leave it without its chain.
        ConditionExpression: '(#version = :expected) AND (#chain = :before)',
        ExpressionAttributeNames: { '#version': 'version', '#chain': CHAIN_KEY },
        ExpressionAttributeValues: { ':expected': { N: String(expectedVersion) }, ':before': { S: before } },
      })
    },
  }
  return withLongRecords(items, (pk) => pk.startsWith(recordKey.run('')))
}

/** Maximum records whose chain is remembered, about 100 bytes each. */
const MOST_KNOWN = 5_000

/** Remembers the chains of the versions that were read or written last, by the record's key. */
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

type Condition = Pick<PutItemInput, 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>

/** The SDK throws only errors. Anything else must still not look like a success. */
function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error()
}

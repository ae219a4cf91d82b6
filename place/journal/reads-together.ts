// Reads the journal of a desk on this machine without the SDK, whose loading takes longer than all requests of a
// command that only looks. A write or a rare request goes through the SDK, which is loaded then. Reads of single
// records that begin together are sent as one request. A list reads two records a row, and requests to a desk take
// half a millisecond each, one after the other.
import type { BatchGetItemOutput, GetItemInput, GetItemOutput, QueryOutput, ScanOutput } from '@aws-sdk/client-dynamodb'
import type { EndpointAccess } from '@sluice/embedded-aws'
import { JOURNAL_TABLE, RECORD_KEY } from '../../core/contract/records.ts'
import { decisionKeyAt, deskTable, type JournalClient, type KeyedTable } from '../aws/aws-address.ts'

/** Sends one request, in the JSON of DynamoDB, and returns the fields of its answer. */
type PerformOnTable = (operation: string, body: object) => Promise<unknown>

/** Maximum keys of a BatchGetItem. */
export const MOST_KEYS = 100

type Read = (input: GetItemInput) => Promise<GetItemOutput>

interface Batch {
  readonly keys: Set<string>
  readonly answered: Promise<(key: string) => GetItemOutput | undefined>
}

/** Every read gets the answer of a GetItem. Where the one request fails, every read in it fails with that error. */
export function readsTogether(perform: PerformOnTable): Read {
  const readAlone: Read = async (input) => (await perform('GetItem', input)) as GetItemOutput
  let open: Batch | undefined
  const openBatch = (): Batch => {
    const keys = new Set<string>()
    const { promise: isComplete, resolve } = Promise.withResolvers<void>()
    // Runs after all promises that are settled now, so the tasks that waited for one answer ask together again.
    process.nextTick(() => {
      open = undefined
      resolve()
    })
    const answered = isComplete.then(() => (keys.size === 1 ? () => undefined : readBatch(perform, [...keys])))
    return { keys, answered }
  }
  return async (input) => {
    const key = findPlainKey(input)
    if (key === undefined) return readAlone(input)
    if (open === undefined || open.keys.size === MOST_KEYS) open = openBatch()
    const { keys, answered } = open
    keys.add(key)
    const answerFor = await answered
    return answerFor(key) ?? readAlone(input)
  }
}

/** The key of a consistent read of a whole record that asks for its capacity. Only such reads share a request. */
function findPlainKey({ Key, ConsistentRead, ReturnConsumedCapacity, TableName, ...others }: GetItemInput) {
  const isPlain =
    TableName === JOURNAL_TABLE &&
    ConsistentRead === true &&
    ReturnConsumedCapacity === 'TOTAL' &&
    Object.keys(others).length === 0
  return isPlain ? Key?.[RECORD_KEY]?.S : undefined
}

/** Gives nothing for a key that the answer leaves to another request: DynamoDB answers at most 16 MB. */
async function readBatch(perform: PerformOnTable, keys: readonly string[]) {
  const answer = (await perform('BatchGetItem', {
    RequestItems: { [JOURNAL_TABLE]: { Keys: keys.map((S) => ({ [RECORD_KEY]: { S } })), ConsistentRead: true } },
    ReturnConsumedCapacity: 'TOTAL',
  })) as BatchGetItemOutput
  const [ConsumedCapacity] = answer.ConsumedCapacity ?? []
  const unread = new Set(answer.UnprocessedKeys?.[JOURNAL_TABLE]?.Keys?.map((key) => key[RECORD_KEY]?.S))
  const items = new Map(answer.Responses?.[JOURNAL_TABLE]?.map((item) => [item[RECORD_KEY]?.S, item]))
  return (key: string): GetItemOutput | undefined => {
    if (unread.has(key)) return undefined
    const Item = items.get(key)
    return { ...(ConsumedCapacity && { ConsumedCapacity }), ...(Item && { Item }) }
  }
}

/** The caller destroys the client. `access`: of the same desk. */
export function lookedTable(
  perform: PerformOnTable,
  access: EndpointAccess,
  close: () => void = () => undefined,
): KeyedTable {
  let sdk: Promise<JournalClient> | undefined
  const openSdk = () => {
    sdk ??= import('./journal-client.ts').then(({ embeddedClient }) => embeddedClient(access))
    return sdk
  }
  const client: JournalClient = {
    describeTable: async (input) => (await openSdk()).describeTable(input),
    getItem: readsTogether(perform),
    query: async (input) => (await perform('Query', input)) as QueryOutput,
    scan: async (input) => (await perform('Scan', input)) as ScanOutput,
    putItem: async (input) => (await openSdk()).putItem(input),
    destroy() {
      close()
      void sdk?.then((opened) => opened.destroy())
    },
  }
  return { ...deskTable(client), decisionKey: decisionKeyAt(access) }
}

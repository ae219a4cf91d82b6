// The client of commands that only look gives the answers of the SDK's client: over HTTP, and in the process that has the
// tables.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startEmbeddedJournal, tableRequests } from '@sluice/embedded-aws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JOURNAL_TABLE, LISTED_INDEX } from '../../../core/contract/records.ts'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import type { RecordStore } from '../../../core/journal/record-store.ts'
import type { JournalClient, JournalTable } from '../../../place/aws/aws-address.ts'
import { embeddedClient } from '../../../place/journal/journal-client.ts'
import { lookedTable } from '../../../place/journal/reads-together.ts'
import { folderOfFile } from '../../helpers/folders.ts'
import { CONVERSION } from '../../helpers/intents.ts'
import { makeKeptJournal } from '../../helpers/kept-journal.ts'

const TIMES = { createdAt: '2026-01-01T00:00:00.000Z', notAfter: '2026-01-01T00:15:00.000Z' }

const dir = folderOfFile()
let kept: NonNullable<Awaited<ReturnType<typeof startEmbeddedJournal>>>
let sdk: JournalClient
let looked: Readonly<Record<string, JournalTable>>
beforeAll(async () => {
  await makeKeptJournal(dir, async (store) => {
    const journal = createJournal(store, randomUUID)
    for (const intentId of ['one', 'two', 'größte Menge €']) await journal.open({ intentId, ...CONVERSION, ...TIMES })
  })
  const opened = await startEmbeddedJournal(dir)
  if (opened === undefined) throw new TypeError('the journal was just made')
  kept = opened
  sdk = embeddedClient(kept)
  const { perform, close } = tableRequests(kept)
  looked = { 'over HTTP': lookedTable(perform, kept, close), 'in the process': lookedTable(kept.perform, kept) }
})
afterAll(async () => {
  for (const { client } of Object.values(looked)) client.destroy()
  sdk.destroy()
  await kept.stop()
})

const bare = ({ $metadata: _metadata, ...answer }: { readonly $metadata?: unknown }) => answer
const list = {
  TableName: JOURNAL_TABLE,
  IndexName: LISTED_INDEX,
  KeyConditionExpression: 'listed = :list',
  ExpressionAttributeValues: { ':list': { S: 'OPEN' } },
  ExclusiveStartKey: undefined,
  Limit: 2,
}
const requests: Readonly<Record<string, (client: JournalClient) => Promise<object>>> = {
  'a record': (client) =>
    client.getItem({
      TableName: JOURNAL_TABLE,
      Key: { pk: { S: 'I#convert#größte Menge €' } },
      ReturnConsumedCapacity: 'TOTAL',
    }),
  'no record': (client) => client.getItem({ TableName: JOURNAL_TABLE, Key: { pk: { S: 'I#convert#none' } } }),
  'a list': (client) => client.query(list),
  'all records': (client) => client.scan({ TableName: JOURNAL_TABLE }),
  'the facts of the table': (client) => client.describeTable({ TableName: JOURNAL_TABLE }),
}

describe.each(['over HTTP', 'in the process'])('read %s', (way) => {
  test.each(Object.entries(requests))('%s is what the SDK reads', async (_what, ask) => {
    const { client } = looked[way] as JournalTable
    const expected = bare(await ask(sdk))
    // A failed set-up must not compare nothing with nothing.
    expect(Object.keys(expected).length).toBeGreaterThanOrEqual(_what === 'no record' ? 0 : 1)
    expect(bare(await ask(client))).toEqual(expected)
  })

  test('records that are read together are what the SDK reads one by one', async () => {
    const { client, tableName } = looked[way] as JournalTable
    const keys = ['I#convert#one', 'I#convert#größte Menge €', 'I#convert#none', 'I#convert#one']
    const readAll = (store: RecordStore) => Promise.all(keys.map(store.read))
    const expected = await readAll(createDynamoStore(sdk, tableName))
    expect(expected.map((record) => record?.pk)).toEqual([keys[0], keys[1], undefined, keys[0]])
    expect(await readAll(createDynamoStore(client, tableName))).toEqual(expected)
  })

  test('a refusal has the name that the SDK gives it', async () => {
    const { client } = looked[way] as JournalTable
    for (const each of [client, sdk])
      await expect(each.scan({ TableName: 'no-table' })).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  })

  test('a journal writes through it what the SDK reads', async () => {
    const { client, tableName } = looked[way] as JournalTable
    const intentId = `written ${way}`
    const opened = await createJournal(createDynamoStore(client, tableName), randomUUID).open({
      intentId,
      ...CONVERSION,
      ...TIMES,
    })
    const journal = createJournal(createDynamoStore(sdk, tableName), randomUUID)
    expect(await journal.find(intentId, 'convert')).toEqual(opened)
  })
})

test('a request whose connection breaks is sent once more, and then its error has the code of the system', async () => {
  let requested = 0
  const server = createServer((request) => {
    requested += 1
    request.socket.destroy()
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const { port } = server.address() as AddressInfo
  const { perform, close } = tableRequests({ ...kept, endpointUrl: `http://127.0.0.1:${port}` })
  await expect(perform('Scan', { TableName: JOURNAL_TABLE })).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(requested).toBe(2)
  close()
  server.close()
})

test('a wrong key is refused by its name', async () => {
  const credentials = { ...kept.credentials, secretAccessKey: 'not the secret of this desk' }
  const { perform, close } = tableRequests({ ...kept, credentials })
  await expect(perform('Scan', { TableName: JOURNAL_TABLE })).rejects.toMatchObject({
    name: 'InvalidSignatureException',
    status: 400,
  })
  close()
})

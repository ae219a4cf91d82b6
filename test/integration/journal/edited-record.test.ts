// Records that somebody edits outside the store, before a read and between a read and a write. The tests use a
// real table.
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import type { RecordStore, StoredRecord } from '../../../core/journal/record-store.ts'
import { createJournalTable, type DynamoServer, startDynalite } from '../../helpers/dynamo-servers.ts'

const TABLE = 'edited'
let server: DynamoServer
let ids = 0
beforeAll(async () => {
  server = await startDynalite()
  await createJournalTable(server.client, TABLE)
})
afterAll(() => server?.stop())

/** The store of a process, which has read nothing yet. */
const newProcess = (): RecordStore => createDynamoStore(server.client, TABLE)

/** Edits a record, as somebody with permission to write the table could. */
async function editRecord(pk: string, change: (record: StoredRecord) => object): Promise<void> {
  const { Item = {} } = await server.client.send(new GetItemCommand({ TableName: TABLE, Key: { pk: { S: pk } } }))
  const item = marshall(change(unmarshall(Item) as StoredRecord), { removeUndefinedValues: true })
  await server.client.send(new PutItemCommand({ TableName: TABLE, Item: item }))
}

const withoutChain = ({ chain: _chain, before: _before, ...record }: StoredRecord) => ({ ...record, amount: '4321' })
const withChain = (record: StoredRecord) => ({ ...record, amount: '4321' })

/** Edits a record of this store, then reads it and writes it, and returns both results. */
async function edited(store: RecordStore, when: 'before the read' | 'after the read', change: typeof withoutChain) {
  const pk = `I#withdraw#${++ids}`
  await store.create({ pk, version: 1, format: 1, stamp: `s-${ids}`, amount: '100' })
  const early = when === 'after the read' ? await store.read(pk) : undefined
  await editRecord(pk, change)
  const told: unknown[] = []
  const attempt = async (act: () => Promise<unknown>) => told.push(await act().catch((error: unknown) => String(error)))
  if (early === undefined) await attempt(() => store.read(pk))
  await attempt(() => store.replace({ pk, version: 2, format: 1, stamp: `s-${ids}-2`, amount: '100' }, 1))
  return { pk, told }
}

const broken = (pk: string, because: string) =>
  expect.stringContaining(`Defect: the record ${pk} is broken: ${because}`)

test('an edited record is not read: the defect names it, and the fault', async () => {
  const store = newProcess()
  const bare = await edited(store, 'before the read', withoutChain)
  expect(bare.told[0]).toEqual(broken(bare.pk, 'its chain is missing'))
  const kept = await edited(store, 'before the read', withChain)
  expect(kept.told[0]).toEqual(broken(kept.pk, 'it is not as it was written'))
})

test('a record that was edited between a read and a write is not overwritten', async () => {
  const { pk, told } = await edited(newProcess(), 'after the read', withoutChain)
  expect(told).toEqual([broken(pk, 'its chain is missing')])
})

test('a process that never read the record overwrites it only if it is whole', async () => {
  const store = newProcess()
  const pk = 'I#withdraw#cold'
  await store.create({ pk, version: 1, format: 1, stamp: 'one', amount: '100' })
  expect(await newProcess().replace({ pk, version: 2, format: 1, stamp: 'two', amount: '100' }, 1)).toBe('written')
  await editRecord(pk, withChain)
  const cold = newProcess().replace({ pk, version: 3, format: 1, stamp: 'three', amount: '100' }, 2)
  await expect(cold).rejects.toThrow(`the record ${pk} is broken`)
})

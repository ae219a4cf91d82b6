// Records that somebody edits outside the store, before a read and between a read and a write. The tests use the store
// and mutants of it, on a real table.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import type { RecordStore, StoredRecord } from '../../../core/journal/record-store.ts'
import { createJournalTable, type DynamoServer, startDynalite } from '../../helpers/dynamo-servers.ts'
import { type Edit, edit, editing } from '../../mutants/source-edits.ts'

const TABLE = 'edited'
const STORE = 'core/journal/dynamo-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-edited-'))
type MakeStore = typeof createDynamoStore
let server: DynamoServer
let asItIs: MakeStore
const mutants = new Map<string, MakeStore>()
let ids = 0
beforeAll(async () => {
  // Bundles everything first, because the server may close an idle connection during a build.
  asItIs = await bundled([])
  for (const [about, change] of MUTANTS) mutants.set(about, await bundled([change]))
  server = await startDynalite()
  await createJournalTable(server.client, TABLE)
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The store, unchanged or with a mutant's edits. */
async function bundled(edits: readonly Edit[]): Promise<MakeStore> {
  const file = join(folder, `store-${++ids}.mjs`)
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../../..', STORE)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'silent',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    plugins: [editing(edits)],
  })
  writeFileSync(file, outputFiles[0]?.contents ?? '')
  const module: { createDynamoStore: MakeStore } = await import(/* @vite-ignore */ pathToFileURL(file).href)
  return module.createDynamoStore
}

/** A process of its own. Its commands come from the bundle, and the client belongs to the test. */
const processOf = (make: MakeStore | undefined): RecordStore => (make ?? asItIs)(server.client, TABLE)

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

/** Fails if anything continues from an edited record. */
async function judgeReads(store: RecordStore): Promise<void> {
  const bare = await edited(store, 'before the read', withoutChain)
  expect(bare.told[0]).toEqual(broken(bare.pk, 'its chain is missing'))
  const kept = await edited(store, 'before the read', withChain)
  expect(kept.told[0]).toEqual(broken(kept.pk, 'it is not as it was written'))
}

async function judgeWrites(store: RecordStore): Promise<void> {
  const { pk, told } = await edited(store, 'after the read', withoutChain)
  expect(told).toEqual([broken(pk, 'its chain is missing')])
}

test('an edited record is not read: the defect names it, and the fault', async () => {
  await judgeReads(processOf(asItIs))
})

test('a record that was edited between a read and a write is not overwritten', async () => {
  await judgeWrites(processOf(asItIs))
})

test('a process that never read the record overwrites it only if it is whole', async () => {
  const store = processOf(asItIs)
  const pk = 'I#withdraw#cold'
  await store.create({ pk, version: 1, format: 1, stamp: 'one', amount: '100' })
  expect(await processOf(asItIs).replace({ pk, version: 2, format: 1, stamp: 'two', amount: '100' }, 1)).toBe('written')
  await editRecord(pk, withChain)
  const cold = processOf(asItIs).replace({ pk, version: 3, format: 1, stamp: 'three', amount: '100' }, 2)
  await expect(cold).rejects.toThrow(`the record ${pk} is broken`)
})

/** Naive variants of the store, and the judge that catches each. */
const MUTANTS: readonly (readonly [string, Edit, (store: RecordStore) => Promise<void>])[] = [
  ['does not check what it reads', edit(STORE, 'wholeRecord(record)', 'record'), judgeReads],
  [
    'takes a record without a chain for one of before',
    edit(
      'core/journal/record-chain.ts',
      "if (chain === undefined) return broken('its chain is missing')",
      "if (chain === undefined) return { is: 'whole' }",
    ),
    judgeReads,
  ],
  [
    'holds the version alone when it writes',
    edit(
      STORE,
      '(#version = :expected) AND (#chain = :before)',
      '(#version = :expected) AND (#version = :expected OR #chain = :before)',
    ),
    judgeWrites,
  ],
]

test.each(MUTANTS)('a store that %s is caught', async (about, _change, judge) => {
  await expect(judge(processOf(mutants.get(about)))).rejects.toThrow(/expected/)
})

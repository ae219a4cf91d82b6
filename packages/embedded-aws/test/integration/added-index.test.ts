// Boots an assembly with an index that the stored table lacks. The index is added and filled, as on AWS, so the state
// directory stays usable. If the process dies meanwhile, the next boot completes the index.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { DynamoDb } from '../../dynamodb/dynamodb.ts'
import { temporaryDirectory } from './fixture/assembly.ts'
import { BEFORE, ITEMS, keysAsked, OTHER_KEYS, PLACE, TODAY } from './fixture/indexed-table.ts'

const temporary = temporaryDirectory()
afterAll(() => temporary.remove())

let directory: string
let count = 0
beforeEach(async () => {
  count += 1
  directory = path.join(temporary.directory, `table-${count}`)
})

async function withTable<Result>(work: (dynamoDb: DynamoDb) => Promise<Result>): Promise<Result> {
  const dynamoDb = await DynamoDb.open(directory, PLACE)
  try {
    return await work(dynamoDb)
  } finally {
    await dynamoDb.close()
  }
}

const itemOf = (n: number) => ({
  pk: { S: `k${String(n).padStart(5, '0')}` },
  // Every third item lacks the attributes of the index's key.
  ...(n % 3 !== 0 && { asked: { S: 'm' }, at: { S: `t${String(n).padStart(5, '0')}` } }),
})

async function fill(dynamoDb: DynamoDb, items: number): Promise<void> {
  const { perform } = dynamoDb.endpoint()
  await dynamoDb.ensureTable(BEFORE)
  for (let n = 0; n < items; n += 500) {
    const batch = Array.from({ length: Math.min(500, items - n) }, (_, at) => itemOf(n + at))
    await Promise.all(batch.map((Item) => perform('PutItem', { TableName: 'records', Item })))
  }
}

test('a stored table gets the index with the items that have its attributes, and later writes enter it', async () => {
  await withTable((dynamoDb) => fill(dynamoDb, 10))
  await withTable(async (dynamoDb) => {
    await dynamoDb.ensureTable(TODAY)
    expect(await keysAsked(dynamoDb, 4)).toEqual(['k00008', 'k00007', 'k00005', 'k00004'])
    // An item without those attributes enters the index when it is written again with them.
    const late = { ...itemOf(9), asked: { S: 'm' }, at: { S: 't00009' } }
    await dynamoDb.endpoint().perform('PutItem', { TableName: 'records', Item: late })
    expect(await keysAsked(dynamoDb, 2)).toEqual(['k00009', 'k00008'])
  })
  // The next boot finds the index complete.
  await withTable(async (dynamoDb) => {
    await dynamoDb.ensureTable(TODAY)
    expect(await keysAsked(dynamoDb, 1)).toEqual(['k00009'])
  })
})

test('a process that dies while the index is filled leaves it unreadable, and the next boot fills it whole', async () => {
  await withTable((dynamoDb) => fill(dynamoDb, ITEMS))
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'fixture/killed-filling.ts'), directory])
  expect((await once(child, 'exit'))[1]).toBe('SIGKILL')
  await withTable(async (dynamoDb) => {
    await expect(keysAsked(dynamoDb, 1)).rejects.toThrow('Cannot read from backfilling global secondary index: asked')
    await dynamoDb.ensureTable(TODAY)
    expect(await keysAsked(dynamoDb, ITEMS)).toHaveLength((ITEMS * 2) / 3)
  })
})

test('an index with other keys is refused, and an index that the assembly lacks is not deleted', async () => {
  await withTable((dynamoDb) => fill(dynamoDb, 1))
  const differs = 'GlobalSecondaryIndexes differs from the stored table'
  await withTable(async (dynamoDb) => {
    await expect(dynamoDb.ensureTable(OTHER_KEYS)).rejects.toThrow(differs)
    // An index that the assembly lacks is refused too, because AWS would delete it.
    await dynamoDb.ensureTable(TODAY)
    await expect(dynamoDb.ensureTable(BEFORE)).rejects.toThrow(differs)
  })
})

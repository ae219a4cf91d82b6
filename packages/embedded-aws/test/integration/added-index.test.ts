// An assembly with one more index than the stored table has: the index is added and filled, as on AWS, so that a state
// directory goes on. A process that dies meanwhile leaves nothing half done behind.
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

async function opened<Result>(work: (dynamoDb: DynamoDb) => Promise<Result>): Promise<Result> {
  const dynamoDb = await DynamoDb.open(directory, PLACE)
  try {
    return await work(dynamoDb)
  } finally {
    await dynamoDb.close()
  }
}

const itemOf = (n: number) => ({
  pk: { S: `k${String(n).padStart(5, '0')}` },
  // Every third has none of what the index goes by.
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

test('a stored table gets the index with the items that have its attributes, and what is written later', async () => {
  await opened((dynamoDb) => fill(dynamoDb, 10))
  await opened(async (dynamoDb) => {
    await dynamoDb.ensureTable(TODAY)
    expect(await keysAsked(dynamoDb, 4)).toEqual(['k00008', 'k00007', 'k00005', 'k00004'])
    // An item without those attributes enters it once it is written again with them.
    const late = { ...itemOf(9), asked: { S: 'm' }, at: { S: 't00009' } }
    await dynamoDb.endpoint().perform('PutItem', { TableName: 'records', Item: late })
    expect(await keysAsked(dynamoDb, 2)).toEqual(['k00009', 'k00008'])
  })
  // It is there at the next boot, and nothing is to be done.
  await opened(async (dynamoDb) => {
    await dynamoDb.ensureTable(TODAY)
    expect(await keysAsked(dynamoDb, 1)).toEqual(['k00009'])
  })
})

test('a process that dies while the index is filled leaves it unreadable, and the next boot fills it whole', async () => {
  await opened((dynamoDb) => fill(dynamoDb, ITEMS))
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'fixture/killed-filling.ts'), directory])
  expect((await once(child, 'exit'))[1]).toBe('SIGKILL')
  await opened(async (dynamoDb) => {
    await expect(keysAsked(dynamoDb, 1)).rejects.toThrow('Cannot read from backfilling global secondary index: asked')
    await dynamoDb.ensureTable(TODAY)
    expect(await keysAsked(dynamoDb, ITEMS)).toHaveLength((ITEMS * 2) / 3)
  })
})

test('other keys of an index are refused, and an index that the assembly lacks is not deleted', async () => {
  await opened((dynamoDb) => fill(dynamoDb, 1))
  const differs = 'GlobalSecondaryIndexes differs from the stored table'
  await opened(async (dynamoDb) => {
    await expect(dynamoDb.ensureTable(OTHER_KEYS)).rejects.toThrow(differs)
    // An index that the assembly has not is refused too: it would be deleted.
    await dynamoDb.ensureTable(TODAY)
    await expect(dynamoDb.ensureTable(BEFORE)).rejects.toThrow(differs)
  })
})

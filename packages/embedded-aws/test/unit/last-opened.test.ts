// A table keeps its id across restarts, and a restored older copy of its files gets another.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DynamoDb } from '../../dynamodb/dynamodb.ts'

const PLACE = { account: '123456789012', region: 'us-east-1' }
const TABLE = {
  name: 'kept',
  arn: 'arn:aws:dynamodb:us-east-1:123456789012:table/kept',
  createTable: {
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  },
}

let folder: string
let directory: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'embedded-opened-'))
  directory = path.join(folder, 'dynamodb')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Opens the database, ensures the table, closes the database and returns the table's id. */
async function tableIdOnce(): Promise<string> {
  const dynamoDb = await DynamoDb.open(directory, PLACE)
  await dynamoDb.ensureTable(TABLE)
  const answer = await dynamoDb.endpoint().perform('DescribeTable', { TableName: TABLE.name })
  await dynamoDb.close()
  return (answer as { readonly Table: { readonly TableId: string } }).Table.TableId
}

const copy = (name: string) => cpSync(directory, path.join(folder, name), { recursive: true })

function putBack(name: string): void {
  rmSync(directory, { recursive: true })
  cpSync(path.join(folder, name), directory, { recursive: true })
}

test('a table keeps its id from one opening to the next', async () => {
  const first = await tableIdOnce()
  expect(await tableIdOnce()).toBe(first)
  expect(await tableIdOnce()).toBe(first)
})

test('a restored older copy gets another id, and keeps it', async () => {
  const first = await tableIdOnce()
  copy('older')
  expect(await tableIdOnce()).toBe(first)
  putBack('older')
  const restored = await tableIdOnce()
  expect(restored).not.toBe(first)
  expect(await tableIdOnce()).toBe(restored)
})

test('a copy that was restored before the next opening keeps the id', async () => {
  const first = await tableIdOnce()
  copy('same')
  putBack('same')
  expect(await tableIdOnce()).toBe(first)
})

test('a new table after a deletion has another id', async () => {
  const first = await tableIdOnce()
  rmSync(directory, { recursive: true })
  expect(await tableIdOnce()).not.toBe(first)
})

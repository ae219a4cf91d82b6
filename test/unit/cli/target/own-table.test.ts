// When a table without a word of whose it is counts as a new journal, and when as one that was lost.
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { expect, test } from 'vitest'
import { declareOwnTable } from '../../../../cli/target/journal/own-table.ts'

interface World {
  readonly keys?: readonly string[]
  readonly isRestored?: boolean
  readonly hasRun?: boolean | 'unclear'
}

async function declaredIn({ keys = [], isRestored = false, hasRun = false }: World) {
  const written: string[] = []
  const send = async ({ constructor: { name }, input }: { readonly constructor: { name: string }; input: object }) => {
    if (name === 'DescribeTableCommand')
      return { Table: { TableId: 'table-1', ...(isRestored && { RestoreSummary: { RestoreInProgress: false } }) } }
    if (name === 'ScanCommand') return { Items: keys.map((key) => ({ pk: { S: key } })) }
    if (name === 'PutItemCommand') written.push(JSON.stringify(input))
    return {}
  }
  // It is sent four commands, and all are answered above.
  const client = { send } as unknown as DynamoDBClient
  const asked = { hasRunBefore: async () => hasRun, nowMs: 0 }
  return { outcome: await declareOwnTable({ client, tableName: 'sluice-journal' }, asked), written: written.length }
}

test('an empty table before any execution is a new journal', async () => {
  expect(await declaredIn({})).toEqual({ outcome: 'declared', written: 1 })
})

test.each([
  ['is empty, and executions have run', { hasRun: true }],
  ['holds no more than a halt, and executions have run', { hasRun: true, keys: ['H#*'] }],
  ['was restored from before journals named their table', { isRestored: true, keys: ['I#one'] }],
])('a table that %s was lost', async (_what, world) => {
  expect(await declaredIn(world)).toEqual({ outcome: 'lost', written: 0 })
})

test('a table with intents of a release before is its journal', async () => {
  expect(await declaredIn({ hasRun: true, keys: ['H#*', 'I#one'] })).toEqual({ outcome: 'declared', written: 1 })
})

test('an empty table of which nobody can tell whether executions are older is neither declared nor called lost', async () => {
  expect(await declaredIn({ hasRun: 'unclear' })).toEqual({ outcome: 'unclear', written: 0 })
  expect(await declaredIn({ hasRun: 'unclear', keys: ['I#one'] })).toEqual({ outcome: 'declared', written: 1 })
})

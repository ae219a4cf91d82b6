// Tests when an undeclared table counts as a new journal, and when it counts as a lost journal.
import { marshall } from '@aws-sdk/util-dynamodb'
import { expect, test } from 'vitest'
import { chained } from '../../../../core/journal/record-chain.ts'
import type { JournalClient } from '../../../../place/aws/aws-address.ts'
import { declareOwnTable } from '../../../../place/journal/own-table.ts'

interface World {
  readonly keys?: readonly string[]
  readonly isRestored?: boolean
  readonly hasRun?: boolean | 'unclear'
  /** The record by which the journal names its table. Absent: the table has no such record. */
  readonly journal?: { readonly form?: number }
}

async function declaredIn({ keys = [], isRestored = false, hasRun = false, journal }: World) {
  const written: string[] = []
  const record = {
    pk: 'A#journal',
    version: 1,
    format: 1,
    stamp: 'stamp-1',
    tableId: 'table-1',
    at: '2026-01-01T00:00:00.000Z',
  }
  const client = {
    describeTable: async () => ({
      Table: { TableId: 'table-1', ...(isRestored && { RestoreSummary: { RestoreInProgress: false } }) },
    }),
    scan: async () => ({ Items: keys.map((key) => ({ pk: { S: key } })) }),
    getItem: async () => ({
      ConsumedCapacity: {},
      ...(journal && { Item: marshall(chained({ ...record, ...journal }, undefined)) }),
    }),
    putItem: async (input: object) => {
      written.push(JSON.stringify(input))
      return { ConsumedCapacity: {} }
    },
  } as unknown as JournalClient
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

test.each([true, false])(
  'a table with intents that names no journal is refused (executions have run: %s)',
  async (hasRun) => {
    await expect(declaredIn({ hasRun, keys: ['H#*', 'I#one'] })).rejects.toThrow(/names no form of its records/)
  },
)

test('a journal with another record format is refused, with the next step', async () => {
  await expect(declaredIn({ journal: { form: 2 } })).rejects.toThrow(/begin a new state directory/)
})

test('an empty table is neither declared nor called lost if nobody knows whether executions are older', async () => {
  expect(await declaredIn({ hasRun: 'unclear' })).toEqual({ outcome: 'unclear', written: 0 })
})

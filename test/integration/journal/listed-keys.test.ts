// A list of the index is read up to a bound, and continues after any key, so that no intent is left out or shown twice.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { intentName, listing } from '../../../core/contract/records.ts'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import { listBeginningOf } from '../../../core/journal/intent-index.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import { type ListedTable, listKeys } from '../../../core/journal/listed-keys.ts'
import { readOpenIntents } from '../../../core/journal/listed-records.ts'
import { zeroMove } from '../../../core/journal/moves.ts'
import { createJournalTable, type DynamoServer, startDynalite } from '../../helpers/dynamo-servers.ts'
import { CONVERSION } from '../../helpers/intents.ts'

const TIMES = { createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z' }
const IDS = ['a', 'b', 'c', 'd', 'e']

let server: DynamoServer
let table: ListedTable & { readonly client: DynamoServer['client'] }
beforeAll(async () => {
  server = await startDynalite()
  table = { client: server.client, tableName: 'listed' }
  await createJournalTable(server.client, table.tableName)
})
afterAll(() => server.stop())

test('open intents are read in parts, continuing after any of them, also after one that has ended since', async () => {
  const store = createDynamoStore(table.client, table.tableName)
  const journal = createJournal(store, randomUUID)
  const listed = { list: listBeginningOf(table), journal }
  for (const intentId of IDS) await journal.open({ intentId, ...CONVERSION, ...TIMES })

  const first = await readOpenIntents(listed, { limit: 2 })
  expect(first.intents).toHaveLength(2)
  const last = first.intents[1]
  expect(first.lookedAtUpTo).toBe(last && intentName(last.kind, last.intentId))
  if (last !== undefined) await journal.advance(last, zeroMove(last, 'REJECTED', 'REJECTED', 'a test'))

  const second = await readOpenIntents(listed, { limit: 3, after: first.lookedAtUpTo })
  expect(second.lookedAtUpTo).toBeUndefined()
  const all = [...first.intents, ...second.intents].map(({ intentId }) => intentId)
  expect(all.sort()).toEqual(IDS)
  expect(await listKeys(table, listing.open, { limit: 4 })).toMatchObject({ isCutOff: false })
  expect(await listKeys(table, listing.halts, { limit: 4 })).toEqual({ keys: [], isCutOff: false })
})

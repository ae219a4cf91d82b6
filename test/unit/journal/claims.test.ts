// Claims: ids are unique only within their kind.
import { beforeEach, expect, test } from 'vitest'
import { createJournal, type Journal } from '../../../core/journal/journal.ts'
import { CONVERSION, WITHDRAWAL } from '../../helpers/intents.ts'
import { createMemoryStore, type MemoryStore } from '../../helpers/memory-store.ts'

let store: MemoryStore
let journal: Journal
beforeEach(async () => {
  let ids = 0
  store = createMemoryStore()
  journal = createJournal(store, () => `id-${++ids}`)
  const times = { createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z' }
  for (const kind of ['convert', 'withdraw'] as const)
    await journal.open({ ...(kind === 'convert' ? CONVERSION : WITHDRAWAL), intentId: `${kind}-1`, ...times })
})

test('an order and a withdrawal of the same id are claimed separately', async () => {
  expect(await journal.claim('convert', '1000001', 'convert-1')).toBeUndefined()
  expect(await journal.findClaim('withdraw', '1000001')).toBeUndefined()
  expect(await journal.claim('withdraw', '1000001', 'withdraw-1')).toBeUndefined()
  expect(await journal.findClaim('convert', '1000001')).toBe('convert-1')
  expect(await journal.findClaim('withdraw', '1000001')).toBe('withdraw-1')
})

test('a claimed movement goes to no other intent of its kind', async () => {
  await journal.claim('withdraw', '1000001', 'withdraw-1')
  expect(await journal.claim('withdraw', '1000001', 'withdraw-2')).toBe('withdraw-1')
})

test('a record under a key without a kind is no claim', async () => {
  await store.create({ pk: 'C#1000001', version: 1, format: 1, stamp: 'before', intentId: 'convert-1' })
  expect(await journal.findClaim('convert', '1000001')).toBeUndefined()
  expect(await journal.claim('convert', '1000001', 'convert-2')).toBeUndefined()
})

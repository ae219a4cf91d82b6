// Tests records that a later release wrote, and records that Sluice did not write.
import { beforeEach, describe, expect, test } from 'vitest'
import { Defect } from '../../../core/errors.ts'
import { createHalts } from '../../../core/journal/halts.ts'
import { createInbox } from '../../../core/journal/inbox.ts'
import { createJournal, type Journal } from '../../../core/journal/journal.ts'
import { createLanes } from '../../../core/journal/lanes.ts'
import { findPin } from '../../../core/journal/pinned-account.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { createWatermarks } from '../../../core/journal/watermarks.ts'
import { armed, CONVERSION } from '../../helpers/intents.ts'
import { createMemoryStore, type MemoryStore } from '../../helpers/memory-store.ts'
import { testSeals } from '../../helpers/test-seals.ts'

const TIMES = { createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z' }

let store: MemoryStore
let journal: Journal
let ids = 0
const newId = () => `stamp-${++ids}`
beforeEach(() => {
  store = createMemoryStore()
  journal = createJournal(store, newId)
})

const put = (...records: StoredRecord[]) => Promise.all(records.map((record) => store.create(record)))

test('fields that a later release has added survive a write', async () => {
  const opened = await journal.open({ ...CONVERSION, ...TIMES, intentId: 'new' })
  const record = store.records.get('I#convert#new') as StoredRecord
  const attempt = { ...armed(opened, 'order-1').attempt, inAttempt: 1 }
  const later = { ...record, state: 'ARMED', attempt, added: { by: 'a later release' }, version: 2 }
  await store.replace(later, 1)
  const found = await journal.find('new', 'convert')
  if (found === undefined) throw new TypeError('it is there')
  await journal.advance(found, { state: 'DONE', ref: 'order-1' })
  expect(store.records.get('I#convert#new')).toMatchObject({
    state: 'DONE',
    added: later.added,
    attempt: { inAttempt: 1 },
  })
  await put({ pk: 'H#*', version: 1, stamp: 'a', format: 1, halted: true, by: 'a', because: 'b', at: 'c', added: 1 })
  await createHalts(store, newId).resume({ scope: '*', by: 'a', because: 'done', at: 'd' })
  expect(store.records.get('H#*')).toMatchObject({ halted: false, because: 'done', added: 1, version: 2 })
})

describe('a record that is refused', () => {
  const bare = { version: 1, stamp: 'a', format: 1 }
  const reads: readonly [string, StoredRecord, () => Promise<unknown>, string][] = [
    ['an intent', { ...bare, pk: 'I#convert#x' }, () => journal.find('x', 'convert'), 'I#convert#x.intentId'],
    ['a claim', { ...bare, pk: 'C#convert#1' }, () => journal.findClaim('convert', '1'), 'C#convert#1.intentId'],
    ['the account', { ...bare, pk: 'A#account' }, () => findPin(store), 'A#account.account'],
    ['a halt', { ...bare, pk: 'H#*' }, () => createHalts(store, newId).find(undefined), 'H#*.halted'],
    ['a delivery', { ...bare, pk: 'E#1' }, () => createInbox(store, newId).has('1'), 'E#1.receivedAt'],
    ['a watermark', { ...bare, pk: 'W#w' }, () => createWatermarks(store, newId, testSeals()).find('w'), 'W#w.through'],
    ['a lane', { ...bare, pk: 'L#a#B' }, () => createLanes(store, journal, newId).take('a', 'B', 'x'), 'L#a#B.holders'],
  ]

  test.each(reads)(
    '%s without its fields is a defect that names the record and the field',
    async (_, record, read, field) => {
      await put(record)
      await expect(read()).rejects.toThrow(Defect)
      await expect(read()).rejects.toThrow(`the record ${field}: expected`)
    },
  )

  test.each(reads)('%s of an unknown format is refused by that', async (_, record, read) => {
    await put({ ...record, format: 2 })
    await expect(read()).rejects.toThrow(`the record ${record.pk} has format 2, and this release knows format 1`)
  })

  test.each(reads)('%s that names no format is refused by that', async (_, { format: _format, ...record }, read) => {
    await put(record as StoredRecord)
    await expect(read()).rejects.toThrow(`the record ${record.pk} has no format that is a number`)
  })

  test('never shows its content', async () => {
    await journal.open({ ...CONVERSION, ...TIMES, intentId: 'x' })
    const record = store.records.get('I#convert#x') as StoredRecord
    await store.replace({ ...record, version: 2, frozen: { ...CONVERSION.frozen, amount: 12.34 } }, 1)
    const result = await journal.find('x', 'convert').catch((error: unknown) => String(error))
    expect(result).toBe('Defect: the record I#convert#x.frozen.amount: expected a value of type string')
  })

  test.each([
    ['of the other kind', 'I#withdraw#x', () => journal.find('x', 'withdraw')],
    ['of another id', 'I#convert#y', () => journal.find('y', 'convert')],
  ])('an intent under the key of one %s', async (_, pk, read) => {
    await journal.open({ ...CONVERSION, ...TIMES, intentId: 'x' })
    await put({ ...(store.records.get('I#convert#x') as StoredRecord), pk })
    await expect(read()).rejects.toThrow(`the record ${pk} holds the convert intent x`)
  })

  test('an armed intent without its attempt', async () => {
    await journal.open({ ...CONVERSION, ...TIMES, intentId: 'x' })
    const record = store.records.get('I#convert#x') as StoredRecord
    await store.replace({ ...record, version: 2, state: 'ARMED' }, 1)
    await expect(journal.find('x', 'convert')).rejects.toThrow('the record I#convert#x.attempt: expected')
  })
})

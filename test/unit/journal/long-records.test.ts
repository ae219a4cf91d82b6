// Tests long records: what is stored, and that a changed or missing page stops every reader.
import { beforeEach, expect, test } from 'vitest'
import { outlineOf, withLongRecords } from '../../../core/journal/long-records.ts'
import { createPages, pageHashes } from '../../../core/journal/pages.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { createMemoryStore, type MemoryStore } from '../../helpers/memory-store.ts'

let items: MemoryStore
const opened = () => withLongRecords(items, (pk) => pk.startsWith('R#'))
beforeEach(() => {
  items = createMemoryStore()
})

const PLAN_BYTES = 900
const legs = Array.from({ length: 1_000 }, (_, index) => ({ key: `leg-${index}`, reason: 'x'.repeat(PLAN_BYTES) }))
const results = Object.fromEntries(legs.map(({ key }) => [key, { outcome: 'COMPLETED', why: undefined }]))
const run = (more: object = {}): StoredRecord => ({
  ...{ pk: 'R#a', format: 1, version: 1, stamp: 's-1', plan: { legs, turnover: '1' } },
  ...{ phases: [{ phase: 1, legs: legs.map(({ key }) => ({ key })) }], results, ...more },
})
const stored = (prefix: string) => [...items.records.values()].filter(({ pk }) => pk.startsWith(prefix))
/** As an insider with the right to write would: over the item. */
const overwrite = (record: StoredRecord, change: object) =>
  items.replace({ ...record, ...change, version: record.version + 1 }, record.version)

test('a long record is kept in small items, and is read whole', async () => {
  await opened().create(run())
  for (const item of items.records.values()) expect(JSON.stringify(item).length).toBeLessThan(300_000)
  expect(stored('G#').length).toBe(30)
  expect(await opened().read('R#a')).toEqual(JSON.parse(JSON.stringify(run())))
})

test('a short record, and a record that is never long, are one item as before', async () => {
  const short = run({ plan: { legs: legs.slice(0, 150), turnover: '1' } })
  await opened().create(short)
  await opened().create({ ...run(), pk: 'I#a' })
  expect(items.records.get('R#a')).toEqual(short)
  expect([...items.records.keys()]).toEqual(['R#a', 'I#a'])
})

test('the next version of a record writes only the pages that changed', async () => {
  const store = opened()
  await store.create(run())
  const before = stored('G#').length
  expect(await store.replace(run({ version: 2, stamp: 's-2', outcome: 'SETTLED' }), 1)).toBe('written')
  expect(stored('G#').length).toBe(before)
  expect(await store.replace(run({ version: 2, stamp: 's-3' }), 1)).toBe('stale')
  expect(await opened().read('R#a')).toMatchObject({ outcome: 'SETTLED', stamp: 's-2' })
})

test('a page that somebody changed is found by every reader', async () => {
  await opened().create(run())
  const [page] = stored('G#')
  if (page === undefined) throw new Error('no page')
  const [first, ...rest] = page.entries as object[]
  await overwrite(page, { entries: [{ ...first, reason: 'another payee' }, ...rest] })
  await expect(opened().read('R#a')).rejects.toThrow(`the page ${page.pk} was changed`)
})

test('a record that names another page is read as that page, or not at all', async () => {
  await opened().create(run())
  const [record] = stored('R#')
  if (record === undefined) throw new Error('no record')
  const pages = (record.pages as { at: string[]; pages: string[] }[]).map((list) =>
    list.at.join('.') === 'plan.legs' ? { ...list, pages: ['0'.repeat(64)] } : list,
  )
  await overwrite(record, { pages })
  await expect(opened().read('R#a')).rejects.toThrow('the journal lacks the page')
})

test.each([
  ['every object', ['__proto__', 'approval']],
  ['every object, by its constructor', ['constructor', 'prototype', 'approval']],
  ['a field that it lacks', ['plan', 'more', 'legs']],
])('a record that names pages for %s is not read', async (_, at) => {
  await opened().create(run())
  const [record] = stored('R#')
  if (record === undefined) throw new Error('no record')
  const [named] = record.pages as object[]
  const edited = { ...record, pages: [{ ...named, at }] }
  const found = `the record R#a names pages for ${at.join('.')}, a field that it does not have`
  try {
    await overwrite(record, edited)
    await expect(opened().read('R#a')).rejects.toThrow(found)
    expect(() => outlineOf(edited)).toThrow(found)
    expect('approval' in {}).toBe(false)
  } finally {
    Reflect.deleteProperty(Object.prototype, 'approval')
  }
})

test('a page of a list does not stand in the place of a map', async () => {
  await opened().create(run())
  const [record] = stored('R#')
  if (record === undefined) throw new Error('no record')
  const [legsAt, ...others] = record.pages as object[]
  await overwrite(record, { pages: [{ ...legsAt, isMap: true }, ...others] })
  await expect(opened().read('R#a')).rejects.toThrow('the record R#a.plan.legs.0: expected')
})

test('an item that was read without its pages has no lists that could be taken for empty ones', async () => {
  await opened().create(run())
  expect(items.records.get('R#a')).toMatchObject({ plan: { legs: null }, phases: [{ legs: null }], results: null })
})

test('the outline of an item has its other fields, and empty lists', async () => {
  await opened().create(run())
  const [record] = stored('R#')
  expect(record && outlineOf(record)).toMatchObject({ plan: { legs: [], turnover: '1' }, results: {} })
  expect(outlineOf(run())).toEqual(run())
})

test('pages are named by their content alone', async () => {
  const entries = Array.from({ length: 250 }, (_, index) => ({ id: index, none: undefined }))
  const hashes = await createPages(items).keep(entries)
  expect(hashes).toEqual(pageHashes(entries))
  expect(await createPages(items).read(hashes)).toEqual(JSON.parse(JSON.stringify(entries)))
  expect(await createPages(items).keep(entries)).toEqual(hashes)
  expect(items.records.size).toBe(3)
})

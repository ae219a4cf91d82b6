// Stores a record that is too long for one item: its long lists go to pages, and the record names them by their hashes. Readers
// get the whole record, or a Defect. A record of usual length is stored as it is.
import * as z from 'zod/mini'
import { PAGES_KEY } from '../contract/records.ts'
import { Defect } from '../errors.ts'
import { hashParams } from '../params-hash.ts'
import { createPages, type Pages } from './pages.ts'
import { assertFits } from './record-format.ts'
import type { RecordStore, StoredRecord } from './record-store.ts'

/** Bytes of JSON. An item holds 400 KB, and counts some bytes more for each field. */
const MOST_BYTES = 300_000
/**
 * A list of up to so many entries stays in its record. A hundred entries with the longest texts have more bytes than an item.
 */
const LONG_LIST = 20
/** Levels of fields in which a long list may be. */
const MOST_DEPTH = 4
/** Whole records that are remembered, so that the steps of a run join and check its record once. */
const MOST_KNOWN = 2

const pagedList = z.object({
  /** The fields on the way to the list. */
  at: z.readonly(z.array(z.string())),
  /** A map is kept as a list of keys and values. */
  isMap: z.boolean(),
  pages: z.readonly(z.array(z.string())),
})
type PagedList = z.infer<typeof pagedList>
const pagedLists = z.array(pagedList)
const pairs = z.array(z.tuple([z.string(), z.unknown()]))

type Container = Record<string, unknown>

/** `isLong`: whether a record with this key may be long; the others are never measured. */
export function withLongRecords(store: RecordStore, isLong: (pk: string) => boolean): RecordStore {
  const pages = createPages(store)
  const known = new Map<string, { readonly hash: string; readonly whole: StoredRecord }>()

  async function whole(record: StoredRecord): Promise<StoredRecord> {
    const hash = hashParams(record)
    const kept = known.get(record.pk)
    if (kept?.hash === hash) return kept.whole
    const joined = deepFrozen(await join(record, pages))
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(record.pk, { hash, whole: joined })
    return joined
  }

  const shortened = (record: StoredRecord) =>
    isLong(record.pk) && bytesOf(record) > MOST_BYTES ? split(record, pages) : Promise.resolve(record)

  return {
    async read(pk) {
      const record = await store.read(pk)
      return record === undefined || record[PAGES_KEY] === undefined ? record : whole(record)
    },
    create: async (record) => store.create(await shortened(record)),
    replace: async (record, expectedVersion) => store.replace(await shortened(record), expectedVersion),
  }
}

/** Leaves null in the place of each list, which no reader takes for a list. */
async function split(record: StoredRecord, pages: Pages): Promise<StoredRecord> {
  const head: Container = JSON.parse(JSON.stringify(record))
  const lists: PagedList[] = []
  for (const at of longLists(head, [])) {
    const field = at.at(-1) ?? ''
    const container = containerOf(head, at)
    const list = container[field] as readonly unknown[] | Container
    const isMap = !Array.isArray(list)
    lists.push({ at, isMap, pages: await pages.keep(isMap ? Object.entries(list) : list) })
    container[field] = null
  }
  return { ...(head as unknown as StoredRecord), [PAGES_KEY]: lists }
}

/** @throws Transient, Defect for a page that is missing or changed */
async function join({ [PAGES_KEY]: named, ...record }: StoredRecord, pages: Pages): Promise<StoredRecord> {
  assertFits(pagedLists, named, `${String(record.pk)}.${PAGES_KEY}`)
  const head: Container = structuredClone(record)
  for (const { at, isMap, pages: hashes } of named as PagedList[]) {
    const entries = await pages.read(hashes)
    if (isMap) assertFits(pairs, entries, `${String(record.pk)}.${at.join('.')}`)
    containerOf(head, at)[at.at(-1) ?? ''] = isMap ? Object.fromEntries(entries as [string, unknown][]) : entries
  }
  return head as unknown as StoredRecord
}

/**
 * The item of a long record as it is stored, with empty lists in the place of those that pages hold. For readers of items that
 * only need the other fields. Another record is returned as it is.
 * @throws Defect for a record that names its pages in another form
 */
export function outlineOf(item: StoredRecord): StoredRecord {
  const named = item[PAGES_KEY]
  if (named === undefined) return item
  assertFits(pagedLists, named, `${item.pk}.${PAGES_KEY}`)
  const head: Container = structuredClone(item)
  for (const { at, isMap } of named as PagedList[]) containerOf(head, at)[at.at(-1) ?? ''] = isMap ? {} : []
  return head as unknown as StoredRecord
}

/** Finds only what is the record's own, so that whoever edits a record reaches nothing outside of it. @throws Defect */
function containerOf(head: Container, at: readonly string[]): Container {
  let container = head
  for (const [depth, field] of at.entries()) {
    if (container === null || typeof container !== 'object' || !Object.hasOwn(container, field))
      throw new Defect(`the record ${String(head.pk)} names pages for ${at.join('.')}, a field that it does not have`)
    if (depth < at.length - 1) container = container[field] as Container
  }
  return container
}

/** Places of the lists and maps with many entries, the outermost of each way. */
function longLists(value: unknown, at: readonly string[]): (readonly string[])[] {
  if (value === null || typeof value !== 'object' || at.length > MOST_DEPTH) return []
  const entries = Object.entries(value)
  if (at.length > 0 && entries.length > LONG_LIST) return [at]
  return entries.flatMap(([field, each]) => longLists(each, [...at, field]))
}

function bytesOf(record: StoredRecord): number {
  return Buffer.byteLength(JSON.stringify(record))
}

/** A frozen record is checked against its form only once. */
function deepFrozen<Value>(value: Value): Value {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value
  for (const each of Object.values(value)) deepFrozen(each)
  return Object.freeze(value)
}

// Keeps long lists beside the records that name them: a DynamoDB item holds 400 KB. A page has the hash of its entries as its
// key. So a page never changes, and whoever reads it checks that it is the page that was named. A page is written before the
// record that names it.
import * as z from 'zod/mini'
import { mapBounded, READS_AT_ONCE } from '../bounded.ts'
import { RECORD_FORMAT, recordKey } from '../contract/records.ts'
import { Defect } from '../errors.ts'
import { hashParams } from '../params-hash.ts'
import { checkRecord } from './record-format.ts'
import type { RecordStore } from './record-store.ts'

/** Far below 400 KB, with the longest entries of any list. */
const ENTRIES_ON_A_PAGE = 100
/** Some megabytes: the pages of a few long runs. */
const MOST_KNOWN = 400

const pageFields = z.object({ entries: z.readonly(z.array(z.unknown())) })

export interface Pages {
  /** Writes the pages that are not there yet, and returns their hashes in the order of the entries. @throws Transient */
  keep(entries: readonly unknown[]): Promise<string[]>
  /** @throws Transient, Defect for a page that is missing or is not as it was named */
  read(hashes: readonly string[]): Promise<readonly unknown[]>
}

export function createPages(store: RecordStore): Pages {
  const known = new Map<string, readonly unknown[]>()

  function remember(hash: string, entries: readonly unknown[]): readonly unknown[] {
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(hash, entries)
    return entries
  }

  async function keepPage(entries: readonly unknown[]): Promise<string> {
    const hash = hashParams(entries)
    if (known.has(hash)) return hash
    // Equal pages are one record, whoever wrote it first.
    await store.create({ pk: recordKey.page(hash), format: RECORD_FORMAT, version: 1, stamp: hash, entries })
    remember(hash, entries)
    return hash
  }

  async function readPage(hash: string): Promise<readonly unknown[]> {
    const page = known.get(hash)
    if (page !== undefined) return page
    const pk = recordKey.page(hash)
    const record = await store.read(pk)
    if (record === undefined) throw new Defect(`the journal lacks the page ${pk}, which another record names`)
    const { entries } = checkRecord(pageFields, record)
    if (hashParams(entries) !== hash)
      throw new Defect(`the page ${pk} was changed: it is not what another record names`)
    return remember(hash, entries)
  }

  return {
    keep: (entries) => mapBounded(partsOf(entries), READS_AT_ONCE, keepPage),
    read: async (hashes) => (await mapBounded(hashes, READS_AT_ONCE, readPage)).flat(),
  }
}

/** The hashes that `keep` returns. Pure. */
export function pageHashes(entries: readonly unknown[]): string[] {
  return partsOf(entries).map(hashParams)
}

function partsOf(entries: readonly unknown[]): readonly unknown[][] {
  const parts = Math.ceil(entries.length / ENTRIES_ON_A_PAGE)
  // As the store returns them: without fields that are undefined.
  const plain: unknown[] = JSON.parse(JSON.stringify(entries))
  return Array.from({ length: parts }, (_, at) => plain.slice(at * ENTRIES_ON_A_PAGE, (at + 1) * ENTRIES_ON_A_PAGE))
}

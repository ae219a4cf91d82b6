// Owns the walk through a list, within bounds (section "Pagination rules"). Walkers hold one page at a time, and a digest of
// each yielded item. Collectors return the whole list or throw. Absence is proved with them, so an incomplete list must never
// pass for a short list.
import type * as z from 'zod/mini'
import { Defect, Refused, TooMany, Transient } from '../errors.ts'
import type { Reader } from './reader.ts'
import { type QueryParameter, withQuery } from './request-path.ts'
import { SeenKeys } from './seen-keys.ts'

/** Items of a page, the service's maximum. */
const PAGE_LIMIT = 100
/** Maximum number of passes through a list that changes, or changes its order, during the walk. */
const MAX_PASSES = 12
/** Maximum passes in a row without a new item. After them the walk fails. */
const MAX_IDLE_PASSES = 3

/** Bounds of a walk. A caller that needs less leaves the loop. A longer list throws TooMany or Defect. */
export interface WalkBounds {
  /** 1,000,000 by default. */
  readonly maxItems?: number
  /** 20,000 by default. */
  readonly maxPages?: number
  /** Items of a page, 1 to 100; 100 by default. */
  readonly pageLimit?: number
  /**
   * For offset lists: the walk ends only when it has yielded as many items as the list counts, including those that
   * arrived during the walk.
   */
  readonly isWhole?: boolean
}

export interface Page<Item> {
  readonly data: readonly Item[]
  readonly pagination: { readonly page: number; readonly totalItems: number }
}

export interface CursorPage<Item> {
  readonly data: readonly Item[]
  readonly pagination: { readonly nextCursor: string | null }
}

type ReadPage<Item> = (page: number, limit: number) => Promise<Page<Item>>
type ReadCursorPage<Item> = (cursor: string | undefined, limit: number) => Promise<CursorPage<Item>>

/** Reads the pages of the list at `path`. `parameters`: those beside page and limit. */
export function readPagesOf<Shape extends z.ZodMiniType>(
  reader: Reader,
  { endpoint, path, shape }: { readonly endpoint: string; readonly path: string; readonly shape: Shape },
  parameters: readonly QueryParameter[] = [],
): (page: number, limit: number) => Promise<z.output<Shape>> {
  return (page, limit) => {
    const target = withQuery(path, [['page', page], ['limit', limit], ...parameters])
    return reader.read({ endpoint, target, shape })
  }
}

/**
 * Yields the items of an offset list page by page, each once, whatever the order of the pages. A pass that repeats
 * items has missed others, and the next pass finds those. Memory: 32 to 64 bytes for each yielded item. Items without a key
 * that are equal are yielded as often as one pass shows them.
 * Where the order changes while items arrive, the walk may yield an arrived item and miss another, unless `isWhole` is
 * set.
 * Throws TooMany or Defect beyond the bounds. Throws Transient when items were removed, when more items arrived than a
 * page holds, or when the passes do not find every item.
 */
export async function* walkPages<Item>(
  endpoint: string,
  bounds: WalkBounds,
  keyOf: (item: Item) => string | undefined,
  readPage: ReadPage<Item>,
): AsyncGenerator<Item, void> {
  const { maxItems, pageLimit } = boundsOf(bounds)
  const yielded = new SeenKeys()
  let totalItems: number | undefined
  let idlePasses = 0
  for (let pass = 1; pass <= MAX_PASSES && idlePasses < MAX_IDLE_PASSES; pass++) {
    const yieldedBefore = yielded.size
    const unnamed = new Map<string, number>()
    let countAtStart: number | undefined
    let repeated = 0
    for await (const { data, pagination } of readPages(endpoint, bounds, readPage)) {
      const grownBy = pagination.totalItems - (totalItems ?? pagination.totalItems)
      if (grownBy < 0 || grownBy > pageLimit) throw changed(endpoint)
      totalItems = pagination.totalItems
      countAtStart ??= totalItems
      for (const item of data) {
        const key = keyOf(item) ?? nameOf(item, unnamed)
        if (!yielded.add(key)) {
          repeated += 1
          continue
        }
        if (yielded.size > maxItems) throw tooLong(endpoint, maxItems)
        yield item
      }
      if (pass > 1 && yielded.size >= totalItems) return
    }
    // Items that arrive at the head push as many items to the next page, where these repeat. The arrived items may stay
    // unread.
    const arrived = (totalItems ?? 0) - (countAtStart ?? 0)
    const mayBeUnread = bounds.isWhole ? 0 : Math.min(arrived, repeated)
    if (yielded.size >= (totalItems ?? 0) - mayBeUnread) return
    idlePasses = yielded.size === yieldedBefore ? idlePasses + 1 : 0
  }
  throw changed(endpoint)
}

/** Makes a key for an item without a key: its content, and its number among the equal items of this pass. */
function nameOf(item: unknown, unnamed: Map<string, number>): string {
  const text = JSON.stringify(item)
  const nth = (unnamed.get(text) ?? 0) + 1
  unnamed.set(text, nth)
  return `${text} ${nth}`
}

/**
 * All items of an offset list, at most `maxItems`, in no fixed order. The list is whole when as many different items
 * were found as it counts, and its first page, read again at the end, shows no other item. The count alone is not
 * enough: one repeated item can hide a missing item. Reads until the list is whole, and starts again when the count
 * changes. Throws TooMany beyond `maxItems`, Transient when the list stays incomplete.
 */
export async function collectPages<Item>(
  endpoint: string,
  maxItems: number,
  keyOf: (item: Item) => string,
  readPage: ReadPage<Item>,
): Promise<readonly Item[]> {
  const found = new Map<string, Item>()
  let totalItems: number | undefined
  let idlePasses = 0
  for (let pass = 1; pass <= MAX_PASSES && idlePasses < MAX_IDLE_PASSES; pass++) {
    const known = found.size
    let pages = 0
    for await (const { data, pagination } of readPages(endpoint, { maxPages: maxItems + 1 }, readPage)) {
      if (pagination.totalItems > maxItems) throw tooLong(endpoint, maxItems)
      pages += 1
      // The count changed, so earlier items may no longer be in the list.
      if (pagination.totalItems !== totalItems) {
        found.clear()
        if (pages > 1) break
      }
      totalItems = pagination.totalItems
      for (const item of data) found.set(keyOf(item), item)
    }
    idlePasses = found.size === known ? idlePasses + 1 : 0
    if (found.size !== totalItems) continue
    if (pages <= 1 || (await isFirstPageKnown(found, totalItems, keyOf, readPage))) return [...found.values()]
    found.clear()
  }
  throw new Transient(`${endpoint}: the list was not brought whole, however often it was read`)
}

async function isFirstPageKnown<Item>(
  found: ReadonlyMap<string, Item>,
  totalItems: number,
  keyOf: (item: Item) => string,
  readPage: ReadPage<Item>,
): Promise<boolean> {
  const { data, pagination } = await readPage(1, PAGE_LIMIT)
  return pagination.totalItems === totalItems && data.every((item) => found.has(keyOf(item)))
}

/**
 * Yields the pages of an offset list. `totalPages` is not needed: the walk ends at the counted items, or at an empty
 * page.
 */
async function* readPages<Item>(
  endpoint: string,
  bounds: WalkBounds,
  readPage: ReadPage<Item>,
): AsyncGenerator<Page<Item>, void> {
  const { maxPages, pageLimit } = boundsOf(bounds)
  let received = 0
  for (let number = 1; number <= maxPages; number++) {
    const page = await readPage(number, pageLimit)
    if (page.pagination.page !== number)
      throw new Defect(`${endpoint}: page ${number} was asked for and another one came`)
    received += page.data.length
    yield page
    if (received >= page.pagination.totalItems || page.data.length === 0) return
  }
  throw new Defect(`${endpoint}: more than ${maxPages} pages`)
}

/**
 * Yields the items of a cursor list, page by page. Only a null cursor ends it: a page may hold fewer items than its
 * limit, also zero. Throws TooMany or Defect beyond the bounds, Defect when the cursors form a circle.
 */
export async function* walkCursor<Item>(
  endpoint: string,
  bounds: WalkBounds,
  readPage: ReadCursorPage<Item>,
): AsyncGenerator<Item, void> {
  const { maxItems, maxPages, pageLimit } = boundsOf(bounds)
  let yielded = 0
  let cursor: string | undefined
  // One earlier cursor, replaced after 1, 2, 4, … pages, finds every circle (Brent), with constant memory.
  let landmark: string | undefined
  let landmarkPage = 1
  for (let number = 1; number <= maxPages; number++) {
    const { data, pagination } = await readPage(cursor, pageLimit)
    for (const item of data) {
      if (++yielded > maxItems) throw tooLong(endpoint, maxItems)
      yield item
    }
    if (pagination.nextCursor === null) return
    cursor = pagination.nextCursor
    if (cursor === landmark) throw endless(endpoint)
    if (number === landmarkPage) {
      landmark = cursor
      landmarkPage *= 2
    }
  }
  throw endless(endpoint)
}

/** All items of a cursor list, at most `maxItems`. Throws as `walkCursor` does. */
export async function collectCursor<Item>(
  endpoint: string,
  maxItems: number,
  readPage: ReadCursorPage<Item>,
): Promise<readonly Item[]> {
  const items: Item[] = []
  for await (const item of walkCursor(endpoint, { maxItems, maxPages: maxItems + 1 }, readPage)) items.push(item)
  return items
}

function boundsOf({ maxItems = 1_000_000, maxPages = 20_000, pageLimit = PAGE_LIMIT }: WalkBounds) {
  if (!Number.isInteger(pageLimit) || pageLimit < 1 || pageLimit > PAGE_LIMIT)
    throw new Refused(`pageLimit: expected a whole number from 1 to ${PAGE_LIMIT}`)
  return { maxItems, maxPages, pageLimit }
}

function tooLong(endpoint: string, maxItems: number): TooMany {
  return new TooMany(`${endpoint}: more than ${maxItems} items`)
}

function changed(endpoint: string): Transient {
  return new Transient(`${endpoint}: the list changed during the walk`)
}

function endless(endpoint: string): Defect {
  return new Defect(`${endpoint}: the cursors do not come to an end`)
}

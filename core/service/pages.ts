// Owns the walk through a list, within bounds (section "Pagination rules"). The walkers hold one
// page at a time. The collectors bring a whole list, or an error: absence is proved with these,
// so a list that is not known to be whole is never a short list.
import { Defect, Refused, TooMany, Transient } from '../errors.ts'

/** The most that the service gives at once. */
const PAGE_LIMIT = 100
/** Passes through a list that changes, or changes its order, while it is read. */
const MAX_PASSES = 12
/** Passes in a row that bring nothing new: what is missing then is not there to be brought. */
const MAX_IDLE_PASSES = 3

/** How far a walk goes. Whoever needs less breaks off; a list beyond its bounds is a Defect. */
export interface WalkBounds {
  /** 1,000,000 unless given. */
  readonly maxItems?: number
  /** 20,000 unless given. */
  readonly maxPages?: number
  /** Items asked for at once, 1 to 100; 100 unless given. */
  readonly pageLimit?: number
  /** Of an offset list: ends only once as many items were told as it counts, also of those that came in meanwhile. */
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

/**
 * The items of an offset list, page by page, each once. Whatever order the pages come in, none is left out: a pass
 * that told some twice has missed others, and the next one brings them. Holds the key of each item that it has
 * told; of items that have none, equal ones are told as often as a pass brings them. In a list whose order changes
 * while others come in, one of those may be told for one that is left out, unless it is asked for whole. Throws Defect
 * beyond the bounds, Transient when items were taken away, when more came in than a page holds, or when passes do not
 * bring them all.
 */
export async function* walkPages<Item>(
  endpoint: string,
  bounds: WalkBounds,
  keyOf: (item: Item) => string | undefined,
  readPage: ReadPage<Item>,
): AsyncGenerator<Item, void> {
  const { maxItems, pageLimit } = boundsOf(bounds)
  const told = new Set<string>()
  let totalItems: number | undefined
  let idlePasses = 0
  for (let pass = 1; pass <= MAX_PASSES && idlePasses < MAX_IDLE_PASSES; pass++) {
    const toldBefore = told.size
    const unnamed = new Map<string, number>()
    let atFirst: number | undefined
    let toldAgain = 0
    for await (const { data, pagination } of readPages(endpoint, bounds, readPage)) {
      const grownBy = pagination.totalItems - (totalItems ?? pagination.totalItems)
      if (grownBy < 0 || grownBy > pageLimit) throw changed(endpoint)
      totalItems = pagination.totalItems
      atFirst ??= totalItems
      for (const item of data) {
        const key = keyOf(item) ?? nameOf(item, unnamed)
        if (told.has(key)) {
          toldAgain += 1
          continue
        }
        if (told.size === maxItems) throw tooLong(endpoint, maxItems)
        told.add(key)
        yield item
      }
      if (pass > 1 && told.size >= totalItems) return
    }
    // What came in at the head pushes as many on to the next page, where they come once more. It need not be told itself.
    const arrived = (totalItems ?? 0) - (atFirst ?? 0)
    const untold = bounds.isWhole ? 0 : Math.min(arrived, toldAgain)
    if (told.size >= (totalItems ?? 0) - untold) return
    idlePasses = told.size === toldBefore ? idlePasses + 1 : 0
  }
  throw changed(endpoint)
}

/** For an item without a key: what it says, and which of its equals in this pass it is. */
function nameOf(item: unknown, unnamed: Map<string, number>): string {
  const text = JSON.stringify(item)
  const nth = (unnamed.get(text) ?? 0) + 1
  unnamed.set(text, nth)
  return `${text} ${nth}`
}

/**
 * All items of an offset list of at most `maxItems`, in no order that may be relied upon. Whole only with as many
 * different items as the list counts, and with a first page, read once more at the end, that holds no other: a
 * count alone is kept by an item that is told twice while another is not told at all. Reads on until then, and
 * anew where the count has changed. Throws Defect beyond `maxItems`, Transient when it does not come to that.
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
      // What was found of a list of another length may not be part of this one.
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
 * The pages of an offset list. `totalPages` is not needed: the walk ends with what was counted,
 * and an empty page before that cannot go on to the end.
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
 * The items of a cursor list, page by page. Only a null cursor ends it: a page may hold fewer
 * items than its limit, or none. Throws Defect beyond the bounds or when the cursors turn in a
 * circle.
 */
export async function* walkCursor<Item>(
  endpoint: string,
  bounds: WalkBounds,
  readPage: ReadCursorPage<Item>,
): AsyncGenerator<Item, void> {
  const { maxItems, maxPages, pageLimit } = boundsOf(bounds)
  let told = 0
  let cursor: string | undefined
  // One earlier cursor, replaced after 1, 2, 4, … pages, meets every circle (Brent): memory does not grow.
  let landmark: string | undefined
  let landmarkPage = 1
  for (let number = 1; number <= maxPages; number++) {
    const { data, pagination } = await readPage(cursor, pageLimit)
    for (const item of data) {
      if (++told > maxItems) throw tooLong(endpoint, maxItems)
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

/** All items of a cursor list of at most `maxItems`. Throws as `walkCursor` does. */
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

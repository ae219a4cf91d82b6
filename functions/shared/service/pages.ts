// Owns the walk through a list to its end, within a bound (section "Pagination rules"). A list
// that is not known to be whole is an error, not a short list: absence is proved with these.
import { Defect, Transient } from '../errors.ts'

/** The most that the service gives at once. */
export const PAGE_LIMIT = 100
/** Walks of a list that changes under the walk. */
const MAX_WALKS = 3

export interface Page<Item> {
  readonly data: readonly Item[]
  readonly pagination: { readonly page: number; readonly totalItems: number; readonly totalPages: number }
}

/**
 * All items of an offset list of at most `maxItems`. Walks again when the list grew or shrank
 * meanwhile, as items then shift between pages. Throws Defect beyond `maxItems`, Transient when
 * the list does not come to rest.
 */
export async function walkPages<Item>(
  endpoint: string,
  maxItems: number,
  readPage: (page: number) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  for (let walk = 1; walk <= MAX_WALKS; walk++) {
    const items = await walkOnce(endpoint, maxItems, readPage)
    if (items !== undefined) return items
  }
  throw new Transient(`${endpoint}: the list changed during each of ${MAX_WALKS} walks`)
}

/** Undefined when the list changed under the walk. */
async function walkOnce<Item>(
  endpoint: string,
  maxItems: number,
  readPage: (page: number) => Promise<Page<Item>>,
): Promise<readonly Item[] | undefined> {
  const items: Item[] = []
  let totalItems: number | undefined
  for (let page = 1; ; page++) {
    const { data, pagination } = await readPage(page)
    if (pagination.page !== page) throw new Defect(`${endpoint}: page ${page} was asked for and another one came`)
    if (pagination.totalItems > maxItems) throw new Defect(`${endpoint}: more than ${maxItems} items`)
    totalItems ??= pagination.totalItems
    if (pagination.totalItems !== totalItems) return undefined
    items.push(...data)
    if (items.length > totalItems) return undefined
    // `totalPages` is not needed: the walk ends with what it counted, and an empty page before
    // that cannot go on to the end.
    if (items.length === totalItems) return items
    if (data.length === 0) return undefined
  }
}

export interface CursorPage<Item> {
  readonly data: readonly Item[]
  readonly pagination: { readonly nextCursor: string | null }
}

/**
 * All items of a cursor list of at most `maxItems`. Only a null cursor ends it: a page may hold
 * fewer items than its limit, or none. Throws Defect beyond `maxItems` or when the cursors turn
 * in a circle.
 */
export async function walkCursor<Item>(
  endpoint: string,
  maxItems: number,
  readPage: (cursor: string | undefined) => Promise<CursorPage<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (;;) {
    const { data, pagination } = await readPage(cursor)
    items.push(...data)
    if (items.length > maxItems) throw new Defect(`${endpoint}: more than ${maxItems} items`)
    if (pagination.nextCursor === null) return items
    cursor = pagination.nextCursor
    // A page may be empty, so the number of items alone does not bound the walk.
    if (seen.has(cursor) || seen.size > maxItems) throw new Defect(`${endpoint}: the cursors do not come to an end`)
    seen.add(cursor)
  }
}

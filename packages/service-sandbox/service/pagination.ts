// Cuts collections into pages in the two ways of the description ("Pagination rules"): fills by an opaque cursor, all
// others by offset.
import { hash } from 'node:crypto'
import { optional, text, wholeNumber, withDefault } from './fields.ts'
import { invalid } from './problem.ts'

/** Rows of a page. */
const LARGEST_PAGE = 100
const DEFAULT_PAGE = 25
/** Maximum rows that one cursor page examines. The page may be short, with more rows to follow. */
const MOST_ROWS_EXAMINED = 500

export const offsetParameters = {
  page: withDefault(wholeNumber(1, 1_000_000), 1),
  limit: withDefault(wholeNumber(1, LARGEST_PAGE), DEFAULT_PAGE),
}

export const cursorParameters = {
  limit: withDefault(wholeNumber(1, LARGEST_PAGE), DEFAULT_PAGE),
  cursor: optional(text(64)),
}

export interface OffsetPage<T> {
  readonly data: readonly T[]
  readonly pagination: {
    readonly page: number
    readonly limit: number
    readonly totalItems: number
    readonly totalPages: number
  }
}

/** Returns one page of `items`. `show` runs only for the items of that page. */
export function offsetPage<I, T>(
  items: readonly I[],
  { page, limit }: { readonly page: number; readonly limit: number },
  show: (item: I) => T,
): OffsetPage<T> {
  const first = (page - 1) * limit
  return {
    data: items.slice(first, first + limit).map(show),
    pagination: { page, limit, totalItems: items.length, totalPages: Math.ceil(items.length / limit) },
  }
}

export interface CursorPage<T> {
  readonly data: readonly T[]
  readonly pagination: { readonly count: number; readonly nextCursor: string | null }
}

/**
 * Returns a page newest first over rows kept oldest first. The cursor names the position after the last row examined.
 */
export function cursorPage<I, T>(
  rows: readonly I[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  wanted: (row: I) => boolean,
  show: (row: I) => T,
): CursorPage<T> {
  const start = cursor === undefined ? rows.length : readCursor(cursor, rows.length)
  const lowest = Math.max(0, start - MOST_ROWS_EXAMINED)
  const data: T[] = []
  let position = start
  while (position > lowest && data.length < limit) {
    position -= 1
    const row = rows[position] as I
    if (wanted(row)) data.push(show(row))
  }
  const isMore = hasMore(rows, position, wanted)
  return { data, pagination: { count: data.length, nextCursor: isMore ? writeCursor(position) : null } }
}

/**
 * Whether wanted rows follow. Exact within the rows that a page examines. Beyond them the answer is yes, and the next
 * page examines further.
 */
function hasMore<I>(rows: readonly I[], position: number, wanted: (row: I) => boolean): boolean {
  const lowest = Math.max(0, position - MOST_ROWS_EXAMINED)
  for (let index = position - 1; index >= lowest; index -= 1) {
    if (wanted(rows[index] as I)) return true
  }
  return lowest > 0
}

function writeCursor(position: number): string {
  return Buffer.from(`${position}.${cursorCheck(position)}`).toString('base64url')
}

/** Reads a cursor. Its check refuses any text that was never handed out. */
function readCursor(cursor: string, rowCount: number): number {
  const [digits = '', check] = Buffer.from(cursor, 'base64url').toString('latin1').split('.')
  const position = /^[0-9]{1,9}$/.test(digits) ? Number(digits) : -1
  if (position < 0 || position > rowCount || check !== cursorCheck(position)) {
    throw invalid('Query parameter cursor: expected the nextCursor of an earlier answer, verbatim.')
  }
  return position
}

function cursorCheck(position: number): string {
  return hash('sha256', `cursor ${position}`, 'hex').slice(0, 8)
}

/** Pages of rows that are kept oldest first and shown newest first. Only the rows of the page become resources. */
export function newestFirst<I, T>(
  rows: readonly I[],
  { page, limit }: { readonly page: number; readonly limit: number },
  wanted: (row: I) => boolean,
  show: (row: I) => T,
): OffsetPage<T> {
  const first = (page - 1) * limit
  const data: T[] = []
  let totalItems = 0
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const row = rows[index] as I
    if (!wanted(row)) continue
    if (totalItems >= first && data.length < limit) data.push(show(row))
    totalItems += 1
  }
  return { data, pagination: { page, limit, totalItems, totalPages: Math.ceil(totalItems / limit) } }
}

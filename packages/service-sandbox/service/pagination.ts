// The two ways a collection is cut into pages (description, "Pagination rules"): by offset
// everywhere but for fills, which walk with an opaque cursor.
import { hash } from 'node:crypto'
import { optional, text, wholeNumber, withDefault } from './fields.ts'
import { invalid } from './problem.ts'

const LARGEST_PAGE = 100
const DEFAULT_PAGE = 25
/** A cursor page looks at no more rows than this, so it may come back short with more to follow. */
const MOST_ROWS_LOOKED_AT = 500

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

/** One page of all `items`. `show` runs for the items of the page only. */
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

/** Newest first over rows kept oldest first. The cursor names the position after the last row looked at. */
export function cursorPage<I, T>(
  rows: readonly I[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  wanted: (row: I) => boolean,
  show: (row: I) => T,
): CursorPage<T> {
  const start = cursor === undefined ? rows.length : readCursor(cursor, rows.length)
  const lowest = Math.max(0, start - MOST_ROWS_LOOKED_AT)
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

/** Whether to go on. Within what a page looks at it is exact; beyond, it says yes and lets the next page look. */
function hasMore<I>(rows: readonly I[], position: number, wanted: (row: I) => boolean): boolean {
  const lowest = Math.max(0, position - MOST_ROWS_LOOKED_AT)
  for (let index = position - 1; index >= lowest; index -= 1) {
    if (wanted(rows[index] as I)) return true
  }
  return lowest > 0
}

function writeCursor(position: number): string {
  return Buffer.from(`${position}.${cursorCheck(position)}`).toString('base64url')
}

/** A cursor is only ever one that was handed out: the check makes others recognisable. */
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

// Pages of rows that are kept oldest first and shown newest first. Only the rows of the page become resources.
import type { OffsetPage } from './pagination.ts'

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

// A walk through the pages of a list shows each wanted row once, in either form of paging.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CursorPage, cursorPage, newestFirst, offsetPage } from '../../service/pagination.ts'

const same = (row: number) => row

function walk(rows: readonly number[], limit: number, wanted: (row: number) => boolean): CursorPage<number>[] {
  const pages: CursorPage<number>[] = []
  let cursor: string | undefined
  do {
    const page = cursorPage(rows, { limit, cursor }, wanted, same)
    pages.push(page)
    cursor = page.pagination.nextCursor ?? undefined
  } while (cursor !== undefined && pages.length < 10_000)
  return pages
}

describe('cursor pages', () => {
  test('a walk visits every wanted row once, newest first, and ends with nextCursor null', () => {
    fc.assert(
      fc.property(
        fc.nat(1_500),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 900 }),
        (count, limit, every) => {
          const rows = Array.from({ length: count }, (_, row) => row)
          const wanted = (row: number) => row % every === 0
          const pages = walk(rows, limit, wanted)
          expect(pages.flatMap(({ data }) => data)).toEqual(rows.filter(wanted).reverse())
          for (const { data, pagination } of pages) {
            expect(data.length).toBeLessThanOrEqual(limit)
            expect(pagination.count).toBe(data.length)
          }
        },
      ),
    )
  })

  test('a full last page is marked as the last', () => {
    const pages = walk([1, 2, 3, 4], 2, () => true)
    expect(pages.map(({ pagination }) => pagination.count)).toEqual([2, 2])
  })

  test('a page may be short while more results remain', () => {
    const rows = Array.from({ length: 1_500 }, (_, row) => row)
    const [first] = walk(rows, 10, (row) => row < 5)
    expect(first?.pagination).toMatchObject({ count: 0, nextCursor: expect.any(String) })
  })

  test('rows added during a walk do not shift it', () => {
    const rows = [1, 2, 3, 4]
    const first = cursorPage(rows, { limit: 2, cursor: undefined }, () => true, same)
    rows.push(5, 6)
    const second = cursorPage(rows, { limit: 2, cursor: first.pagination.nextCursor ?? undefined }, () => true, same)
    expect([...first.data, ...second.data]).toEqual([4, 3, 2, 1])
  })
})

test('offset pages, oldest and newest first, are slices of the wanted rows', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(9)),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 7 }),
      (rows, page, limit) => {
        const wanted = (row: number) => row % 2 === 0
        const all = rows.filter(wanted)
        const slice = (list: number[]) => list.slice((page - 1) * limit, page * limit)
        const pagination = { page, limit, totalItems: all.length, totalPages: Math.ceil(all.length / limit) }
        expect(offsetPage(all, { page, limit }, same)).toEqual({ data: slice(all), pagination })
        expect(newestFirst(rows, { page, limit }, wanted, same)).toEqual({ data: slice(all.toReversed()), pagination })
      },
    ),
  )
})

import { describe, expect, it } from 'vitest'
import { Defect, Transient } from '../../../functions/shared/errors.ts'
import { collectCursor, collectPages } from '../../../functions/shared/service/pages.ts'

function pagesOf(items: readonly number[], size: number) {
  return async (page: number) => ({
    data: items.slice((page - 1) * size, page * size),
    pagination: { page, totalItems: items.length, totalPages: Math.ceil(items.length / size) },
  })
}

describe('collectPages', () => {
  it.each([0, 1, 2, 3, 4, 7])('brings all of %s items, in order', async (count) => {
    const items = Array.from({ length: count }, (_, index) => index)
    expect(await collectPages('GET /x', 100, pagesOf(items, 2))).toEqual(items)
  })

  it('begins anew when the list grows under the walk, so that nothing is missed or doubled', async () => {
    let items = [3, 2, 1]
    let reads = 0
    const walked = await collectPages('GET /x', 100, (page) => {
      if (++reads === 2) items = [4, ...items]
      return pagesOf(items, 2)(page)
    })
    expect(walked).toEqual([4, 3, 2, 1])
  })

  it('gives up on a list that does not come to rest', async () => {
    let items = [1, 2, 3]
    const walk = collectPages('GET /x', 100, (page) => {
      if (page > 1) items = [...items, items.length + 1]
      return pagesOf(items, 2)(page)
    })
    await expect(walk).rejects.toThrow(Transient)
  })

  it('refuses a list beyond its bound before it has read it', async () => {
    let reads = 0
    const walk = collectPages('GET /x', 3, (page) => {
      reads++
      return pagesOf([1, 2, 3, 4], 2)(page)
    })
    await expect(walk).rejects.toThrow('GET /x: more than 3 items')
    expect(reads).toBe(1)
  })

  it('refuses a page that was not asked for', async () => {
    await expect(collectPages('GET /x', 100, () => pagesOf([1, 2, 3], 2)(1))).rejects.toThrow(Defect)
  })

  it('does not take a list for whole that ends before its own count', async () => {
    const short = async (page: number) => ({
      data: page === 1 ? [1] : [],
      pagination: { page, totalItems: 2, totalPages: 2 },
    })
    await expect(collectPages('GET /x', 100, short)).rejects.toThrow(Transient)
  })
})

describe('collectCursor', () => {
  const script = (pages: Readonly<Record<string, readonly [readonly number[], string | null]>>) => {
    const asked: (string | undefined)[] = []
    const read = async (cursor: string | undefined) => {
      asked.push(cursor)
      const [data, nextCursor] = pages[cursor ?? ''] ?? [[], null]
      return { data, pagination: { nextCursor } }
    }
    return { asked, read }
  }

  it('goes on past an empty page and ends only with a null cursor', async () => {
    const { asked, read } = script({ '': [[1], 'b'], b: [[], 'c'], c: [[2, 3], null] })
    expect(await collectCursor('GET /x', 10, read)).toEqual([1, 2, 3])
    expect(asked).toEqual([undefined, 'b', 'c'])
  })

  it('refuses cursors that turn in a circle', async () => {
    const { read } = script({ '': [[1], 'b'], b: [[], 'c'], c: [[], 'b'] })
    await expect(collectCursor('GET /x', 10_000, read)).rejects.toThrow(/do not come to an end/)
  })

  it('refuses ever new cursors that bring nothing', async () => {
    let count = 0
    const endless = async () => ({ data: [], pagination: { nextCursor: `c${count++}` } })
    await expect(collectCursor('GET /x', 10, endless)).rejects.toThrow(Defect)
    expect(count).toBeLessThan(20)
  })

  it('refuses more items than its bound', async () => {
    const { read } = script({ '': [[1, 2], 'b'], b: [[3], null] })
    await expect(collectCursor('GET /x', 2, read)).rejects.toThrow('GET /x: more than 2 items')
  })
})

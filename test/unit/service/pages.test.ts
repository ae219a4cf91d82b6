// A walk brings all rows of a list once, or is an error, also where the list changes under it.
import { describe, expect, it } from 'vitest'
import { Defect, Transient } from '../../../core/errors.ts'
import { collectCursor, collectPages, walkCursor, walkPages } from '../../../core/service/pages.ts'

function pagesOf<Item>(items: readonly Item[], size: number) {
  return async (page: number) => ({
    data: items.slice((page - 1) * size, page * size),
    pagination: { page, totalItems: items.length, totalPages: Math.ceil(items.length / size) },
  })
}

describe('collectPages', () => {
  it.each([0, 1, 2, 3, 4, 7])('brings all of %s items, in order', async (count) => {
    const items = Array.from({ length: count }, (_, index) => index)
    expect(await collectPages('GET /x', 100, String, pagesOf(items, 2))).toEqual(items)
  })

  it('starts over when the list grows under the walk, so that nothing is missed or doubled', async () => {
    let items = [3, 2, 1]
    let reads = 0
    const walked = await collectPages('GET /x', 100, String, (page) => {
      if (++reads === 2) items = [4, ...items]
      return pagesOf(items, 2)(page)
    })
    expect(walked).toEqual([4, 3, 2, 1])
  })

  it('stops reading a list that keeps changing', async () => {
    let items = [1, 2, 3]
    const walk = collectPages('GET /x', 100, String, (page) => {
      if (page > 1) items = [...items, items.length + 1]
      return pagesOf(items, 2)(page)
    })
    await expect(walk).rejects.toThrow(Transient)
  })

  it('refuses a list beyond its bound before it has read it', async () => {
    let reads = 0
    const walk = collectPages('GET /x', 3, String, (page) => {
      reads++
      return pagesOf([1, 2, 3, 4], 2)(page)
    })
    await expect(walk).rejects.toThrow('GET /x: more than 3 items')
    expect(reads).toBe(1)
  })

  it('refuses a page that was not requested', async () => {
    await expect(collectPages('GET /x', 100, String, () => pagesOf([1, 2, 3], 2)(1))).rejects.toThrow(Defect)
  })

  it('refuses a list that ends before its own count', async () => {
    const short = async (page: number) => ({
      data: page === 1 ? [1] : [],
      pagination: { page, totalItems: 2, totalPages: 2 },
    })
    await expect(collectPages('GET /x', 100, String, short)).rejects.toThrow(Transient)
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

  it('continues past an empty page and ends only with a null cursor', async () => {
    const { asked, read } = script({ '': [[1], 'b'], b: [[], 'c'], c: [[2, 3], null] })
    expect(await collectCursor('GET /x', 10, read)).toEqual([1, 2, 3])
    expect(asked).toEqual([undefined, 'b', 'c'])
  })

  it('refuses cursors that repeat in a circle', async () => {
    const { read } = script({ '': [[1], 'b'], b: [[], 'c'], c: [[], 'b'] })
    await expect(collectCursor('GET /x', 10_000, read)).rejects.toThrow(/do not come to an end/)
  })

  it('refuses endless new cursors without items', async () => {
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

/** The items of a walk, and its end. */
async function resultOf<Item>(walk: AsyncIterable<Item>): Promise<{ items: Item[]; error?: unknown }> {
  const items: Item[] = []
  try {
    for await (const item of walk) items.push(item)
    return { items }
  } catch (error) {
    return { items, error }
  }
}

describe('walking an offset list', () => {
  const bounds = { pageLimit: 2 }

  it.each([0, 1, 2, 3, 4, 7])('returns all of %s items, in order', async (count) => {
    const items = Array.from({ length: count }, (_, index) => index)
    expect(await resultOf(walkPages('GET /x', bounds, String, pagesOf(items, 2)))).toEqual({ items })
  })

  it('reads no page before it is needed', async () => {
    let reads = 0
    for await (const item of walkPages('GET /x', bounds, String, (page) => {
      reads++
      return pagesOf([1, 2, 3, 4], 2)(page)
    }))
      if (item === 2) break
    expect(reads).toBe(1)
  })

  it.each([
    [
      'at its head',
      [
        [1, 2, 3, 4, 5],
        [0, 1, 2, 3, 4, 5],
      ],
      [1, 2, 3, 4, 5],
    ],
    [
      'by a whole page at its head',
      [
        [1, 2, 3],
        [-1, 0, 1, 2, 3],
      ],
      [1, 2, 3],
    ],
    [
      'at its end',
      [
        [1, 2, 3],
        [1, 2, 3, 4, 5],
      ],
      [1, 2, 3, 4, 5],
    ],
  ])('that grows %s returns nothing twice and leaves nothing out', async (_what, [before = [], after = []], items) => {
    const read = (page: number) => pagesOf(page === 1 ? before : after, 2)(page)
    expect(await resultOf(walkPages('GET /x', bounds, String, read))).toEqual({ items })
  })

  it.each([
    ['shrinks', [1, 2, 3, 4], [2, 3, 4]],
    ['grows by more than a page', [1, 2, 3, 4], [-2, -1, 0, 1, 2, 3, 4]],
    ['ends before its own count', [1, 2, 3, 4], [1, 2, undefined, undefined]],
  ])('that %s is Transient', async (_what, before, after) => {
    const read = async (page: number) => {
      const { data, pagination } = await pagesOf(page === 1 ? before : after, 2)(page)
      return { data: data.filter((item) => item !== undefined), pagination }
    }
    expect((await resultOf(walkPages('GET /x', bounds, String, read))).error).toBeInstanceOf(Transient)
  })

  it('ends as a Defect beyond its bounds', async () => {
    const read = pagesOf([1, 2, 3, 4, 5], 2)
    expect(await resultOf(walkPages('GET /x', { ...bounds, maxItems: 3 }, String, read))).toMatchObject({
      items: [1, 2, 3],
      error: { name: 'Defect', message: 'GET /x: more than 3 items' },
    })
    expect(await resultOf(walkPages('GET /x', { ...bounds, maxPages: 2 }, String, read))).toMatchObject({
      items: [1, 2, 3, 4],
      error: { name: 'Defect', message: 'GET /x: more than 2 pages' },
    })
  })

  it.each([0, 101, 1.5, Number.NaN])('refuses a page of %s items before any request', async (pageLimit) => {
    const { error } = await resultOf(
      walkPages('GET /x', { pageLimit }, String, async () => {
        throw new Error('nothing was to be read')
      }),
    )
    expect(error).toMatchObject({ name: 'Refused', message: 'pageLimit: expected a whole number from 1 to 100' })
  })
})

describe('walking a cursor list', () => {
  it.each([1, 2, 3, 5, 8, 13])('meets a circle of %s cursors', async (length) => {
    let reads = 0
    const read = async (cursor: string | undefined) => {
      reads++
      const nextCursor = String((Number(cursor ?? 3) + 1) % length)
      return { data: [], pagination: { nextCursor } }
    }
    const { error } = await resultOf(walkCursor('GET /x', {}, read))
    expect(error).toMatchObject({ name: 'Defect', message: 'GET /x: the cursors do not come to an end' })
    expect(reads).toBeLessThan(4 * length + 4)
  })

  it('returns the limit and each cursor unchanged', async () => {
    const asked: unknown[] = []
    const read = async (cursor: string | undefined, limit: number) => {
      asked.push([cursor, limit])
      return { data: [asked.length], pagination: { nextCursor: cursor === undefined ? 'a b/%' : null } }
    }
    expect(await resultOf(walkCursor('GET /x', { pageLimit: 7 }, read))).toEqual({ items: [1, 2] })
    expect(asked).toEqual([
      [undefined, 7],
      ['a b/%', 7],
    ])
  })
})

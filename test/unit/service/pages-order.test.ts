// Lists that change their order between two reads: a read of them is whole, or it is an error.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Transient } from '../../../core/errors.ts'
import { collectPages, walkPages } from '../../../core/service/pages.ts'

const keyOf = (item: string) => item
const pageOf = (items: readonly string[], page: number, limit: number) => ({
  data: items.slice((page - 1) * limit, page * limit),
  pagination: { page, totalItems: items.length },
})
const rows = (count: number) => Array.from({ length: count }, (_, at) => `row-${at}`)

/** The newest row is the last one while page 1 is read for the first time, and the first one from then on. */
function hidingTheNewest(older: readonly string[]) {
  let reads = 0
  return async (page: number, limit: number) => {
    reads += 1
    return pageOf(reads === 1 ? [...older, 'new'] : ['new', ...older], page, limit)
  }
}

test('a row hidden behind a repeated one is found: sorted last while page 1 is read, and first while page 2 is', async () => {
  const found = await collectPages('GET /x', 1_000, keyOf, hidingTheNewest(rows(150)))
  expect([...found].sort()).toEqual([...rows(150), 'new'].sort())
})

test('a walk finds it too, and returns each row once', async () => {
  const found: string[] = []
  for await (const row of walkPages('GET /x', {}, keyOf, hidingTheNewest(rows(150)))) found.push(row)
  expect([...found].sort()).toEqual([...rows(150), 'new'].sort())
})

test('a walk that must be whole finds it even if another row arrives at that moment', async () => {
  let reads = 0
  const hiding = async (page: number, limit: number) => {
    reads += 1
    return pageOf(reads === 1 ? [...rows(150), 'old'] : ['old', ...rows(150), 'new'], page, limit)
  }
  const found: string[] = []
  for await (const row of walkPages('GET /x', { isWhole: true }, keyOf, hiding)) found.push(row)
  expect([...found].sort()).toEqual([...rows(150), 'old', 'new'].sort())
})

test('a row that came while the last page was read is found: page 1 is read once more', async () => {
  let items = rows(150)
  let reads = 0
  const found = await collectPages('GET /x', 1_000, keyOf, async (page, limit) => {
    const read = pageOf(items, page, limit)
    if (++reads === 2) items = ['new', ...items]
    return read
  })
  expect(found).toContain('new')
  expect(found).toHaveLength(151)
})

test('a list that always returns one row for another is an error, however often it is read', async () => {
  const twice = async (page: number, limit: number) => ({
    ...pageOf([...rows(149), 'row-0'], page, limit),
    pagination: { page, totalItems: 150 },
  })
  await expect(collectPages('GET /x', 1_000, keyOf, twice)).rejects.toThrow(Transient)
})

test('one page is enough if it holds the whole list: it is not read again', async () => {
  let reads = 0
  await collectPages('GET /x', 1_000, keyOf, async (page, limit) => {
    reads += 1
    return pageOf(rows(100), page, limit)
  })
  expect(reads).toBe(1)
})

describe('whatever the order of each page', () => {
  /** For each read: seeds of an order, and whether a row arrives before it. */
  const reads = fc.array(fc.record({ seed: fc.nat(), grows: fc.boolean() }), { minLength: 1, maxLength: 30 })

  const shuffled = (items: readonly string[], seed: number): string[] => {
    let state = seed
    const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0)
    return items
      .map((item) => [next(), item] as const)
      .sort(([left], [right]) => left - right)
      .map(([, item]) => item)
  }

  test('a collected list lacks no row that existed throughout, and repeats none', async () => {
    let collected = 0
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 320 }), reads, fc.boolean(), async (count, script, growing) => {
        const there = rows(count)
        const items = [...there]
        let read = 0
        const list = collectPages('GET /x', 10_000, keyOf, async (page, limit) => {
          const { seed, grows } = script[read % script.length] ?? { seed: 0, grows: false }
          read += 1
          if (growing && grows && read < 8) items.unshift(`new-${read}`)
          return pageOf(shuffled(items, seed), page, limit)
        })
        const found = await list.catch((error: unknown) => {
          expect(error).toBeInstanceOf(Transient)
          return undefined
        })
        if (found === undefined) return
        collected += 1
        expect(new Set(found).size).toBe(found.length)
        expect(there.filter((row) => !found.includes(row))).toEqual([])
      }),
      { numRuns: 300, seed: 12 },
    )
    expect(collected).toBeGreaterThan(100)
  })

  test('nor does a list that was walked whole', async () => {
    let walked = 0
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 320 }), reads, async (count, script) => {
        const there = rows(count)
        const items = [...there]
        let read = 0
        const list = walkPages('GET /x', { isWhole: true }, keyOf, async (page, limit) => {
          const { seed, grows } = script[read % script.length] ?? { seed: 0, grows: false }
          read += 1
          if (grows && read < 30) items.unshift(`new-${read}`)
          return pageOf(shuffled(items, seed), page, limit)
        })
        const found: string[] = []
        try {
          for await (const row of list) found.push(row)
        } catch (error) {
          expect(error).toBeInstanceOf(Transient)
          return
        }
        walked += 1
        expect(new Set(found).size).toBe(found.length)
        expect(there.filter((row) => !found.includes(row))).toEqual([])
      }),
      { numRuns: 300, seed: 12 },
    )
    expect(walked).toBeGreaterThan(100)
  })
})

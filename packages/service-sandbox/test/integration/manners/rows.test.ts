// Untidy lists cut times, reorder rows and miss some, as the seed decides.
import { expect, test } from 'vitest'
import type { Caller } from '../caller.ts'
import { startWith, walkWithdrawals, withdraw } from './arranged.ts'

const ROWS = 16

async function withRows(
  rows: readonly ('coarse' | 'unstable' | 'small')[],
  seed: string,
  apartMs = 0,
): Promise<Caller> {
  const caller = await startWith({ rows }, { seed })
  for (let n = 0; n < ROWS; n += 1) {
    await withdraw(caller)
    if (apartMs > 0) await caller.advance(apartMs)
  }
  return caller
}

const createdAts = async (caller: Caller) =>
  (await caller.get('/v2/withdrawals?limit=100')).body.data.map(({ createdAt }: { createdAt: string }) => createdAt)

test('coarse rows are cut to the second or the minute, as the seed decides, and tie', async () => {
  const dates = new Set<string>()
  for (const seed of ['one', 'four']) {
    const caller = await startWith({ rows: ['coarse'] }, { seed })
    await withdraw(caller)
    await caller.advance(200)
    await withdraw(caller)
    const [newer, older] = await createdAts(caller)
    expect(newer).toBe(older)
    dates.add(newer)
  }
  expect([...dates].sort()).toEqual(['2027-01-15T08:00:00.000Z', '2027-01-15T08:00:30.000Z'])
})

test.each([
  ['daily', '2027-01-15T00:00:00.000Z'],
  ['behind', '2027-01-15T03:00:30.500Z'],
] as const)('%s rows are dated %s in every list, and are found by that date', async (manner, createdAt) => {
  const caller = await startWith({ rows: [manner] })
  await withdraw(caller)
  await caller.convert('BTC-USDC', 'BUY', 'USDC', '100')
  for (const list of ['withdrawals', 'orders', 'ledger']) {
    const [row] = (await caller.get(`/v2/${list}`)).body.data
    expect(row.createdAt).toBe(createdAt)
  }
  const found = await caller.get(`/v2/withdrawals?endDate=${new Date(Date.parse(createdAt) + 1).toISOString()}`)
  expect(found.body.data).toHaveLength(1)
})

test('coarse rows are found by the time that they show', async () => {
  const caller = await startWith({ rows: ['coarse'] })
  await caller.convert('BTC-USDC', 'BUY', 'USDC', '100')
  const [order] = (await caller.get('/v2/orders')).body.data
  expect((await caller.get(`/v2/orders?startDate=${order.createdAt}`)).body.data).toHaveLength(1)
  expect((await caller.get(`/v2/orders?endDate=${order.createdAt}`)).body.data).toHaveLength(0)
})

test('some walks of an unstable list repeat a row and miss another, and others show every row', async () => {
  const caller = await withRows(['unstable'], 'sluice')
  const walks: string[][] = []
  for (let walk = 0; walk < 12; walk += 1) walks.push(await walkWithdrawals(caller, 4))
  // Each walk has the same number of rows, which proves nothing.
  expect(walks.every((ids) => ids.length === ROWS)).toBe(true)
  expect(walks.some((ids) => new Set(ids).size < ROWS)).toBe(true)
  expect(walks.some((ids) => new Set(ids).size === ROWS)).toBe(true)
})

test('the order of an unstable list is the same for the same seed and requests', async () => {
  const [one, other, third] = await Promise.all(['a', 'a', 'b'].map((seed) => withRows(['unstable'], seed)))
  const places = async (caller: Caller | undefined) => {
    if (caller === undefined) throw new Error('no caller')
    const made = (await caller.control('GET', '/oracle')).movements.map(({ id }: { id: string }) => id)
    return (await walkWithdrawals(caller, 4)).map((id) => made.indexOf(id))
  }
  const first = await places(one)
  expect(await places(other)).toEqual(first)
  expect(await places(third)).not.toEqual(first)
})

test('lists without a described order come in any order with some seeds; withdrawals stay newest first', async () => {
  const orders = new Set<boolean>()
  for (const seed of ['one', 'two']) {
    const caller = await startWith({ rows: ['unstable'] }, { seed })
    for (let n = 0; n < 6; n += 1) {
      await caller.convert('BTC-USDC', 'BUY', 'USDC', '10')
      await withdraw(caller)
      await caller.advance(61_000)
    }
    const shown = (await caller.get('/v2/orders')).body.data.map(({ createdAt }: { createdAt: string }) => createdAt)
    orders.add(shown.join() === shown.toSorted().reverse().join())
    expect(await createdAts(caller)).toEqual((await createdAts(caller)).toSorted().reverse())
  }
  expect([...orders].sort()).toEqual([false, true])
})

test('withdrawals more than a minute apart stay newest first in an unstable list', async () => {
  const caller = await withRows(['unstable'], 'sluice', 61_000)
  for (let request = 0; request < 12; request += 1) {
    const shown = await createdAts(caller)
    expect(shown).toEqual(shown.toSorted().reverse())
  }
})

test('small pages hold three rows and show this limit, and a walk finds every row', async () => {
  const caller = await withRows(['small'], 'sluice')
  const { body } = await caller.get('/v2/withdrawals?limit=100')
  expect(body.pagination).toEqual({ page: 1, limit: 3, totalItems: ROWS, totalPages: 6 })
  expect(body.data).toHaveLength(3)
  expect(new Set(await walkWithdrawals(caller, 100)).size).toBe(ROWS)
})

test('a list of an asset lacks rows at times, but only rows that it showed before a later withdrawal', async () => {
  const caller = await startWith({ rows: ['lacking'] })
  const list = async (query = '&assetSymbol=USDC') =>
    (await caller.get(`/v2/withdrawals?limit=100${query}`)).body.data.map(({ id }: { id: string }) => id)
  const listsOfTenMinutes = async () => {
    const lists: string[][] = []
    for (let at = 0; at < 60; at += 1) {
      lists.push(await list())
      await caller.advance(10_000)
    }
    return lists
  }
  const ids: string[] = [(await withdraw(caller)).body.id, (await withdraw(caller)).body.id]
  expect(new Set((await listsOfTenMinutes()).map((shown) => shown.length))).toEqual(new Set([2]))
  const { id: last } = (await withdraw(caller)).body
  const lists = await listsOfTenMinutes()
  expect(new Set(lists.map((shown) => shown.join()))).toEqual(new Set(['', last, [last, ...ids.toReversed()].join()]))
  // The list of all assets is complete, and a row is found by its id.
  expect(await list('')).toHaveLength(3)
  expect((await caller.get(`/v2/withdrawals/${ids[0]}`)).body.id).toBe(ids[0])
})

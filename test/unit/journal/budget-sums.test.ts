// Tests a budget's record that has become long: what is in its sums, and what stays listed.
import { beforeEach, expect, test } from 'vitest'
import { intentName } from '../../../core/contract/records.ts'
import { createBudgets, MOST_RESERVATIONS } from '../../../core/journal/budgets.ts'
import { parseDecimal } from '../../../core/money/decimal.ts'
import { createMemoryStore, type MemoryStore } from '../../helpers/memory-store.ts'

const NOON = Date.parse('2026-01-01T12:00:00Z')
const MIDNIGHT = Date.parse('2026-01-02T00:00:00Z')
const KEY = 'B#*#2026-01-01#USDC'
const LIMIT = '1000000'
const amount = (text: string) => parseDecimal(text, 'amount')

let store: MemoryStore
let states: Map<string, string>
let ids = 0
beforeEach(() => {
  store = createMemoryStore()
  states = new Map()
})

/** One environment, which lists at most `sumsFrom` DONE intents. */
function environment({ sumsFrom = 2, isRolling = false, onFind = async (_: string) => {} } = {}) {
  const find = async (intentId: string) => {
    await onFind(intentId)
    return { intentId, state: states.get(intentId) ?? 'READY' } as never
  }
  const budgets = createBudgets(store, { find }, () => `stamp-${++ids}`, new Map(), sumsFrom)
  const budgetAt = (atMs: number) => {
    return { scope: '*', assetSymbol: 'USDC', span: { fromMs: atMs, toMs: atMs + 60_000 }, isRolling }
  }
  return {
    reserve: (intentId: string, text: string, atMs = NOON, limit = LIMIT) =>
      budgets.reserve(budgetAt(atMs), intentName('convert', intentId), amount(text), amount(limit)),
    left: (atMs = NOON) => budgets.left(budgetAt(atMs), amount(LIMIT)),
  }
}

/** Reservations by the ids alone, because all of them are conversions. */
const reserved = (key = KEY) => {
  const listed = store.records.get(key)?.reserved
  return (
    listed && Object.fromEntries(Object.entries(listed).map(([holder, text]) => [holder.replace('convert#', ''), text]))
  )
}

/** Reserves one after another; each is DONE before the next. */
async function moveAll(each: readonly (readonly [string, string, number?])[], options = {}) {
  for (const [intentId, text, atMs] of each) {
    expect(await environment(options).reserve(intentId, text, atMs)).toBeUndefined()
    states.set(intentId, 'DONE')
  }
}

test('a DONE intent goes into a sum to the last digit, once the record is long', async () => {
  await moveAll([
    ['a', '0.1'],
    ['b', '0.000000000000000002'],
  ])
  expect(reserved()).toEqual({ a: '0.1', b: '0.000000000000000002' })
  await moveAll([['c', '5']])
  expect(reserved()).toEqual({ '(settled 2026-01-01)': '0.100000000000000002', c: '5' })
  await moveAll([
    ['d', '1'],
    ['e', '1'],
  ])
  expect(reserved()).toEqual({ '(settled 2026-01-01)': '6.100000000000000002', e: '1' })
  expect(await environment().left()).toBe(amount('999992.899999999999999998'))
})

test.each(['READY', 'ARMED', 'ESCALATED'])(
  'an amount that is %s stays listed, and is free again with its certified zero',
  async (state) => {
    await moveAll([
      ['a', '10'],
      ['b', '1'],
    ])
    states.set('a', state)
    await moveAll([
      ['c', '1'],
      ['d', '1'],
      ['e', '1'],
    ])
    expect(reserved()).toMatchObject({ a: '10' })
    expect(await environment().reserve('last', '10', NOON, '20')).toBe(amount('6'))
    states.set('a', 'REJECTED')
    expect(await environment().reserve('last', '10', NOON, '20')).toBeUndefined()
    expect(reserved()).not.toHaveProperty('a')
  },
)

test('an intent in a sum reserves nothing again, however late a process of it is', async () => {
  await moveAll([
    ['a', '10'],
    ['b', '1'],
    ['c', '1'],
  ])
  expect(reserved()).toEqual({ '(settled 2026-01-01)': '11', c: '1' })
  await expect(environment().reserve('a', '10')).rejects.toThrow('the intent has ended meanwhile')
  expect(reserved()).toEqual({ '(settled 2026-01-01)': '11', c: '1' })
})

test('an intent that ends and enters a sum while a process of it reserves is counted once', async () => {
  await moveAll([
    ['a', '10'],
    ['b', '1'],
  ])
  states.set('a', 'ARMED')
  let isFirst = true
  // Between the read of the record by a late process of "a", which wants more, and its write.
  const onFind = async () => {
    if (!isFirst) return
    isFirst = false
    states.set('a', 'DONE')
    await moveAll([['c', '1']])
  }
  await expect(environment({ onFind, sumsFrom: 1 }).reserve('a', '12')).rejects.toThrow(
    'the intent has ended meanwhile',
  )
  expect(reserved()).toEqual({ '(settled 2026-01-01)': '11', c: '1' })
})

test('an intent that reserves, ends and enters a sum between two tries of a late process of it is counted once', async () => {
  await moveAll([
    ['b', '1'],
    ['c', '1'],
    ['d', '1'],
  ])
  let isFirst = true
  // The late process has found "a" READY. It checks others of the long record now, and then reads the record again.
  const onFind = async (intentId: string) => {
    if (intentId === 'a' || !isFirst) return
    isFirst = false
    await moveAll([
      ['a', '10'],
      ['e', '1'],
      ['f', '1'],
    ])
  }
  await expect(environment({ onFind, sumsFrom: 1 }).reserve('a', '10')).rejects.toThrow(
    'the intent has ended meanwhile',
  )
  expect(isFirst).toBe(false)
  expect(reserved()).toEqual({ '(settled 2026-01-01)': '13', e: '1', f: '1' })
})

test('a rolling budget counts its sums at least as long as they could move, and at most five minutes more', async () => {
  const options = { isRolling: true, sumsFrom: 1 }
  await moveAll(
    [
      ['a', '10', NOON],
      ['b', '20', NOON + 7 * 60_000],
      ['c', '1', NOON + 8 * 60_000],
    ],
    options,
  )
  const day = 86_400_000
  const spent = async (atMs: number) => 1_000_000n - (await environment(options).left(atMs)) / 10n ** 18n
  expect(Object.keys(reserved() ?? {})).toHaveLength(3)
  expect(await spent(NOON + day + 59_000)).toBe(31n)
  expect(await spent(NOON + day + 5 * 60_000)).toBe(21n)
  expect(await spent(NOON + day + 8 * 60_000 - 1_000)).toBe(21n)
  expect(await spent(NOON + day + 10 * 60_000)).toBe(0n)
})

test('a reservation that could move on either side of midnight counts once in any 24 hours, and stays listed', async () => {
  const options = { isRolling: true, sumsFrom: 1 }
  const around = MIDNIGHT - 30_000
  await moveAll(
    [
      ['a', '10', around],
      ['b', '1', around + 1],
      ['c', '1', MIDNIGHT + 60_000],
    ],
    options,
  )
  expect(Object.keys(reserved() ?? {})).toEqual(['a', 'b'])
  expect(reserved('B#*#2026-01-02#USDC')).toMatchObject({ a: expect.any(String), b: expect.any(String) })
  expect(await environment(options).left(MIDNIGHT + 120_000)).toBe(amount('999988'))
})

test('a release without sums counts them, and keeps them', async () => {
  await moveAll([
    ['a', '10'],
    ['b', '1'],
    ['c', '1'],
  ])
  // The budget reads the intent of a holder, and frees only the reservation of a certified zero.
  const sums = Object.keys(reserved() ?? {}).filter((holder) => holder.startsWith('('))
  expect(sums).toEqual(['(settled 2026-01-01)'])
  expect(sums.every((holder) => !/^[A-Za-z0-9-]{1,76}$/.test(holder))).toBe(true)
})

test('more movements of a day than a record lists are in one record, and a write reads few of them', async () => {
  let asked = 0
  const onFind = async () => {
    asked += 1
  }
  const { reserve, left } = environment({ sumsFrom: 32, onFind })
  let longest = 0
  for (let nth = 0; nth <= MOST_RESERVATIONS; nth += 1) {
    await reserve(`intent-${nth}`, '1')
    states.set(`intent-${nth}`, 'DONE')
    longest = Math.max(longest, Object.keys(reserved() ?? {}).length)
  }
  expect(longest).toBeLessThanOrEqual(34)
  expect(asked).toBeLessThan(2 * MOST_RESERVATIONS)
  expect(await left()).toBe(amount('997999'))
})

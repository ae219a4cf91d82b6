// What the model says that breaks first does so: the code's own bounds, met.
import { expect, test } from 'vitest'
import { readCounts } from '../../../bench/scale/counts.ts'
import { Load, USUAL } from '../../../bench/scale/workload.ts'
import { createBudgets, MOST_RESERVATIONS, SUMS_FROM } from '../../../core/journal/budgets.ts'
import { parseDecimal } from '../../../core/money/decimal.ts'
import { listKnownRows, MOST_KNOWN_ROWS } from '../../../core/movements/withdrawal/known-rows.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

const DAY = { fromMs: Date.parse('2026-01-01T10:00:00Z'), toMs: Date.parse('2026-01-01T10:03:00Z') }
const BUDGET = { scope: '*', assetSymbol: 'value:USD', span: DAY, isRolling: false }

test('a daily budget lists 2,000 movements that are not at an end, and the next one reserves nothing until one is', async () => {
  const store = createMemoryStore()
  const one = parseDecimal('1', 'amount')
  const many = parseDecimal('1000000', 'limit')
  let ids = 0
  const done = new Set<string>()
  const find = async (intentId: string) =>
    ({ intentId, state: done.has(`withdraw#${intentId}`) ? 'DONE' : 'ARMED' }) as never
  const budgets = createBudgets(store, { find }, () => `stamp-${ids++}`)
  // As long as the id of a leg.
  const idOf = (nth: number) => `withdraw#leg-${String(nth).padStart(36, '0')}` as const
  // The first writes the record, and all but one more are put beside it.
  await budgets.reserve(BUDGET, idOf(0), one, many)
  const [record] = [...store.records.values()]
  if (record === undefined) throw new Error('no budget was written')
  const [text] = Object.values(record.reserved as Record<string, unknown>)
  const others = Array.from({ length: MOST_RESERVATIONS - 1 }, (_, nth) => [idOf(nth), text])
  await store.replace(
    { ...record, version: record.version + 1, reserved: Object.fromEntries(others) } as typeof record,
    record.version,
  )
  expect(await budgets.reserve(BUDGET, idOf(MOST_RESERVATIONS - 1), one, many)).toBeUndefined()
  const next = () => budgets.reserve(BUDGET, idOf(MOST_RESERVATIONS), one, many)
  await expect(next()).rejects.toThrow(
    'the budget * value:USD of 2026-01-01 lists 2000 movements that are not at an end, and can list no more: bring to an end',
  )
  // The largest that it can be is far from what an item may have.
  expect(JSON.stringify([...store.records.values()][0]).length).toBeLessThan(200_000)
  done.add(idOf(7))
  expect(await next()).toBeUndefined()
})

test('the model reckons with the size of a budget’s record at the end of a long day', async () => {
  const store = createMemoryStore()
  const one = parseDecimal('1', 'amount')
  let ids = 0
  const idOf = (nth: number) => `withdraw#leg-${String(nth).padStart(36, '0')}` as const
  let now = idOf(0)
  const find = async (intentId: string) =>
    ({ intentId, state: `withdraw#${intentId}` === now ? 'READY' : 'DONE' }) as never
  const budgets = createBudgets(store, { find }, () => `stamp-${ids++}`)
  let largest = 0
  for (let nth = 0; nth < 2 * SUMS_FROM; nth += 1) {
    now = idOf(nth)
    await budgets.reserve(BUDGET, now, one, parseDecimal('1000000', 'limit'))
    largest = Math.max(largest, JSON.stringify([...store.records.values()][0]).length)
  }
  const load = new Load({ ...USUAL, runsADay: 1_000_000 }, readCounts())
  expect(load.budgetBytes(SUMS_FROM) / largest).toBeGreaterThan(0.7)
  expect(load.budgetBytes(SUMS_FROM) / largest).toBeLessThan(1.4)
})

test('a withdrawal is not sent where 1,200 others of its asset were made in two days, and one more', async () => {
  const nowMs = Date.parse('2026-01-03T00:00:00Z')
  const rows = (count: number) =>
    Array.from({ length: count }, (_, nth) => ({ id: `w-${nth}`, createdAt: '2026-01-02T00:00:00Z' }) as never)
  const known = (count: number) => listKnownRows('USDC', nowMs, undefined, { listWithdrawals: async () => rows(count) })
  expect((await known(MOST_KNOWN_ROWS)).known.known).toHaveLength(1_200)
  await expect(known(MOST_KNOWN_ROWS + 1)).rejects.toThrow('more than 1200 withdrawals of USDC in two days')
})

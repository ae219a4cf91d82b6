// Tests the maximum of movements that one daily budget lists: exactly that number, and one more.
import { expect, test } from 'vitest'
import { createBudgets, MOST_RESERVATIONS } from '../../../core/journal/budgets.ts'
import { parseDecimal } from '../../../core/money/decimal.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

const DAY = { fromMs: Date.parse('2026-01-01T10:00:00Z'), toMs: Date.parse('2026-01-01T10:03:00Z') }
const BUDGET = { scope: '*', assetSymbol: 'value:USD', span: DAY, isRolling: false }

test('a daily budget lists 2,000 unfinished movements, and the next one reserves nothing until one has ended', async () => {
  const store = createMemoryStore()
  const one = parseDecimal('1', 'amount')
  const many = parseDecimal('1000000', 'limit')
  let ids = 0
  const done = new Set<string>()
  const find = async (intentId: string) =>
    ({ intentId, state: done.has(`withdraw#${intentId}`) ? 'DONE' : 'ARMED' }) as never
  const budgets = createBudgets(store, { find }, () => `stamp-${ids++}`)
  // Each id is as long as the id of a leg.
  const idOf = (nth: number) => `withdraw#leg-${String(nth).padStart(36, '0')}` as const
  // The first writes the record, and all but one more are added to it.
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
    'the budget * value:USD of 2026-01-01 lists 2000 unfinished movements, and can list no more: finish',
  )
  // The largest record is far below the limit of an item.
  expect(JSON.stringify([...store.records.values()][0]).length).toBeLessThan(200_000)
  done.add(idOf(7))
  expect(await next()).toBeUndefined()
})

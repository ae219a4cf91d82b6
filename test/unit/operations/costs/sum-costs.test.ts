// Tests the sums of costs: which rows count, in which month, exactly, and that their figures are those of the metrics.
import { expect, test } from 'vitest'
import type { ConvertIntent } from '../../../../core/journal/intent.ts'
import { formatDecimal, parseDecimal } from '../../../../core/money/decimal.ts'
import { slippageOf } from '../../../../core/movements/conversion/slippage.ts'
import { trackingErrorBps } from '../../../../core/planning/figures.ts'
import type { RunRecord } from '../../../../core/runs/record/run-record.ts'
import { measured } from '../../../../functions/runtime/figures.ts'
import { createCostSums } from '../../../../operations/costs/sum-costs.ts'
import { type MovementRow, rowWith } from '../../../../operations/movements/export/movement-row.ts'

const filled = (columns: Partial<MovementRow> = {}) =>
  rowWith({ kind: 'convert', state: 'FILLED', at: '2026-01-31T23:59:59.999Z', policy: 'core', ...columns })
const valued = (cost: string, slippageBps: string) => filled({ cost, slippageBps, valuationAsset: 'USD' })
const run = (changes: object = {}) =>
  ({
    ...{ policy: 'core', outcome: 'COMPLETED', startedAt: '2026-01-31T12:00:00.000Z' },
    ...{ endedAt: '2026-01-31T12:00:01.500Z', request: {}, asPlanned: { mode: 'live' } },
    ...changes,
  }) as unknown as RunRecord
const planOf = (...pairs: readonly (readonly [string, string])[]) => ({
  valuationAsset: 'USD',
  positions: pairs.map(([weight, targetWeight]) => ({ weight, targetWeight })),
})

function rowsOf(movements: readonly MovementRow[], runs: readonly RunRecord[] = []) {
  const sums = createCostSums((ms) => new Date(ms).toISOString().slice(0, 7))
  for (const row of movements) sums.addMovement(row)
  for (const each of runs) sums.addRun(each)
  return sums.rows()
}

test('costs and slippage add up to the last digit, also below zero', () => {
  const [row] = rowsOf([valued('0.000000000000000001', '1'), valued('-3.5', '-2'), valued('1', '0')])
  expect(row).toMatchObject({
    movements: '3',
    slippageCost: '-2.499999999999999999',
    slippageBps: '-0.333333333333333333',
  })
})

test('fees of withdrawals are apart from slippage, by asset too', () => {
  const paid = { kind: 'withdraw', state: 'COMPLETED', valuationAsset: 'USD' }
  const [row] = rowsOf([
    filled({ ...paid, cost: '4', fee: '4', assetOut: 'USDC' }),
    filled({ ...paid, cost: '0.5', fee: '0.00001', assetOut: 'BTC' }),
    filled({ ...paid, cost: '1', fee: '1', assetOut: 'USDC' }),
    filled({ ...paid, state: 'FAILED_REFUNDED', fee: '0', assetOut: 'GBP' }),
  ])
  expect(row).toMatchObject({ withdrawals: '3', fees: '5.5', feesInAssets: '5 USDC; 0.00001 BTC', slippageCost: null })
})

test('a certified zero costs nothing, and what may still move is counted as open', () => {
  const rows = rowsOf(['REJECTED', 'PRICE_REFUSED', 'ARMED', 'PROCESSING'].map((state) => filled({ state })))
  expect(rows).toMatchObject([{ movements: '0', open: '2' }])
})

test('months, policies and assets of valuation have rows of their own, in order', () => {
  const rows = rowsOf([
    filled({ at: '2026-02-01T00:00:00.000Z' }),
    filled({ policy: null }),
    valued('1', '1'),
    filled({ cost: '1', valuationAsset: 'EUR' }),
  ])
  expect(rows.map(({ month, policy, valuationAsset }) => [month, policy, valuationAsset])).toEqual([
    ['2026-01', null, null],
    ['2026-01', 'core', 'EUR'],
    ['2026-01', 'core', 'USD'],
    ['2026-02', 'core', null],
  ])
})

test('runs without a plan and movements without a price count in the row of their policy and month', () => {
  const guarded = run({ outcome: 'GUARDED', endedAt: '2026-01-31T12:00:09.500Z' })
  const unpriced = filled({ kind: 'withdraw', state: 'COMPLETED', fee: '2', assetOut: 'USDC' })
  const rows = rowsOf([valued('1', '1'), unpriced], [run({ plan: planOf(['0.5', '0.5']) }), guarded])
  expect(rows).toMatchObject([
    { valuationAsset: 'USD', movements: '2', runs: '2', slippageCost: '1', feesInAssets: '2 USDC' },
  ])
  expect(rows[0]).toMatchObject({ settleSeconds: '5.500', longestSettleSeconds: '9.500' })
  // With two assets of valuation nothing says which row is theirs.
  expect(rowsOf([valued('1', '1'), filled({ cost: '1', valuationAsset: 'EUR' })], [guarded])).toHaveLength(3)
})

test('a month has the worst tracking error of its plans, and the time of its ended runs', () => {
  const near = planOf(['0.5', '0.51'], ['0.5', '0.49'])
  const far = planOf(['0.6', '0.5'], ['0.4', '0.5'])
  const longer = { plan: near, endedAt: '2026-01-31T12:00:04.500Z' }
  const [row] = rowsOf(
    [],
    [run({ plan: far }), run(longer), run({ plan: near, outcome: 'RUNNING', endedAt: undefined })],
  )
  expect(row).toMatchObject({
    runs: '3',
    trackingErrorBps: '1000',
    settleSeconds: '3.000',
    longestSettleSeconds: '4.500',
  })
})

test('a plan without targets has no tracking error', () => {
  expect(trackingErrorBps({ positions: [{ weight: '1' }] as never })).toBeUndefined()
})

test.each([
  ['BUY', '101', '100'],
  ['SELL', '101', '-100'],
  ['BUY', '99.5', '-50'],
  ['SELL', '100', '0'],
])('a %s at %s planned at 100 slips by %s basis points, and the metric is the same figure', (side, rate, expected) => {
  const intent = { attempt: {}, frozen: {}, params: { side, plannedRate: '100' } } as unknown as ConvertIntent
  const exact = slippageOf(intent, rate)
  expect(exact === undefined ? undefined : formatDecimal(exact)).toBe(expected)
  expect(measured(() => slippageOf(intent, rate))).toBe(Number(expected))
})

test('a figure that cannot be counted is no metric, and fails nothing', () => {
  expect(measured(() => parseDecimal('many', 'rate'))).toBeUndefined()
})

test('the time to settle leaves out the wait for people, between the plan and their decision', () => {
  const plan = { ...planOf(['0.5', '0.5']), takenAt: '2026-01-31T12:00:01.000Z' }
  const approval = { decision: 'approved', at: '2026-01-31T13:00:01.000Z' }
  const [row] = rowsOf([], [run({ plan, approval, endedAt: '2026-01-31T13:00:03.500Z' })])
  expect(row).toMatchObject({ runs: '1', settleSeconds: '3.500', longestSettleSeconds: '3.500' })
})

test.each([
  ['was asked for as a plan alone', { request: { shadow: true } }],
  ['has a policy in shadow mode', { asPlanned: { mode: 'shadow' } }],
])('a run that %s is no run that costs', (_what, changes) => {
  expect(rowsOf([], [run(changes)])).toEqual([])
})

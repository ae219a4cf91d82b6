// The contents of run records and their limits: a run of any size fits its item, with its legs whole.
import { expect, test } from 'vitest'
import { mapBounded } from '../../../core/bounded.ts'
import { entryOf } from '../../../core/contract/fields.ts'
import { MOST_TRADES, type Plan, type PlanLeg } from '../../../core/contract/plan.ts'
import { runReport } from '../../../core/contract/runs.ts'
import { payeeOf } from '../../../core/movements/withdrawal/payee.ts'
import { hashPlan } from '../../../core/planning/plan-hash.ts'
import {
  fieldsOfRun,
  type LegResult,
  legIntentId,
  type RunRecord,
  reportOfRun,
} from '../../../core/runs/record/run-record.ts'
import { trimLegs, trimPlan, trimResults } from '../../../core/runs/record/trimming.ts'
import { POLICY, START } from '../../helpers/run-world.ts'

/** DynamoDB counts names and values. JSON counts more. */
const MOST_ITEM_BYTES = 400 * 1024
const LONG_REASON = 'because '.repeat(100)
const figure = '123456789012.123456789012345678'

/** With long labels. Only this type takes any asset, and so many legs. */
const payee = payeeOf({
  ...{ id: '9f4e2c66-6b0f-4c57-9a52-0d8a9b1f7c11', type: 'INTERNAL', updatedAt: START },
  ...{ alias: 'Lieferant für Überweisungen '.repeat(9), reference: 'größere Zahlungen '.repeat(9) },
})

function withdrawal(index: number, phase: number): PlanLeg {
  const { contactId } = payee
  const assetSymbol = `ASSET${index}SPV`
  return {
    ...{ kind: 'withdraw', key: `rule50-withdraw-ASSET${index}SPV`, phase, value: figure, reason: LONG_REASON },
    request: { assetSymbol, amount: figure, feeMode: 'deduct', contactId },
    ...{ assetSymbol, contactId, payee, fee: figure, total: figure, isCanary: false },
  }
}

function leg(index: number, phase: number): PlanLeg {
  const amount = '123456789012.123456789012345678'
  const [baseAsset, quoteAsset] = [`ASSET${index}SPV`, 'USDC']
  return {
    ...{ kind: 'convert', key: `sell-ASSET${index}SPV-USDC-${phase}`, phase, value: amount, reason: LONG_REASON },
    ...{ market: `${baseAsset}-USDC`, indicativeRate: amount, spreadCost: amount },
    ...{ gives: { asset: baseAsset, amount }, brings: { asset: quoteAsset, amount } },
    request: { baseAsset, quoteAsset, side: 'SELL', amountAsset: baseAsset, amount, maxSlippageBps: 100 },
  }
}

const position = (index: number): Plan['positions'][number] => ({
  ...{ asset: `ASSET${index}SPV`, holding: figure, spendable: figure, price: figure, value: String(index) },
  ...{ weight: '0.123456', targetValue: figure, targetWeight: '0.123456', drift: `-${figure}` },
  ...{ afterHolding: figure, afterValue: figure, afterWeight: '0.123456' },
})

const largestWay = { hub: 'USDC', markets: ['ASSET100SPV-USDC', 'ASSET200SPV-USDC'], cost: '-123456789012.123456' }
const COVERED = { policyHash: 'ab', guardsHash: 'cd', expiresAt: START }

const largestRebalance: Plan = {
  ...{ policy: 'weekly', kind: 'rebalance', takenAt: START, valuationAsset: 'USD', totalValue: '0', turnover: '0' },
  legs: Array.from({ length: 200 }, (_, index) => leg(index, index < 100 ? 1 : 2)),
  positions: Array.from({ length: 10_000 }, (_, index) => position(index)),
  nonLegs: Array.from({ length: 10_000 }, (_, index) => ({
    ...{ asset: `ASSET${index}SPV`, code: 'within_band' as const, reason: LONG_REASON },
  })),
  trades: Array.from({ length: MOST_TRADES }, (_, index) => ({
    ...{ gives: `ASSET${index}SPV`, brings: 'USDC', value: '123456789012.123456', way: largestWay },
    others: Array.from({ length: 11 }, () => ({ ...largestWay, reason: LONG_REASON.slice(0, 100) })),
  })),
  guards: Array.from({ length: 500 }, () => ({ guard: 'assets', says: LONG_REASON.slice(0, 150) })),
}

/** One conversion, and its proceeds are withdrawn in all other legs, each planned again. */
const largestSweep: Plan = {
  ...{ ...largestRebalance, kind: 'sweep', trades: (largestRebalance.trades ?? []).slice(0, 1) },
  legs: Array.from({ length: 200 }, (_, index) => (index === 0 ? leg(0, 1) : withdrawal(index, 2))),
}

const fills = Array.from({ length: 500 }, (_, sequence) => ({
  ...{ id: `fill-${sequence}`, sequence, baseAmount: figure, quoteAmount: figure, rate: figure, executedAt: START },
}))

function largestRun(largest = largestRebalance): RunRecord {
  const plan = trimPlan(largest)
  const phases = [1, 2].map((phase) => ({
    phase,
    legs: trimLegs(largest.legs.filter((each) => each.phase === phase)).map((each) => ({
      ...{ key: each.key, intentId: legIntentId('run-1', each) },
      ...(phase === 2 && { leg: each }),
    })),
  }))
  const results = Object.fromEntries(
    largest.legs.map(({ key }): [string, LegResult] => {
      const intentId = legIntentId('run-1', { key })
      const known = { intentId, attempts: 1, orderId: intentId, market: 'A-USDC', side: 'SELL' as const, rate: figure }
      const conversion = { outcome: 'FILLED' as const, ...known, baseAmount: figure, quoteAmount: figure, fills }
      return [intentId, { outcome: 'FILLED', conversion }]
    }),
  )
  return {
    ...{ runId: 'run-1', policy: 'weekly', kind: 'rebalance', version: 5, outcome: 'SETTLED', entry: 1 },
    ...{ request: { policy: 'weekly' }, requestHash: 'ab', asPlanned: POLICY, policyHash: 'ab' },
    ...{ startedAt: START, endedAt: START, notAfter: START, plan, phases, results: trimResults(results) },
  }
}

test.each([largestRebalance, largestSweep])(
  'the largest $kind fits a record of DynamoDB, every leg whole',
  (largest) => {
    const record = { ...fieldsOfRun(largestRun(largest)), pk: 'R#run-1', stamp: 'a'.repeat(36) }
    expect(Buffer.byteLength(JSON.stringify(record))).toBeLessThan(MOST_ITEM_BYTES)
    const report = reportOfRun(largestRun(largest))
    expect(report.legs.map((each) => each.leg.request)).toEqual(largest.legs.map((each) => each.request))
    expect(runReport.safeParse(report).success).toBe(true)
  },
)

test('the first of many legs to a contact names the contact for all, and each leg keeps its destination', () => {
  const [, first, second] = trimPlan(largestSweep).legs
  expect(first).toMatchObject({ payee })
  expect(second).toMatchObject({ payee: { ...payee, alias: null, reference: null } })
})

test('omissions are reported, and the positions that legs touch stay first', () => {
  const { positions, guards } = trimPlan(largestRebalance)
  expect(positions.length).toBeLessThan(largestRebalance.positions.length)
  expect(guards.at(-1)).toMatchObject({ guard: 'record', says: expect.stringContaining('of 10000 positions') })
  expect(positions[0]?.asset).toBe('ASSET199SPV')
})

test('each of many trades keeps its path, and the trades with the most value keep the costs of the other paths', () => {
  const some = { ...largestRebalance, legs: largestRebalance.legs.slice(0, 100) }
  const { trades = [], guards } = trimPlan(some)
  expect(trades.map(({ way }) => way)).toEqual((largestRebalance.trades ?? []).map(({ way }) => way))
  expect(trades[0]?.others).toHaveLength(11)
  expect(trades.at(-1)?.others).toEqual([])
  expect(guards).toContainEqual({ guard: 'record', says: expect.stringContaining(`of ${MOST_TRADES} trades`) })
  expect(trimPlan(largestRebalance).trades?.[0]).toEqual({ ...largestRebalance.trades?.[0], others: [] })
  expect(hashPlan(trimPlan(largestRebalance), COVERED)).toBe(hashPlan(largestRebalance, COVERED))
})

test('a plan of common size is kept unchanged', () => {
  const plan = {
    ...largestRebalance,
    legs: [],
    positions: largestRebalance.positions.slice(0, 50),
    trades: (largestRebalance.trades ?? []).slice(0, 5),
    nonLegs: [],
    guards: [],
  }
  expect(trimPlan(plan)).toEqual(plan)
})

test('a leg that was not planned again is kept once, and reported with its result', () => {
  const run = largestRun()
  const [first] = reportOfRun(run).legs
  expect(first).toMatchObject({ leg: run.plan?.legs[0], outcome: 'FILLED', conversion: { baseAmount: figure } })
  expect(first?.why).toMatch(/of its 500 fills are kept here/)
})

test('an intent of a leg is named by its run and its key, and by nothing else', () => {
  const ids = ['run-1', 'run-2'].flatMap((run) => ['a', 'b'].map((key) => legIntentId(run, { key })))
  expect(new Set(ids).size).toBe(4)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{40}$/)
  expect([entryOf('run-1'), entryOf('run-1_2'), entryOf('run-1_99')]).toEqual([1, 2, 99])
})

test('work proceeds in parallel within its bound, in order, and a failure stops the remaining work', async () => {
  let atOnce = 0
  let most = 0
  const begun: number[] = []
  const work = async (item: number) => {
    begun.push(item)
    atOnce += 1
    most = Math.max(most, atOnce)
    await Promise.resolve()
    atOnce -= 1
    if (item === 3) throw new Error('no more')
    return item * 2
  }
  expect(await mapBounded([1, 2, 4, 5, 6], 2, work)).toEqual([2, 4, 8, 10, 12])
  expect(most).toBe(2)
  await expect(mapBounded([1, 2, 3, 4, 5, 6, 7, 8], 2, work)).rejects.toThrow('no more')
  expect(begun).not.toContain(8)
})

test('a reason that is too long ends with a whole word and a mark', () => {
  const [trimmed] = trimLegs([leg(0, 1)])
  expect(trimmed?.reason).toMatch(/^(because )+because…$/)
  expect(trimmed?.reason.length).toBeLessThanOrEqual(100)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RUN_KINDS, readCounts } from '../../../bench/scale/counts.ts'
import { assess, mostRuns, QUOTAS } from '../../../bench/scale/model.ts'
import { Load, USUAL, type Workload } from '../../../bench/scale/workload.ts'
import { ALARMS } from '../../../core/contract/alarms.ts'

const counts = readCounts()
const ONLY_CONVERSIONS: Workload = {
  ...USUAL,
  mix: { conversions: 1, 'slow-conversions': 0, withdrawals: 0, rebalances: 0 },
}

function useOf(name: string, workload: Workload, limits = {}) {
  const found = assess(workload, counts, limits, 1).quotas.find((quota) => quota.name === name)
  if (found === undefined) throw new Error(`no quota ${name}`)
  return found
}

describe('the load on a quota', () => {
  test('a day of 86,400 conversions, ten times as many in the busiest hour, is ten a second', () => {
    const use = useOf('start-executions', { ...ONLY_CONVERSIONS, runsADay: 86_400, peakFactor: 10 })
    expect(use.load).toBeCloseTo(10)
    expect(use.share).toBeCloseTo(10 / 300)
    // 30 times as many are 300 a second.
    expect(use.bears).toBe(86_400 * 30)
  })

  test('a rebalance of ten legs starts eleven executions, and sends ten times', () => {
    const { serviceSends, starts } = counts.kinds.rebalances
    expect({ serviceSends, starts }).toEqual({ serviceSends: 10, starts: 11 })
  })

  test('movements under way count in the one daily budget, and none where there is none', () => {
    const { load, limit } = useOf('budget-movements', ONLY_CONVERSIONS)
    // What is under way is the rate by how long each is: ten times the mean rate of a day.
    const { seconds } = counts.kinds.conversions
    expect(load).toBeCloseTo((10 * 10_000 * seconds) / 86_400, 6)
    expect(limit).toBe(2_000)
    const without = useOf('budget-movements', { ...ONLY_CONVERSIONS, hasBudget: false })
    expect(without.load).toBe(0)
    expect(without.bears).toBeUndefined()
  })

  test('withdrawals spread over more assets are fewer of each', () => {
    expect(useOf('withdrawal-rows', { ...USUAL, assets: 1 }).load).toBe(3_000)
    expect(useOf('withdrawal-rows', { ...USUAL, assets: 5 }).load).toBe(600)
  })

  test('the record of a budget grows with the day, and so does what each write costs', () => {
    const small = useOf('budget-writes', { ...ONLY_CONVERSIONS, runsADay: 10 })
    const large = useOf('budget-writes', { ...ONLY_CONVERSIONS, runsADay: 2_000 })
    expect(large.load / small.load).toBeGreaterThan(200)
  })

  test('another limit takes the place of the default one', () => {
    expect(useOf('service-requests', USUAL, { 'service-requests': 10 })).toMatchObject({ limit: 10 })
  })

  test('more runs never put less on any quota, and what it bears fits and one more does not', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        fc
          .tuple(...RUN_KINDS.map(() => fc.integer({ min: 0, max: 9 })))
          .filter((parts) => parts.some((part) => part > 0)),
        fc.constantFrom(...QUOTAS),
        (runs, more, parts, quota) => {
          const whole = parts.reduce((sum, part) => sum + part, 0)
          const mix = Object.fromEntries(
            RUN_KINDS.map((kind, nth) => [kind, (parts[nth] ?? 0) / whole]),
          ) as unknown as Workload['mix']
          const loadOf = (runsADay: number) => quota.load(new Load({ ...USUAL, mix, runsADay }, counts))
          expect(loadOf(runs + more)).toBeGreaterThanOrEqual(loadOf(runs) * (1 - 1e-12))
          const bears = mostRuns((runsADay) => loadOf(runsADay) <= quota.limit)
          if (bears === undefined) return
          expect(loadOf(bears)).toBeLessThanOrEqual(quota.limit)
          expect(loadOf(bears + 1)).toBeGreaterThan(quota.limit)
        },
      ),
    )
  })
})

describe('what is told', () => {
  test('what bears the fewest runs breaks first', () => {
    const { first, quotas } = assess(USUAL, counts, {}, 1)
    expect(first?.name).toBe('audit-movements')
    expect(first?.bears).toBe(Math.min(...quotas.map(({ bears }) => bears ?? Number.POSITIVE_INFINITY)))
  })

  test('the same seed tells the same waits', () => {
    expect(assess(USUAL, counts, {}, 5).lines).toEqual(assess(USUAL, counts, {}, 5).lines)
  })

  test('a lane that is asked for more than there is time has no waits, and says how often over', () => {
    const [lane] = assess({ ...USUAL, runsADay: 1_000_000 }, counts, {}, 1).lines
    expect(lane?.taken).toBeGreaterThan(1)
    expect(lane?.waits).toBeUndefined()
  })

  test('where nothing withdraws, no lane is waited for', () => {
    const [lane] = assess(ONLY_CONVERSIONS, counts, {}, 1).lines
    expect(lane).toMatchObject({ name: 'lane', taken: 0 })
    expect(lane?.waits).toBeUndefined()
  })

  test('every alarm that a quota names is there', () => {
    const named = QUOTAS.flatMap(({ told }) => told.match(/sluice-[a-z-]+/g) ?? [])
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !ALARMS.includes(name))).toEqual([])
  })

  test('no two quotas have one name', () => {
    expect(new Set(QUOTAS.map(({ name }) => name)).size).toBe(QUOTAS.length)
  })
})

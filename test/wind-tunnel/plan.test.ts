import { expect, test } from 'vitest'
import { runRequest } from '../../core/contract/runs.ts'
import { planRun } from './plan.ts'

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed)
const mishapsOf = (seed: number) => {
  const plan = planRun(seed)
  return Array.from({ length: 100 }, (_, moment) => plan.mishapAt(moment)).filter((mishap) => mishap !== undefined)
}

test('a seed is a plan: the same each time, and another for another seed', () => {
  const told = (seed: number) => JSON.stringify([planRun(seed), mishapsOf(seed)])
  expect(told(7)).toBe(told(7))
  expect(new Set(SEEDS.map(told)).size).toBe(SEEDS.length)
})

test('plans mix conversions and withdrawals, with doubles, on one asset', () => {
  const intents = SEEDS.flatMap((seed) => planRun(seed).intents)
  expect(new Set(intents.map(({ kind }) => kind))).toEqual(new Set(['convert', 'withdraw']))
  expect(intents.some(({ isDoubled }) => isDoubled)).toBe(true)
  expect(intents.every(({ input }) => JSON.stringify(input).includes('USDC'))).toBe(true)
})

test('plans mix runs of policies in, of both machines, with doubles', () => {
  const runs = SEEDS.flatMap((seed) => planRun(seed).policyRuns)
  expect(new Set(runs.map(({ machine }) => machine))).toEqual(new Set(['rebalance', 'sweep']))
  expect(runs.some(({ isDoubled }) => isDoubled)).toBe(true)
  for (const { requestFor } of runs) expect(() => runRequest.parse(requestFor('contact-1'))).not.toThrow()
})

test('plans bring every mishap and every fault that is planned for', () => {
  expect(new Set(SEEDS.flatMap(mishapsOf).map(({ kind }) => kind))).toEqual(
    new Set(['kill', 'drop', 'error', 'freeze']),
  )
  const faults = new Set(SEEDS.flatMap((seed) => planRun(seed).rules.map(({ fault }) => fault.kind)))
  expect([...faults].sort()).toEqual([
    ...['badAnswer', 'delay', 'dropAfterCommit', 'dropBeforeCommit', 'errorAfterCommit', 'errorBeforeCommit'],
    ...['expireQuote', 'failLater', 'hideExpiry', 'lateVisibility', 'oddId', 'rateLimit', 'settleLater'],
  ])
})

test('nothing stays out of sight for longer than the service may keep it so', () => {
  for (const { rules } of SEEDS.map(planRun)) {
    for (const { match, fault } of rules) {
      if (fault.kind !== 'lateVisibility') continue
      expect(Number(fault.ms)).toBeLessThan('/v2/orders' === (match as { path: string }).path ? 10_000 : 60_000)
    }
  }
})

// A seed of the threads repeats its plan, and plans have every kind of request and fault.
import { expect, test } from 'vitest'
import { runRequest } from '../../../core/contract/runs.ts'
import { planRun } from './plan.ts'

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed)
const mishapsOf = (seed: number) => {
  const plan = planRun(seed)
  return Array.from({ length: 100 }, (_, moment) => plan.mishapAt(moment)).filter((mishap) => mishap !== undefined)
}

test('a seed always gives the same plan, and another seed another plan', () => {
  const textOf = (seed: number) => JSON.stringify([planRun(seed), mishapsOf(seed)])
  expect(textOf(7)).toBe(textOf(7))
  expect(new Set(SEEDS.map(textOf)).size).toBe(SEEDS.length)
})

test('plans mix conversions and withdrawals, with doubles, on one asset', () => {
  const intents = SEEDS.flatMap((seed) => planRun(seed).intents)
  expect(new Set(intents.map(({ kind }) => kind))).toEqual(new Set(['convert', 'withdraw']))
  expect(intents.some(({ isDoubled }) => isDoubled)).toBe(true)
  expect(intents.every(({ input }) => JSON.stringify(input).includes('USDC'))).toBe(true)
})

test('plans also contain runs of policies on both machines, with doubles', () => {
  const runs = SEEDS.flatMap((seed) => planRun(seed).policyRuns)
  expect(new Set(runs.map(({ machine }) => machine))).toEqual(new Set(['rebalance', 'sweep']))
  expect(runs.some(({ isDoubled }) => isDoubled)).toBe(true)
  for (const { requestFor } of runs) expect(() => runRequest.parse(requestFor('contact-1'))).not.toThrow()
})

test('plans contain every kind of mishap and of fault', () => {
  expect(new Set(SEEDS.flatMap(mishapsOf).map(({ kind }) => kind))).toEqual(
    new Set(['kill', 'drop', 'error', 'freeze']),
  )
  const faults = new Set(SEEDS.flatMap((seed) => planRun(seed).rules.map(({ fault }) => fault.kind)))
  expect([...faults].sort()).toEqual([
    ...['badAnswer', 'delay', 'dropAfterCommit', 'dropBeforeCommit', 'errorAfterCommit', 'errorBeforeCommit'],
    ...['expireQuote', 'failLater', 'hideExpiry', 'lateVisibility', 'oddId', 'rateLimit', 'settleLater'],
  ])
})

test('no plan hides a movement for longer than the service may', () => {
  for (const { rules } of SEEDS.map(planRun)) {
    for (const { match, fault } of rules) {
      if (fault.kind !== 'lateVisibility') continue
      expect(Number(fault.ms)).toBeLessThan('/v2/orders' === (match as { path: string }).path ? 10_000 : 60_000)
    }
  }
})

// The hash that people approve covers what a plan moves, and not its words.
import { expect, test } from 'vitest'
import { guards as guardsSchema } from '../../../core/contract/guards.ts'
import type { ConvertLeg } from '../../../core/contract/plan.ts'
import type { RebalancePolicy } from '../../../core/contract/policies.ts'
import { hashGuards } from '../../../core/guards/effective-guards.ts'
import { hashPlan } from '../../../core/planning/plan-hash.ts'
import { planRebalance } from '../../../core/policies/rebalance/planner.ts'
import { legsOf } from './carry-out.ts'
import { policyOf, snapshotOf } from './small-world.ts'

const { plan } = planRebalance(
  'mix',
  policyOf<RebalancePolicy>({ kind: 'rebalance', weights: { BTC: '0.5', ETH: '0.5' } }),
  snapshotOf({ held: { BTC: '100' }, rates: { 'BTC-USD': ['100', '100'], 'ETH-USD': ['10', '10'] } }),
)
const EXPIRES_AT = '2026-01-02T00:00:00.000Z'
const covered = { policyHash: 'hash', guardsHash: hashGuards(guardsSchema.parse({})), expiresAt: EXPIRES_AT }
const hashOf = (of: Parameters<typeof hashPlan>[0]) => hashPlan(of, covered)
const changed = (change: (leg: ConvertLeg) => ConvertLeg) => ({ ...plan, legs: legsOf(plan).map(change) })

test('a plan with other words, or in another order, has the same hash', () => {
  expect(hashOf(plan)).toMatch(/^[0-9a-f]{64}$/)
  expect(hashOf({ ...plan, legs: plan.legs.toReversed() })).toBe(hashOf(plan))
  expect(hashOf(changed((leg) => ({ ...leg, reason: 'another' })))).toBe(hashOf(plan))
  expect(plan.trades).toHaveLength(1)
  expect(hashOf({ ...plan, trades: (plan.trades ?? []).map((one) => ({ ...one, others: [] })) })).toBe(hashOf(plan))
})

test.each([
  ['an amount', changed((leg) => ({ ...leg, request: { ...leg.request, amount: '1' } }))],
  ['a side', changed((leg) => ({ ...leg, request: { ...leg.request, side: 'SELL' } }))],
  ['a slippage bound', changed((leg) => ({ ...leg, request: { ...leg.request, maxSlippageBps: 9 } }))],
  ['another value', changed((leg) => ({ ...leg, value: '1' }))],
  ['another rate', changed((leg) => ({ ...leg, indicativeRate: '7' }))],
  ['another amount that it gives', changed((leg) => ({ ...leg, gives: { ...leg.gives, amount: '1' } }))],
  ['another amount that it brings', changed((leg) => ({ ...leg, brings: { ...leg.brings, amount: '1' } }))],
  ['a phase', changed((leg) => ({ ...leg, phase: 1 }))],
  ['another name of which its id is made', changed((leg) => ({ ...leg, once: 'payout/a/2' }))],
  [
    'another way of a trade',
    { ...plan, trades: (plan.trades ?? []).map((one) => ({ ...one, way: { markets: ['BTC-ETH'] } })) },
  ],
  ['a leg less', { ...plan, legs: plan.legs.slice(1) }],
  ['another policy', { ...plan, policy: 'other' }],
  ['another turnover, which decides how many must approve', { ...plan, turnover: '1' }],
  ['values in another asset', { ...plan, valuationAsset: 'EUR' }],
])('with %s it is another plan', (_what, other) => {
  expect(hashOf(other)).not.toBe(hashOf(plan))
})

const guardsWith = (given: object) => ({ ...covered, guardsHash: hashGuards(guardsSchema.parse(given)) })
test.each([
  ['another policy behind the name', { ...covered, policyHash: 'other' }],
  ['a bound on all movements', guardsWith({ total: { daily: '9' } })],
  ['another time until which it may continue', { ...covered, expiresAt: '2026-01-03T00:00:00.000Z' }],
  ['a list of contacts', guardsWith({ allowedContacts: [] })],
  ['values in another asset', guardsWith({ valuationAsset: 'EUR' })],
])('with %s the same legs differ from the approved ones', (_what, other) => {
  expect(hashPlan(plan, other)).not.toBe(hashPlan(plan, covered))
})

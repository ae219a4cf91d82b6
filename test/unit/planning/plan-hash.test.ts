import { expect, test } from 'vitest'
import type { ConvertLeg } from '../../../functions/contract/plan.ts'
import type { RebalancePolicy } from '../../../functions/contract/policies.ts'
import { hashPlan } from '../../../functions/shared/planning/plan-hash.ts'
import { planRebalance } from '../../../functions/shared/planning/rebalance.ts'
import { legsOf } from './carry-out.ts'
import { policyOf, snapshotOf } from './small-world.ts'

const { plan } = planRebalance(
  'mix',
  policyOf<RebalancePolicy>({ kind: 'rebalance', weights: { BTC: '0.5', ETH: '0.5' } }),
  snapshotOf({ held: { BTC: '100' }, rates: { 'BTC-USD': ['100', '100'], 'ETH-USD': ['10', '10'] } }),
)
const changed = (change: (leg: ConvertLeg) => ConvertLeg) => ({ ...plan, legs: legsOf(plan).map(change) })

test('a plan that is told otherwise, or in another order, has the same hash', () => {
  expect(hashPlan(plan)).toMatch(/^[0-9a-f]{64}$/)
  expect(hashPlan({ ...plan, legs: plan.legs.toReversed() })).toBe(hashPlan(plan))
  expect(hashPlan(changed((leg) => ({ ...leg, reason: 'another', value: '1', indicativeRate: '7' })))).toBe(
    hashPlan(plan),
  )
})

test.each([
  ['an amount', changed((leg) => ({ ...leg, request: { ...leg.request, amount: '1' } }))],
  ['a side', changed((leg) => ({ ...leg, request: { ...leg.request, side: 'SELL' } }))],
  ['a slippage bound', changed((leg) => ({ ...leg, request: { ...leg.request, maxSlippageBps: 9 } }))],
  ['a phase', changed((leg) => ({ ...leg, phase: 1 }))],
  ['a leg less', { ...plan, legs: plan.legs.slice(1) }],
  ['another policy', { ...plan, policy: 'other' }],
])('with %s it is another plan', (_what, other) => {
  expect(hashPlan(other)).not.toBe(hashPlan(plan))
})

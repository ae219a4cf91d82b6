// Tests the assets that a rebalance plan leaves beyond their band, compared with the reasons in the plan.
import { describe, expect, test } from 'vitest'
import type { NonLegCode, Plan } from '../../../core/contract/plan.ts'
import type { Planning } from '../../../core/runs/plan/answers.ts'
import { planRun } from '../../../core/runs/plan/plan-run.ts'
import { findUnreached } from '../../../core/runs/plan/unreached.ts'
import { planning } from '../../helpers/run-world.ts'
import { policyOf } from '../planning/small-world.ts'
import { begin, carryOutAll, input, settle, world } from './weekly-runs.ts'

const HALVES = policyOf({ kind: 'rebalance', weights: { BTC: '0.5', ETH: '0.5' }, valuationAsset: 'USD' })

/** By asset: value before, value after the legs, target value. */
function planOf(
  values: Readonly<Record<string, readonly [string, string, string | undefined]>>,
  nonLegs: readonly (readonly [string, NonLegCode])[] = [],
): Plan {
  const total = Object.values(values).reduce((sum, [before]) => sum + Number(before), 0)
  const positions = Object.entries(values).map(([asset, [value, afterValue, targetValue]]) => ({
    ...{ asset, holding: value, spendable: value, price: '1', value, weight: '0' },
    ...{ afterHolding: afterValue, afterValue, afterWeight: '0', ...(targetValue && { targetValue }) },
  }))
  return {
    ...{ policy: 'mix', kind: 'rebalance', takenAt: '2026-01-01T00:00:00.000Z', valuationAsset: 'USD' },
    ...{ totalValue: String(total), turnover: '0', positions, legs: [], guards: [] },
    nonLegs: nonLegs.map(([asset, code]) => ({ asset, code, reason: code })),
  }
}

test('a plan that reaches its targets, or ends within the band, leaves nothing', () => {
  expect(findUnreached(planOf({ BTC: ['900', '500', '500'], ETH: ['100', '500', '500'] }), HALVES)).toBeUndefined()
  // The band is 1 % of 1000, and the smallest trade 10.
  expect(findUnreached(planOf({ BTC: ['520', '520', '500'], ETH: ['480', '480', '500'] }), HALVES)).toBeUndefined()
})

test('assets beyond their band are reported with their distance, unless the plan gives the obstacle', () => {
  const off = { BTC: ['900', '900', '500'], ETH: ['100', '100', '500'] } as const
  const both = [
    { asset: 'BTC', off: '400' },
    { asset: 'ETH', off: '-400' },
  ]
  expect(findUnreached(planOf(off), HALVES)).toEqual(both)
  expect(findUnreached(planOf(off, [['BTC', 'no_counterpart']]), HALVES)).toEqual(both)
  expect(findUnreached(planOf(off, [['BTC', 'within_band']]), HALVES)).toEqual(both)
  for (const code of ['guard', 'no_market', 'turnover_spent', 'below_minimum', 'in_doubt'] as const) {
    expect(findUnreached(planOf(off, [['BTC', code]]), HALVES)).toBeUndefined()
  }
})

test('the amount of one asset that a guard keeps explains the lack of the others', () => {
  const values = { BTC: ['900', '900', '500'], ETH: ['100', '100', '500'] } as const
  const nonLegs = [
    ['BTC', 'guard'],
    ['ETH', 'no_counterpart'],
  ] as const
  expect(findUnreached(planOf(values, nonLegs), HALVES)).toBeUndefined()
})

test('the cost of trades reduces the targets that are shares, and is no distance', () => {
  expect(
    findUnreached(planOf({ BTC: ['9000', '4800', '5000'], ETH: ['1000', '4800', '5000'] }), HALVES),
  ).toBeUndefined()
})

test('with amounts, the asset that takes the rest may have more, and others may not', () => {
  const policy = policyOf({
    kind: 'rebalance',
    amounts: { BTC: '500', USD: '100' },
    hubs: ['USD'],
    valuationAsset: 'USD',
  })
  expect(findUnreached(planOf({ BTC: ['500', '500', '500'], USD: ['9500', '9500', '100'] }), policy)).toBeUndefined()
  expect(findUnreached(planOf({ BTC: ['900', '900', '500'], USD: ['20', '20', '400'] }), policy)).toEqual([
    { asset: 'BTC', off: '400' },
    { asset: 'USD', off: '-380' },
  ])
})

describe('a run whose plan leaves assets beyond their band', () => {
  /** The world's own planner, and targets that nothing reaches. */
  const offTarget = (hasLegs: boolean): Planning => ({
    ...planning,
    plan(name, policy, snapshot) {
      const { plan, required } = planning.plan(name, policy, snapshot)
      const positions = plan.positions.map((one) =>
        one.asset === 'USD' ? one : { ...one, afterValue: one.value, targetValue: '502.5' },
      )
      return { plan: { ...plan, positions, legs: hasLegs ? plan.legs : [] }, required }
    },
  })
  const why = expect.stringContaining('A by 497.5, B by -502.5 (USD)')

  test('ends OFF_TARGET and not NOTHING_TO_DO if nothing was planned', async () => {
    begin()
    expect(await planRun(input('run-1'), offTarget(false), world.ports)).toMatchObject({ outcome: 'OFF_TARGET', why })
  })

  test('ends OFF_TARGET and not SETTLED if every planned leg has moved', async () => {
    begin()
    const enter = (more: object = {}) => planRun(input('run-1', more), offTarget(true), world.ports)
    await carryOutAll((await enter()).legs)
    await carryOutAll((await enter({ phase: 2 })).legs)
    expect(await settle('run-1')).toMatchObject({ outcome: 'OFF_TARGET', why, tiesOut: true })
    expect(await world.ports.policies.find('weekly')).toMatchObject({ failuresInRow: 0 })
  })
})

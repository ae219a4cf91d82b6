// Tests the distances between a run's final assets and their targets, as its report gives them.
import { expect, test } from 'vitest'
import type { Plan } from '../../../core/contract/plan.ts'
import { distancesOf } from '../../../core/runs/record/distances.ts'
import { policyOf } from '../planning/small-world.ts'

const SHARES = policyOf({ kind: 'rebalance', weights: { BTC: '0.5', ETH: '0.5' } })
const AMOUNTS = policyOf({ kind: 'rebalance', amounts: { BTC: '500' }, hubs: ['USD'] })

/** By asset: the target of the plan. */
function planOf(targets: Readonly<Record<string, string | undefined>>, totalValue = '1000'): Plan {
  const positions = Object.entries(targets).map(([asset, targetValue]) => ({
    ...{ asset, holding: '0', spendable: '0', price: '1', value: '0', weight: '0' },
    ...{ afterHolding: '0', afterValue: '0', afterWeight: '0', ...(targetValue && { targetValue }) },
  }))
  return {
    ...{ policy: 'mix', kind: 'rebalance', takenAt: '2026-01-01T00:00:00.000Z', valuationAsset: 'USD', totalValue },
    ...{ turnover: '0', positions, legs: [], nonLegs: [], guards: [] },
  }
}

test('targets that are shares follow the total at the end, the furthest first', () => {
  const values = { BTC: '480', ETH: '410' }
  expect(distancesOf(planOf({ ETH: '500', BTC: '500' }), SHARES, { total: '900', values })).toEqual([
    { asset: 'ETH', value: '410', target: '450', off: '-40' },
    { asset: 'BTC', value: '480', target: '450', off: '30' },
  ])
})

test('targets that are values stay, and an asset without a target is left out', () => {
  const values = { BTC: '480', USD: '9000' }
  expect(distancesOf(planOf({ BTC: '500', USD: undefined }), AMOUNTS, { total: '9480', values })).toEqual([
    { asset: 'BTC', value: '480', target: '500', off: '-20' },
  ])
})

test('an asset without a value at the end is left out, and without any value the report has no distances', () => {
  expect(distancesOf(planOf({ BTC: '500' }), SHARES, { total: '0', values: {} })).toBeUndefined()
  expect(distancesOf(planOf({ constructor: '500' }), SHARES, { total: '1', values: {} })).toBeUndefined()
})

test('a record keeps the hundred furthest', () => {
  const assets = Array.from({ length: 150 }, (_, at) => `A${at}`)
  const plan = planOf(Object.fromEntries(assets.map((asset) => [asset, '1000'])), '150000')
  const values = Object.fromEntries(assets.map((asset, at) => [asset, String(1_000 + at)]))
  const distances = distancesOf(plan, SHARES, { total: '150000', values })
  expect(distances).toHaveLength(100)
  expect([distances?.[0]?.asset, distances?.[99]?.asset]).toEqual(['A149', 'A50'])
})

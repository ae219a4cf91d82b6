// The condition that trips the breaker, and its reference: an unknown total is no reference.
import { beforeEach, describe, expect, test } from 'vitest'
import type { Plan } from '../../../core/contract/plan.ts'
import type { RebalancePolicy } from '../../../core/contract/policies.ts'
import { IntentState } from '../../../core/contract/records.ts'
import { guardedMove, zeroMove } from '../../../core/journal/moves.ts'
import { planRebalance } from '../../../core/policies/rebalance/planner.ts'
import { trimPlan } from '../../../core/runs/record/trimming.ts'
import { fallTrip, recount, worthOf } from '../../../core/runs/settle/breaker.ts'
import { POLICY } from '../../helpers/run-world.ts'
import { d, policyOf, snapshotOf } from '../planning/small-world.ts'
import { arm, begin, carryOutAll, open, plan, settle, world } from './weekly-runs.ts'

const HALVES = policyOf<RebalancePolicy>({
  ...{ kind: 'rebalance', weights: { BTC: '0.5', ETH: '0.5' }, valuationAsset: 'EUR', hubs: ['USDX'] },
  breaker: { largestFallBps: 500 },
})
const RATES: Readonly<Record<string, readonly [string, string]>> = {
  'BTC-EUR': ['100', '100'],
  'ETH-EUR': ['10', '10'],
  'BTC-USDX': ['110', '110'],
  'ETH-USDX': ['11', '11'],
}
const HELD = { BTC: '45', ETH: '450', USDX: '1100' }

/** 4,500 EUR of each, and 1,000 EUR in the hub, as far as its market gives a price. */
function planWith(isPriced: boolean): Plan {
  const rates = isPriced ? { ...RATES, 'USDX-EUR': ['0.91', '0.91'] as const } : RATES
  // Without a market for the hub, it gives no price for itself either.
  const changed = { valuationAsset: 'EUR', stranded: new Map([['USDX', d('1100')]]) }
  return planRebalance('mix', HALVES, snapshotOf({ held: HELD, rates, changed })).plan
}

describe('a stranded balance without a price', () => {
  const held = { BTC: { units: '49.99', price: '100' }, ETH: { units: '499.96', price: '10' } }
  const before = { lastValue: { policyHash: 'hash', asset: 'EUR', value: '10001', held } }
  const run = { asPlanned: HALVES, policyHash: 'hash' }
  const memory = { policy: 'mix', version: 1, failuresInRow: 0, contacts: {}, ...before }

  test('counts in the total while it has a price', () => {
    const plan = planWith(true)
    expect([plan.totalValue, plan.unpriced]).toEqual(['10001', undefined])
    expect(worthOf(plan, 'hash')).toMatchObject({ asset: 'EUR', value: '10001', held })
  })

  test('makes the total unknown, which the plan says', () => {
    const plan = planWith(false)
    expect(plan.unpriced).toEqual(['USDX'])
    const reason = expect.stringContaining('total value is not known')
    expect(plan.nonLegs).toContainEqual({ asset: 'USDX', code: 'no_price', reason })
  })

  test('neither trips the breaker nor becomes the reference of the next run', () => {
    const plan = planWith(false)
    expect(fallTrip(memory, run, plan)).toBeUndefined()
    expect(worthOf(plan, 'hash')).toBeUndefined()
  })
})

test('a holding without a price is known as such even if the record keeps too few positions', () => {
  const none = { weight: '0', afterHolding: '0', afterValue: '0', afterWeight: '0' }
  const positions = Array.from({ length: 1_500 }, (_, index) => ({
    ...{ asset: `A${index}`, holding: '1', spendable: '1', price: index === 1_499 ? null : '1' },
    ...{ value: index === 1_499 ? '0' : '1', ...none },
  }))
  const empty = { legs: [], nonLegs: [], guards: [], turnover: '0' }
  const plan = trimPlan({
    ...{ policy: 'mix', kind: 'sweep', takenAt: '2026-01-01T00:00:00.000Z', valuationAsset: 'EUR' },
    ...{ totalValue: '1499', positions, unpriced: ['A1499'], ...empty },
  })
  expect(plan.positions.map(({ asset }) => asset)).not.toContain('A1499')
  expect(worthOf(plan, 'hash')).toBeUndefined()
})

describe('legs that a guard refused', () => {
  beforeEach(() => begin())

  async function refuse(run: string, isGuard: boolean): Promise<void> {
    const intent = await open((await plan(run)).legs[0])
    const why = 'guards.total: 1000 USD a day leaves 0, and this needs 1000'
    const move = isGuard
      ? guardedMove(intent, 'REJECTED', { why, guardedBy: 'budget' })
      : zeroMove(intent, IntentState.Rejected, 'REJECTED', 'the market is closed')
    await world.ports.journal.advance(intent, move)
  }

  test('end their run GUARDED, as if the plan had known, and count as no failure', async () => {
    for (const run of ['run-1', 'run-2', 'run-3', 'run-4']) {
      await refuse(run, true)
      expect(await settle(run)).toMatchObject({
        ...{ outcome: 'GUARDED', tiesOut: true, why: expect.stringContaining('1000 USD a day leaves 0') },
      })
    }
    expect(world.trips).toEqual([])
    expect(await world.ports.policies.find('weekly')).toMatchObject({ failuresInRow: 0 })
    expect(await plan('run-5')).toMatchObject({ outcome: 'FIRST' })
  })

  test('end it so again, whoever enters it again: it is not planned again', async () => {
    await refuse('run-1', true)
    await settle('run-1')
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'SETTLE', legs: [] })
    expect(await settle('run-1_2')).toMatchObject({ outcome: 'GUARDED' })
  })

  test('do not hide a failure: a refusal by the service counts as before', async () => {
    await refuse('run-1', false)
    expect(await settle('run-1')).toMatchObject({ outcome: 'NOTHING_MOVED' })
    expect(await world.ports.policies.find('weekly')).toMatchObject({ failuresInRow: 1 })
  })
})

describe('a run with a leg in doubt', () => {
  let writes: number
  let refusedAt: number
  beforeEach(() => {
    writes = 0
    refusedAt = 0
    begin(undefined, {}, () => (++writes === refusedAt ? 'refused' : undefined))
  })

  const memory = () => world.ports.policies.find('weekly')

  /** Sells, and leaves its second leg in doubt. */
  async function doubt(run: string) {
    await carryOutAll((await plan(run)).legs)
    const [leg = expect.fail()] = (await plan(run, { phase: 2 })).legs
    await arm(leg)
    expect(await settle(run)).toMatchObject({ outcome: 'NEEDS_ATTENTION' })
    return leg
  }

  async function certifyZero(intentId: string): Promise<void> {
    const intent = (await world.ports.journal.find(intentId, 'convert')) ?? expect.fail()
    await world.ports.journal.advance(intent, zeroMove(intent, IntentState.Rejected, 'REJECTED', 'it never came'))
  }

  test('counts as a failure while it is in doubt, and no longer once it is settled, however often that is', async () => {
    const { name } = await doubt('run-1')
    expect(await memory()).toMatchObject({ failuresInRow: 1, failedInDoubt: ['run-1'] })
    await settle('run-1_2')
    expect(await memory()).toMatchObject({ failuresInRow: 1, failedInDoubt: ['run-1'] })
    await certifyZero(name)
    for (const entry of ['run-1_3', 'run-1_3', 'run-1_4'])
      expect(await settle(entry)).toMatchObject({ outcome: 'PARTLY_SETTLED' })
    expect(await memory()).toMatchObject({ failuresInRow: 0 })
  })

  test('is taken off the count once, even if the write of its end is lost', async () => {
    const { name } = await doubt('run-1')
    await world.ports.policies.advance(await memory(), { failuresInRow: 2 })
    await certifyZero(name)
    // The policy's record is written, and the run's end is not.
    refusedAt = writes + 2
    await expect(settle('run-1_2')).rejects.toThrow()
    expect(await memory()).toMatchObject({ failuresInRow: 1 })
    expect(await settle('run-1_2')).toMatchObject({ outcome: 'PARTLY_SETTLED' })
    expect(await memory()).toMatchObject({ failuresInRow: 1 })
  })

  test('that tripped the breaker leaves the policy halted: a person resumes it', async () => {
    const breaker = { failures: 1 }
    begin({ weekly: { ...POLICY, breaker } })
    const { name } = await doubt('run-1')
    expect(world.trips).toHaveLength(1)
    await certifyZero(name)
    await settle('run-1_2')
    expect(world.trips).toHaveLength(1)
    expect(await memory()).toMatchObject({ failuresInRow: 0 })
    expect(await world.ports.halts.find('weekly')).toMatchObject({ by: 'the breaker' })
  })

  test('whose end is that nothing moved counts as before', async () => {
    const [leg = expect.fail()] = (await plan('run-1')).legs
    await arm(leg)
    expect(await settle('run-1')).toMatchObject({ outcome: 'NEEDS_ATTENTION' })
    await certifyZero(leg.name)
    expect(await settle('run-1_2')).toMatchObject({ outcome: 'NOTHING_MOVED' })
    const { failuresInRow, failedInDoubt } = await memory()
    expect({ failuresInRow, failedInDoubt }).toEqual({ failuresInRow: 1, failedInDoubt: undefined })
  })
})

const RUN = { runId: 'run-2', entry: 1 }
const counted = { policy: 'weekly', version: 1, contacts: {}, failuresInRow: 3, failedInDoubt: ['run-1', 'run-2'] }

test.each([
  ['is still in doubt', 'NEEDS_ATTENTION', 'run-2', undefined],
  ['settled last', 'SETTLED', 'run-2', { failuresInRow: 0 }],
  ['settled, and others failed after it', 'SETTLED', 'run-3', { failuresInRow: 2, failedInDoubt: ['run-1'] }],
  ['settled in part', 'PARTLY_SETTLED', 'run-2', { failuresInRow: 2, failedInDoubt: ['run-1'] }],
  ['moved nothing', 'NOTHING_MOVED', 'run-2', { failuresInRow: 3, failedInDoubt: ['run-1'] }],
] as const)('the count of a run that was in doubt, and %s, is corrected', (_how, outcome, lastRunId, expected) => {
  expect(recount(RUN, outcome, { ...counted, lastRunId })).toEqual(expected)
})

test('a run that the present row does not have is not taken off its count', () => {
  expect(recount({ runId: 'run-0', entry: 1 }, 'SETTLED', counted)).toBeUndefined()
  expect(recount({ runId: 'run-2', entry: 2 }, 'SETTLED', counted)).toBeUndefined()
  const { failedInDoubt: _row, ...none } = counted
  expect(recount(RUN, 'SETTLED', none)).toBeUndefined()
})

// Tests the small withdrawal that is sent ahead to a new contact, and the withdrawals that wait for it.
import { describe, expect, test } from 'vitest'
import type { PayeeFacts } from '../../../core/contract/payee.ts'
import type { WithdrawLeg } from '../../../core/contract/plan.ts'
import { planSweep, replanSweep } from '../../../core/policies/sweep/planner.ts'
import { amounts, codes, planOf, sweep, worldOf } from './sweep-plans.ts'
import { carryOut, planned, snapshotOf } from './sweep-world.ts'

describe('a canary', () => {
  const unproven = {
    cold: { assetSymbol: 'BTC', isProven: false },
    team: { type: 'INTERNAL', networkId: null, isProven: false },
  }
  const world = () => worldOf({ BTC: '1' }, { contacts: unproven })

  test('a canary of the smallest amount goes ahead of the rest', () => {
    const plan = planOf(world(), { canary: true })
    expect(amounts(plan)).toEqual(['1 rule1-canary-BTC 0.003 of 0.003', '2 rule1-withdraw-BTC 0.997 of 0.997'])
    expect(plan.legs.map((leg) => (leg as WithdrawLeg).isCanary)).toEqual([true, false])
  })

  test('under add arrives as the minimum', () => {
    expect(amounts(planOf(world(), { canary: true, feeMode: 'add' }))).toEqual([
      '1 rule1-canary-BTC 0.002 of 0.003',
      '2 rule1-withdraw-BTC 0.996 of 0.997',
    ])
  })

  test('is not sent if the rest would not be', () => {
    const plan = planOf(world(), { canary: true, smallest: '0.998' })
    expect(plan.legs).toEqual([])
    expect(plan.nonLegs[0]?.reason).toMatch(/^after a canary of 0.003, 0.997 BTC is less than 0.998/)
  })

  test('goes to a contact once, whatever assets follow', () => {
    const plan = planOf(worldOf({ BTC: '1', ETH: '5' }, { contacts: unproven }), {
      assets: ['BTC', 'ETH'],
      contactId: 'team',
      canary: true,
    })
    expect(amounts(plan)).toEqual([
      '1 rule1-canary-BTC 0.01 of 0.01',
      '2 rule1-withdraw-BTC 0.99 of 0.99',
      '2 rule1-withdraw-ETH 5 of 5',
    ])
  })

  test('is not needed for a proven contact, nor sent twice', () => {
    expect(planOf(worldOf({ BTC: '1' }), { canary: true }).legs).toHaveLength(1)
    const onItsWay = worldOf({ BTC: '1' }, { contacts: { cold: { isProven: false, onItsWay: 'intent-1' } } })
    expect(codes(planOf(onItsWay, { canary: true }))).toEqual(['BTC awaits_canary'])
  })

  test('lets the rest go once it has COMPLETED, or less if the fee has risen', () => {
    const there = world()
    const { plan } = planned(planSweep, sweep({ canary: true }), there)
    const settled = plan.legs.slice(0, 1).map((leg) => carryOut(there, leg))
    const taken = settled.map((one) => ({
      ...one,
      withdrawal: { ...one.withdrawal, total: '0.004' },
    })) as typeof settled
    const again = (results: typeof settled) =>
      replanSweep({ plan, phase: 2, snapshot: snapshotOf(there), settled: results, policy: sweep({ canary: true }) })
    expect(again(settled).legs).toMatchObject([{ total: '0.997', phase: 2 }])
    expect(again(taken).legs).toMatchObject([{ total: '0.996' }])
  })

  test.each(['STUCK', 'NEEDS_ATTENTION', 'REJECTED', 'FAILED_REFUNDED', 'PROCESSING'])(
    'that ended %s keeps the rest back',
    (outcome) => {
      const there = world()
      const { plan } = planned(planSweep, sweep({ canary: true }), there)
      const settled = plan.legs.slice(0, 1).map((leg) => ({ ...carryOut(there, leg), outcome }))
      const again = replanSweep({
        plan,
        phase: 2,
        snapshot: snapshotOf(there),
        settled,
        policy: sweep({ canary: true }),
      })
      expect(again.legs).toEqual([])
      expect(codes({ nonLegs: [...again.nonLegs] })).toEqual(['BTC awaits_canary'])
    },
  )

  const CHANGED = '2026-03-01T09:00:01Z'
  const changed = () =>
    worldOf({ BTC: '1' }, { contacts: { cold: { assetSymbol: 'BTC', isProven: false, updatedAt: CHANGED } } })

  test('for a contact that changed after planning keeps the rest back, even once it has COMPLETED', () => {
    const { plan } = planned(planSweep, sweep({ canary: true }), world())
    const settled = plan.legs.slice(0, 1).map((leg) => carryOut(world(), leg))
    const again = replanSweep({
      plan,
      phase: 2,
      snapshot: snapshotOf(changed()),
      settled,
      policy: sweep({ canary: true }),
    })
    expect(again.legs).toEqual([])
    expect(again.nonLegs).toMatchObject([
      { code: 'awaits_canary', reason: expect.stringContaining('changed since rule1-canary-BTC') },
    ])
  })

  test('a canary that was planned again proves the contact in its earlier form', () => {
    const { plan } = planned(planSweep, sweep({ canary: true }), world())
    const canary = plan.legs[0] as WithdrawLeg
    const settled = [carryOut(world(), { ...canary, payee: { ...(canary.payee as PayeeFacts), updatedAt: CHANGED } })]
    expect(
      replanSweep({ plan, phase: 2, snapshot: snapshotOf(changed()), settled, policy: sweep({ canary: true }) }).legs,
    ).toHaveLength(1)
    expect(
      replanSweep({ plan, phase: 2, snapshot: snapshotOf(world()), settled, policy: sweep({ canary: true }) }).legs,
    ).toEqual([])
  })

  test('a canary that was unnecessary when the preceding conversions were planned is due once the contact changes', () => {
    const at = (updatedAt: string) =>
      worldOf({ BTC: '1', USDC: '0' }, { contacts: { stable: { assetSymbol: 'USDC', updatedAt } } })
    const into = { assets: ['BTC'], convertInto: 'USDC', contactId: 'stable' }
    const again = (policy: ReturnType<typeof sweep>, updatedAt: string) => {
      const there = at('2026-01-01T00:00:00Z')
      const { plan, prices } = planned(planSweep, policy, there)
      const settled = plan.legs.slice(0, 1).map((leg) => carryOut(there, leg))
      const now = { ...at(updatedAt), balances: there.balances }
      return replanSweep({ plan, phase: 2, snapshot: snapshotOf(now, prices), settled, policy })
    }
    expect(again(sweep({ ...into, canary: true }), '2026-01-01T00:00:00Z').legs).toHaveLength(1)
    expect(codes({ nonLegs: [...again(sweep({ ...into, canary: true }), CHANGED).nonLegs] })).toEqual([
      'USDC awaits_canary',
    ])
    expect(again(sweep(into), CHANGED).legs).toHaveLength(1)
  })

  test('a canary that was never sent keeps the rest back', () => {
    const { plan } = planned(planSweep, sweep({ canary: true }), world())
    expect(
      replanSweep({ plan, phase: 2, snapshot: snapshotOf(world()), settled: [], policy: sweep({ canary: true }) }).legs,
    ).toEqual([])
  })
})

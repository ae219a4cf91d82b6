// The bounds that each leg carries from its plan to its send: its planned rate, and the amount to keep.
import { describe, expect, test } from 'vitest'
import type { Plan } from '../../../core/contract/plan.ts'
import type { ConvertOnArrivalPolicy, FundPolicy, RebalancePolicy } from '../../../core/contract/policies.ts'
import { planConvertOnArrival } from '../../../core/policies/convert-on-arrival/planner.ts'
import { planFund } from '../../../core/policies/fund/planner.ts'
import { planRebalance } from '../../../core/policies/rebalance/planner.ts'
import { planSweep, replanSweep } from '../../../core/policies/sweep/planner.ts'
import { policyOf, snapshotOf } from './small-world.ts'
import { dec, parsePolicy, planned, run, type World } from './sweep-world.ts'

const bounds = ({ legs }: Pick<Plan, 'legs'>) =>
  legs.map(({ key, request }) => [key, request.keep, 'plannedRate' in request ? request.plannedRate : undefined])

describe('conversions', () => {
  const world = snapshotOf({ held: { BTC: '60', USD: '4000' }, rates: { 'BTC-USD': ['100', '101'] } })

  test('conversions of a rebalance keep its reserve', () => {
    const weights = { BTC: '0.5', USD: '0.5' }
    const policy = { kind: 'rebalance', weights, reserve: { BTC: '2' } }
    expect(bounds(planRebalance('mix', policyOf<RebalancePolicy>(policy), world).plan)).toEqual([
      ['sell-BTC-USD', '2', '100'],
    ])
  })

  test('conversions of a fund keep the kept amount of each source', () => {
    const policy = { kind: 'fund', asset: 'BTC', atLeast: '70', from: [{ asset: 'USD', keep: '500' }] }
    expect(bounds(planFund('f', policyOf<FundPolicy>(policy), world).plan)).toEqual([['buy-BTC-USD', '500', '101']])
  })

  test('on arrival keep the target, and nothing is kept if nothing should stay', () => {
    const planOf = (keep: object) => {
      const policy = policyOf<ConvertOnArrivalPolicy>({ kind: 'convert-on-arrival', asset: 'BTC', into: 'USD', keep })
      return bounds(planConvertOnArrival('c', policy, world).plan)
    }
    expect(planOf({ target: '10', trigger: '20' })).toEqual([['sell-BTC-USD', '10', '100']])
    expect(planOf({})).toEqual([['sell-BTC-USD', undefined, '100']])
  })
})

describe('legs of a sweep', () => {
  const worldOf = (balances: Record<string, string>): World => ({
    assets: { BTC: { increment: '0.0001' }, USDC: {}, USD: {} },
    markets: {
      'BTC-USDC': { mid: '50000', half: 0, perUnit: 0 },
      'BTC-USD': { mid: '50000' },
      'USDC-USD': { mid: '1' },
    },
    contacts: { cold: {}, warm: {} },
    balances: Object.fromEntries(Object.entries(balances).map(([code, amount]) => [code, dec(amount)])),
  })
  const sweep = (...rules: object[]) =>
    parsePolicy({ kind: 'sweep', rules: rules.map((rule) => ({ assets: ['BTC'], contactId: 'cold', ...rule })) })

  test('keep the amount that their rule keeps', () => {
    const { plan } = planned(planSweep, sweep({ keep: { target: '1' } }), worldOf({ BTC: '12' }))
    expect(bounds(plan)).toEqual([['rule1-withdraw-BTC', '1', undefined]])
  })

  test('of rules that share an asset all keep the least, so that no leg blocks another', () => {
    const policy = sweep({ keep: { target: '10' } }, { keep: { target: '5' }, contactId: 'warm' })
    const { plan } = planned(planSweep, policy, worldOf({ BTC: '12' }))
    expect(bounds(plan)).toEqual([
      ['rule1-withdraw-BTC', '5', undefined],
      ['rule2-withdraw-BTC', '5', undefined],
    ])
    // If the second rule takes nothing, the first keeps its own amount.
    const later = sweep({ keep: { target: '10' } }, { keep: { target: '5', trigger: '11' }, contactId: 'warm' })
    expect(bounds(planned(planSweep, later, worldOf({ BTC: '12' })).plan)).toEqual([
      ['rule1-withdraw-BTC', '10', undefined],
    ])
  })

  test('planned again from their proceeds, keep the kept amount of their asset', () => {
    const policy = sweep({ keep: { target: '1' }, convertInto: 'USDC' }, { assets: ['USDC'], keep: { target: '100' } })
    const { phases } = run({ planner: planSweep, replanner: replanSweep }, policy, worldOf({ BTC: '2', USDC: '50' }))
    expect(phases.flatMap((legs) => bounds({ legs: [...legs] }))).toEqual([
      ['rule1-convert-BTC', '1', '50000'],
      ['rule1-withdraw-USDC', '100', undefined],
    ])
  })
})

describe('guards in values', () => {
  const weights = { BTC: '0.5', USD: '0.5' }
  const rebalanced = (limits: object) => {
    const changed = { limits: { assets: new Map(), contacts: new Map(), ...limits } }
    const world = { held: { BTC: '200', USD: '1000' }, rates: { 'BTC-USD': ['90', '110'] as const }, changed }
    const policy = policyOf<RebalancePolicy>({ kind: 'rebalance', weights })
    return planRebalance('mix', policy, snapshotOf(world)).plan.legs.map(({ request }) => request.amount)
  }

  test.each<[string, object]>([
    ['one movement', { largestValue: dec('9000') }],
    ['a day', { leftTodayValue: dec('9000') }],
  ])('of %s count the asset spent by the dearer side, as they do directly before the send', (_what, limits) => {
    // By the middle, 90 BTC would be 9000 USD, and by the dearer side 9900. Until the send prices may move by 0.5 %.
    expect(rebalanced(limits)).toEqual(['81.41'])
  })

  test.each<[string, object]>([
    ['may move', { largestValue: dec('0') }],
    ['is left of the day', { leftTodayValue: dec('0') }],
  ])('with nothing %s let nothing through', (_what, limits) => {
    expect(rebalanced(limits)).toEqual([])
  })
})

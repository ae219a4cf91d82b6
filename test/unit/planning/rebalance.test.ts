// A rebalance trades exactly what brings each asset to its target, within its bounds.
import { describe, expect, test } from 'vitest'
import type { Plan } from '../../../core/contract/plan.ts'
import { plan as planShape } from '../../../core/contract/plan.ts'
import type { RebalancePolicy } from '../../../core/contract/policies.ts'
import { planRebalance } from '../../../core/policies/rebalance/planner.ts'
import { legsOf } from './carry-out.ts'
import { assetOf, d, marketOf, policyOf, type SmallWorld, snapshotOf } from './small-world.ts'

const HALVES = { weights: { BTC: '0.5', USD: '0.5' } }
/** 6,000 of 10,000 USD are BTC; no spread. */
const TILTED: SmallWorld = { held: { BTC: '60', USD: '4000' }, rates: { 'BTC-USD': ['100', '100'] } }

function planOf(policy: Readonly<Record<string, unknown>>, world: SmallWorld): Plan {
  return planRebalance('mix', policyOf<RebalancePolicy>({ kind: 'rebalance', ...policy }), snapshotOf(world)).plan
}

const shortOf = (plan: Plan) =>
  legsOf(plan).map(({ key, phase, request }) => [key, phase, request.amount, request.amountAsset])
const codeOf = (plan: Plan, asset: string) => plan.nonLegs.find((one) => one.asset === asset)?.code

describe('targets and bands', () => {
  test('an asset outside its band is sold down to its target', () => {
    const plan = planOf(HALVES, TILTED)
    expect(shortOf(plan)).toEqual([['sell-BTC-USD', 1, '10', 'BTC']])
    expect(plan.turnover).toBe('1000')
    expect(plan.positions[0]).toMatchObject({
      asset: 'BTC',
      value: '6000',
      weight: '0.6',
      targetValue: '5000',
      drift: '1000',
      afterHolding: '50',
      afterWeight: '0.5',
    })
    expect(planShape.safeParse(plan).success).toBe(true)
  })

  test.each([
    ['absolute', 1000, 'within_band'],
    ['absolute', 999, undefined],
    ['relative', 2000, 'within_band'],
    ['relative', 1999, undefined],
  ])('a drift of 1000 in 10000, 5000 wanted, and an %s band of %i bps: %s', (of, bps, code) => {
    const plan = planOf({ ...HALVES, band: { of, bps } }, TILTED)
    expect(codeOf(plan, 'BTC')).toBe(code)
    expect(plan.legs.length).toBe(code === undefined ? 1 : 0)
  })

  test('the cost of a purchase is counted: the asset is at its target share of the rest', () => {
    const plan = planOf(HALVES, {
      held: { USD: '10000' },
      rates: { 'BTC-USD': ['99', '101'] },
      assets: [assetOf('BTC', '0.00000001')],
    })
    // x at 101 for y: x/101*100 = 10000 - x, so that x = 10000*101/201.
    expect(shortOf(plan)).toEqual([['buy-BTC-USD', 1, '5024.87', 'USD']])
    expect(plan.positions.map(({ afterWeight }) => afterWeight)).toEqual(['0.499999', '0.5'])
  })

  test('amounts are values, and the first hub takes the rest', () => {
    const plan = planOf({ amounts: { BTC: '5000' } }, TILTED)
    expect(shortOf(plan)).toEqual([['sell-BTC-USD', 1, '10', 'BTC']])
    expect(codeOf(plan, 'USD')).toBeUndefined()
    expect(shortOf(planOf({ amounts: { BTC: '7000' } }, TILTED))).toEqual([['buy-BTC-USD', 1, '1000', 'USD']])
  })

  test.each([
    ['0.01', '0.000001'],
    ['0.0099', '0'],
    ['12345', '1.2345'],
    ['9999999999999.98', '999999999.999998'],
    ['10000000000001.23', '1000000000.000123'],
    ['123456789012345678901234567890', '12345678901234567890123456.789'],
  ])('a target of %s is a share of %s of 10,000: six digits, cut off, none lost', (amount, share) => {
    expect(planOf({ amounts: { BTC: amount } }, TILTED).positions[0]?.targetWeight).toBe(share)
  })

  test('a hub outside the policy passes the proceeds on, and its own holding is left alone', () => {
    const plan = planOf(
      { weights: { BTC: '0.5', ETH: '0.5' } },
      { held: { BTC: '60', ETH: '400', USD: '777' }, rates: { 'BTC-USD': ['100', '100'], 'ETH-USD': ['10', '10'] } },
    )
    expect(shortOf(plan)).toEqual([
      ['sell-BTC-USD', 1, '10', 'BTC'],
      ['buy-ETH-USD', 2, '1000', 'USD'],
    ])
    expect(plan.totalValue).toBe('10000')
  })

  test('the direct market is taken before a hub, in one phase', () => {
    const plan = planOf(
      { weights: { BTC: '0.5', ETH: '0.5' } },
      {
        held: { BTC: '60', ETH: '400' },
        rates: { 'BTC-USD': ['100', '100'], 'ETH-USD': ['10', '10'], 'ETH-BTC': ['0.1', '0.1'] },
      },
    )
    expect(shortOf(plan)).toEqual([['buy-ETH-BTC', 1, '10', 'BTC']])
  })

  test('a sale is split over the hubs that purchases need', () => {
    const plan = planOf(
      { hubs: ['USD', 'EUR'], weights: { BTC: '0.5', ETH: '0.25', SOL: '0.25' } },
      {
        held: { BTC: '100' },
        rates: {
          'BTC-USD': ['100', '100'],
          'BTC-EUR': ['50', '50'],
          'ETH-USD': ['10', '10'],
          'SOL-EUR': ['5', '5'],
          'EUR-USD': ['2', '2'],
        },
      },
    )
    expect(shortOf(plan)).toEqual([
      ['sell-BTC-USD', 1, '25', 'BTC'],
      ['sell-BTC-EUR', 1, '25', 'BTC'],
      ['buy-ETH-USD', 2, '2500', 'USD'],
      ['buy-SOL-EUR', 2, '1250', 'EUR'],
    ])
  })

  test('a market quoted in the other direction is used with the held asset', () => {
    const plan = planOf(HALVES, { held: { BTC: '60', USD: '4000' }, rates: { 'USD-BTC': ['0.01', '0.01'] } })
    expect(shortOf(plan)).toEqual([['buy-USD-BTC', 1, '10', 'BTC']])
    expect(legsOf(plan)[0]?.brings).toEqual({ asset: 'USD', amount: '1000' })
  })

  test('an incoming amount is neither lost nor bought again', () => {
    const plan = planOf(HALVES, { held: { BTC: ['40', '50'], USD: '5000' }, rates: { 'BTC-USD': ['100', '100'] } })
    expect(plan.legs).toEqual([])
    expect(plan.totalValue).toBe('10000')
  })
})

describe('assets that are not traded, and why', () => {
  test('a drift smaller than the distance between the two sides stays', () => {
    // 4% of its target; the sides are 100 and 106, 5.8% apart.
    const world: SmallWorld = { held: { BTC: '52', USD: '4951.67' }, rates: { 'BTC-USD': ['97', '103'] } }
    const plan = planOf({ ...HALVES, band: { bps: 10 } }, world)
    expect(codeOf(plan, 'BTC')).toBe('costs_more_than_drift')
    expect(
      codeOf(planOf({ ...HALVES, band: { bps: 10 } }, { ...world, rates: { 'BTC-USD': ['99.9', '100.1'] } }), 'BTC'),
    ).toBeUndefined()
  })

  test.each([
    ['less than the smallest trade', { smallestTrade: '1000.01' }, TILTED, 'below_smallest'],
    ['less than its market takes', {}, { ...TILTED, markets: [marketOf('BTC-USD', '11', '1')] }, 'below_minimum'],
    ['of an asset in doubt', {}, { ...TILTED, inDoubt: { BTC: 'intent-1' } }, 'in_doubt'],
    ['without a price', {}, { ...TILTED, rates: { 'BTC-USD': undefined } }, 'no_price'],
    ['that is to stay', { reserve: { BTC: '60' } }, TILTED, 'reserved'],
    [
      'that cannot be spent now',
      {},
      { ...TILTED, held: { BTC: ['0', '60'] as const, USD: '4000' } },
      'nothing_spendable',
    ],
    [
      'while the policy rests',
      { coolDownSeconds: 60 },
      { ...TILTED, changed: { lastTradedAtMs: Date.UTC(2026, 0, 5, 8, 59, 1) } },
      'cooling_down',
    ],
    [
      'of a policy without turnover left',
      { turnover: { day: '500' } },
      { ...TILTED, changed: { turnoverToday: d('500') } },
      'turnover_spent',
    ],
  ] satisfies [string, object, SmallWorld, string][])('nothing is sold %s', (_why, policy, world, code) => {
    const plan = planOf({ ...HALVES, ...policy }, world)
    expect(plan.legs).toEqual([])
    expect(codeOf(plan, 'BTC')).toBe(code)
  })

  test('a trade of exactly the smallest value is made', () => {
    const [leg] = legsOf(planOf(HALVES, TILTED))
    expect(legsOf(planOf({ ...HALVES, smallestTrade: leg?.value ?? '' }, TILTED))).toEqual([leg])
  })

  test('a trade of exactly what its market takes is made', () => {
    const [leg] = legsOf(planOf(HALVES, TILTED))
    const market = marketOf('BTC-USD', leg?.request.amount ?? '', leg?.brings.amount ?? '')
    expect(legsOf(planOf(HALVES, { ...TILTED, markets: [market] }))).toEqual([leg])
  })

  test('an asset of the policy that can be converted into nothing is reported so', () => {
    const plan = planOf(
      { weights: { BTC: '0.5', XYZ: '0.5' } },
      { held: { BTC: '60' }, rates: { 'BTC-USD': ['100', '100'] }, assets: [assetOf('XYZ')] },
    )
    expect(codeOf(plan, 'XYZ')).toBe('no_price')
    expect(codeOf(plan, 'BTC')).toBe('no_counterpart')
  })

  test('without turnover left, missing prices that nobody requested are no reason', () => {
    const world: SmallWorld = {
      held: { BTC: '60', USD: '3000', EURC: '1000' },
      rates: {
        'BTC-USD': ['100', '100'],
        'BTC-USDC': undefined,
        'EURC-USDC': ['1', '1'],
        'USDC-USD': ['1', '1'],
      },
    }
    const policy = { weights: { BTC: '0.5', USD: '0.2', EURC: '0.3' }, hubs: ['USDC'] }
    expect(codeOf(planOf(policy, world), 'BTC')).toBe('no_price')
    const bounded = { ...policy, turnover: { day: '500' } }
    const spent = { ...world, changed: { turnoverToday: d('499.99') } }
    expect(codeOf(planOf(bounded, spent), 'BTC')).toBe('turnover_spent')
  })

  test('a holding without a price keeps every target unknown', () => {
    const plan = planOf(
      { weights: { BTC: '0.4', USD: '0.4', XYZ: '0.2' } },
      { held: { BTC: '60', USD: '4000', XYZ: '1' }, rates: { 'BTC-USD': ['100', '100'] } },
    )
    expect(plan.legs).toEqual([])
    expect(plan.nonLegs.map(({ code }) => code)).toEqual(['no_price', 'no_price', 'no_price'])
  })
})

test('a remainder below a coarse increment is left', () => {
  const world: SmallWorld = { ...TILTED, assets: [assetOf('BTC', '4')] }
  const plan = planOf(HALVES, world)
  expect(shortOf(plan)).toEqual([['sell-BTC-USD', 1, '8', 'BTC']])
  const after = planOf(HALVES, { ...world, held: { BTC: '52', USD: '4800' } })
  expect(after.legs).toEqual([])
  expect(codeOf(after, 'BTC')).toBe('no_counterpart')
})

describe('bounds', () => {
  test.each([
    ['a largest trade', { largestTrade: '300' }, {}, '3', 'cut_short'],
    ['a turnover of a run', { turnover: { run: '400' } }, {}, '4', 'turnover_spent'],
    ['a largest value', {}, { largestValue: d('502.5') }, '5', 'guard'],
    ['the rest of a day', {}, { leftTodayValue: d('603') }, '6', 'guard'],
    ['a largest amount', {}, { assets: new Map([['BTC', { largest: d('2') }]]) }, '2', 'guard'],
    ['an amount left of a day', {}, { assets: new Map([['BTC', { leftToday: d('1') }]]) }, '1', 'guard'],
  ])('%s cuts a sale, and the plan says so', (_what, policy, limits, amount, code) => {
    const none = { assets: new Map(), contacts: new Map(), outflow: new Map() }
    const plan = planOf({ ...HALVES, ...policy }, { ...TILTED, changed: { limits: { ...none, ...limits } } })
    expect(shortOf(plan)).toEqual([['sell-BTC-USD', 1, amount, 'BTC']])
    expect(codeOf(plan, 'BTC')).toBe(code)
    expect(plan.guards.some(({ leg }) => leg === 'sell-BTC-USD')).toBe(code === 'guard')
  })

  test('no leg exceeds the largest priced size', () => {
    const plan = planOf(HALVES, { ...TILTED, assets: [assetOf('BTC', '0.01', '7')] })
    expect(shortOf(plan)).toEqual([['sell-BTC-USD', 1, '7', 'BTC']])
    expect(codeOf(plan, 'BTC')).toBe('cut_short')
  })

  test('a forbidden market is not used, and a slippage bound goes into every request', () => {
    const limits = { assets: new Map(), contacts: new Map(), outflow: new Map() }
    const forbidden = planOf(HALVES, {
      ...TILTED,
      changed: { limits: { ...limits, allowedMarkets: new Set(['ETH-USD']) } },
    })
    expect(forbidden.legs).toEqual([])
    expect(codeOf(forbidden, 'BTC')).toBe('guard')
    const bounded = planOf(HALVES, { ...TILTED, changed: { limits: { ...limits, worstSlippageBps: 30 } } })
    expect(legsOf(bounded)[0]?.request.maxSlippageBps).toBe(30)
  })
})

test('without prices, both sides of each relevant market are requested at the minimum, then at the sizes of the legs', () => {
  const policy = policyOf<RebalancePolicy>({ kind: 'rebalance', ...HALVES })
  const world: SmallWorld = { ...TILTED, rates: { 'BTC-USD': undefined, 'ETH-USD': undefined } }
  const first = planRebalance('mix', policy, snapshotOf(world))
  expect(first.required).toEqual([
    { marketId: 'BTC-USD', side: 'BUY' },
    { marketId: 'BTC-USD', side: 'SELL' },
  ])
  const second = planRebalance('mix', policy, snapshotOf(TILTED))
  expect(second.required).toEqual([
    { marketId: 'BTC-USD', side: 'BUY', amount: '10', amountAsset: 'BTC' },
    { marketId: 'BTC-USD', side: 'SELL', amount: '10', amountAsset: 'BTC' },
  ])
})

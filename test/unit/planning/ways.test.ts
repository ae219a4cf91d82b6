// How the path of one trade is chosen, in worlds small enough for calculation by hand.
import { expect, test } from 'vitest'
import { plan as planShape } from '../../../core/contract/plan.ts'
import type { RebalancePolicy } from '../../../core/contract/policies.ts'
import type { PriceObservation, RequiredPrice } from '../../../core/planning/market/snapshot.ts'
import { planRebalance } from '../../../core/policies/rebalance/planner.ts'
import { legsOf } from './carry-out.ts'
import { d, marketOf, policyOf, pricesOf, type SmallWorld, snapshotOf } from './small-world.ts'

/** All is BTC, and half of it should be ETH. BTC is worth 100 USD, ETH 10. */
const HALVES = { weights: { BTC: '0.5', ETH: '0.5' } }
const OWN = 'ETH-BTC'

const BY_HUBS = {
  'BTC-USD': ['99.9', '100.1'],
  'ETH-USD': ['9.99', '10.01'],
  'BTC-USDC': ['99.95', '100.05'],
  'ETH-USDC': ['9.995', '10.005'],
  'USDC-USD': ['1', '1'],
} as const

function planOf(world: Omit<SmallWorld, 'held'>, hubs: readonly string[] = ['USD', 'USDC']) {
  const policy = policyOf<RebalancePolicy>({ kind: 'rebalance', ...HALVES, hubs })
  const planned = planRebalance('mix', policy, snapshotOf({ held: { BTC: '100' }, ...world }))
  expect(planShape.safeParse(planned.plan).success).toBe(true)
  return planned
}

const marketsOf = ({ plan }: ReturnType<typeof planOf>) => legsOf(plan).map(({ market }) => market)
/** Markets and cost of each path of the only trade. The chosen path comes first. */
const waysOf = ({ plan }: ReturnType<typeof planOf>) =>
  plan.trades?.flatMap(({ way, others }) =>
    [way, ...others].map(({ markets, cost, code }) => [markets.join(' '), code ?? Math.round(Number(cost))]),
  )

test('the market of two assets is taken if it costs less than each hub', () => {
  const planned = planOf({ rates: { ...BY_HUBS, [OWN]: ['0.09997', '0.10003'] } })
  expect(marketsOf(planned)).toEqual([OWN])
  expect(waysOf(planned)).toEqual([
    [OWN, 1],
    ['BTC-USDC ETH-USDC', 5],
    ['BTC-USD ETH-USD', 10],
  ])
})

test('a hub is taken if it costs less than the market of two assets and than the preceding hub', () => {
  const planned = planOf({ rates: { ...BY_HUBS, [OWN]: ['0.099', '0.101'] } })
  expect(marketsOf(planned)).toEqual(['BTC-USDC', 'ETH-USDC'])
  expect(waysOf(planned)?.[0]).toEqual(['BTC-USDC ETH-USDC', 5])
})

test('the cheaper of two markets between the same assets is taken', () => {
  const planned = planOf({ rates: { ...BY_HUBS, [OWN]: ['0.0999', '0.1001'], 'BTC-ETH': ['9.999', '10.001'] } })
  expect(marketsOf(planned)).toEqual(['BTC-ETH'])
  expect(waysOf(planned)?.slice(0, 2)).toEqual([
    ['BTC-ETH', 1],
    [OWN, 5],
  ])
})

test('paths are compared at the size of the trade, and not at the smallest', () => {
  const rates = { ...BY_HUBS, [OWN]: ['0.1', '0.1'] } as const
  const small = snapshotOf({ held: { BTC: '100' }, rates }).prices
  const prices = [...small, ...pricesOf(OWN, '0.09', '0.11', '500')]
  expect(marketsOf(planOf({ rates }))).toEqual([OWN])
  expect(marketsOf(planOf({ rates, changed: { prices } }))).toEqual(['BTC-USDC', 'ETH-USDC'])
})

test('a path with a dear conversion is dear', () => {
  const rates = {
    ...BY_HUBS,
    'BTC-USD': ['100', '100'],
    'ETH-USD': ['9', '11'],
    'BTC-USDC': ['99.5', '100.5'],
  } as const
  expect(marketsOf(planOf({ rates }))).toEqual(['BTC-USDC', 'ETH-USDC'])
})

test('a path that the guards forbid, or that has no market, is named with that reason', () => {
  const allowedMarkets = new Set(['BTC-USD', 'ETH-USD'])
  const limits = { assets: new Map(), contacts: new Map(), allowedMarkets }
  const planned = planOf({ rates: BY_HUBS, changed: { limits } })
  expect(waysOf(planned)).toEqual([
    ['BTC-USD ETH-USD', 10],
    ['', 'no_market'],
    ['', 'guard'],
  ])
  expect(planned.plan.trades?.[0]?.others.map(({ reason }) => reason)).toEqual([
    'no market of BTC and ETH',
    'the guards do not allow the market of BTC and USDC',
  ])
})

test('a cheaper path whose minimum exceeds the trade is named with its minimum', () => {
  const markets = [marketOf(OWN, '1000', '1')]
  const planned = planOf({ rates: { ...BY_HUBS, [OWN]: ['0.1', '0.1'] }, markets })
  expect(marketsOf(planned)).toEqual(['BTC-USDC', 'ETH-USDC'])
  expect(waysOf(planned)?.[1]).toEqual([OWN, 'below_minimum'])
})

test('an amount over the bound of one path goes by the next', () => {
  const limits = { contacts: new Map(), assets: new Map([['USDC', { leftToday: d('2000') }]]) }
  const planned = planOf({ rates: BY_HUBS, changed: { limits } })
  expect(legsOf(planned.plan).map(({ market, phase }) => [phase, market])).toEqual([
    [1, 'BTC-USDC'],
    [1, 'BTC-USD'],
    [2, 'ETH-USDC'],
    [2, 'ETH-USD'],
  ])
  expect(planned.plan.nonLegs).toEqual([])
})

test('prices are requested at the size of the trade by all its paths, on the side that it takes, and in no other market', () => {
  const level = { 'BTC-USD': ['100', '100'], 'ETH-USD': ['10', '10'], 'USDC-USD': ['1', '1'] } as const
  const others = {
    'BTC-USDC': undefined,
    'ETH-USDC': undefined,
    [OWN]: undefined,
    'SOL-USD': undefined,
    'SOL-BTC': undefined,
  }
  const { required } = planOf({ rates: { ...level, ...others } })
  const sized = required.map(({ marketId, side, amount }) => `${side} ${marketId} ${amount}`)
  expect(sized).toEqual([
    // The chosen path so far is the only one with known prices. Its spread is shown, too.
    'BUY BTC-USD 50',
    'SELL BTC-USD 50',
    'SELL BTC-USDC 50',
    'BUY ETH-BTC 50',
    'BUY ETH-USD 5000',
    'SELL ETH-USD 5000',
    'BUY ETH-USDC 5000',
  ])
})

test('if a market gives no price for the size, half is sold, and another path takes the rest', () => {
  const missingPrices: RequiredPrice[] = [{ marketId: 'BTC-USDC', side: 'SELL', amount: '40', amountAsset: 'BTC' }]
  const planned = planOf({ rates: BY_HUBS, changed: { missingPrices: missingPrices } })
  expect(
    legsOf(planned.plan)
      .map(({ market, gives }) => [market, gives.amount])
      .slice(0, 2),
  ).toEqual([
    ['BTC-USDC', '20'],
    ['BTC-USD', expect.stringMatching(/^(29|30)\./)],
  ])
})

test('if the first hub has no price at all, the next hub is used', () => {
  const markets = {
    'BTC-USD': undefined,
    'BTC-USDC': ['100', '100'],
    'ETH-USD': ['10', '10'],
    'USDC-USD': ['1', '1'],
  } as const
  const prices: PriceObservation[] = []
  const missingPrices: RequiredPrice[] = [{ marketId: 'BTC-USD', side: 'BUY' }]
  const { required } = planOf({ rates: markets, changed: { prices, missingPrices: missingPrices } })
  expect(required.map(({ marketId }) => marketId)).toContain('BTC-USDC')
  expect(required.map(({ marketId }) => marketId)).not.toContain('BTC-USD')
})

// After its sales a rebalance plans its purchases from what they brought, and no other balance.
import { expect, test } from 'vitest'
import type { Plan } from '../../../core/contract/plan.ts'
import type { FundPolicy, RebalancePolicy } from '../../../core/contract/policies.ts'
import type { SettledLeg } from '../../../core/contract/runs.ts'
import { planFund } from '../../../core/policies/fund/planner.ts'
import { replanPolicy } from '../../../core/policies/planners.ts'
import { planRebalance } from '../../../core/policies/rebalance/planner.ts'
import { legsOf } from './carry-out.ts'
import { d, policyOf, type SmallWorld, snapshotOf } from './small-world.ts'

const RATES = { 'BTC-USD': ['100', '100'], 'ETH-USD': ['10', '10'], 'SOL-USD': ['1', '1'] } as const
const BEFORE: SmallWorld = { held: { BTC: '100', USD: '777' }, rates: RATES }
const MIX = policyOf<RebalancePolicy>({ kind: 'rebalance', weights: { BTC: '0.5', ETH: '0.3', SOL: '0.2' } })
/** Sells 50 BTC for 5000 USD, and buys ETH for 3000 and SOL for 2000. */
const PLAN = planRebalance('mix', MIX, snapshotOf(BEFORE)).plan

function settle(plan: Plan, brought: string | undefined): SettledLeg[] {
  return legsOf(plan)
    .filter(({ phase }) => phase === 1)
    .map((leg) => ({
      leg,
      intentId: 'intent-1',
      outcome: brought === undefined ? 'REJECTED' : 'FILLED',
      ...(brought !== undefined && {
        conversion: { outcome: 'FILLED', intentId: 'intent-1', side: 'SELL', baseAmount: '50', quoteAmount: brought },
      }),
    }))
}

function again(brought: string | undefined, usd: string, more: Partial<SmallWorld> = {}, policy = MIX) {
  const snapshot = snapshotOf({ held: { BTC: '50', USD: usd }, rates: RATES, ...more })
  const { legs, nonLegs, guards } = replanPolicy({
    plan: PLAN,
    phase: 2,
    snapshot,
    settled: settle(PLAN, brought),
    policy,
  })
  return { amounts: legs.map((leg) => leg.request.amount), codes: nonLegs.map(({ code }) => code), guards, legs }
}

test('a sale with the planned proceeds is passed on as planned', () => {
  const { amounts, codes, legs } = again('5000', '5777')
  expect(amounts).toEqual(['3000', '2000'])
  expect(codes).toEqual([])
  expect(legs.map(({ key, phase }) => [key, phase])).toEqual([
    ['buy-ETH-USD', 2],
    ['buy-SOL-USD', 2],
  ])
})

test('smaller proceeds are shared out, and other balances stay untouched', () => {
  expect(again('4500.01', '5277.01').amounts).toEqual(['2700', '1800'])
})

test('larger proceeds are passed on, unless the policy bounds its turnover', () => {
  expect(again('5100', '5877').amounts).toEqual(['3060', '2040'])
  const bounded = { ...MIX, turnover: { run: '10000' } }
  expect(again('5100', '5877', {}, bounded).amounts).toEqual(['3060', '1940'])
})

test('a sale that moved nothing passes nothing on, though the hub has its own balance', () => {
  const { amounts, codes } = again(undefined, '777')
  expect(amounts).toEqual([])
  expect(codes).toEqual(['below_minimum', 'below_minimum'])
})

test('nothing beyond the balance is spent, whatever a sale reports', () => {
  expect(again('5000', '1000').amounts).toEqual(['600', '400'])
})

test('nothing moves on from a hub in doubt, or into an asset in doubt', () => {
  expect(again('5000', '5777', { inDoubt: { USD: 'intent-9' } }).codes).toEqual(['in_doubt', 'in_doubt'])
  const { amounts, codes } = again('5000', '5777', { held: { USD: '5777', ETH: '0' }, inDoubt: { ETH: 'intent-9' } })
  expect(amounts).toEqual(['2000'])
  expect(codes).toEqual(['in_doubt'])
})

test('present guards cut amounts that earlier guards let through', () => {
  const limits = { assets: new Map([['USD', { leftToday: d('3500') }]]), contacts: new Map(), outflow: new Map() }
  const { amounts, codes, guards } = again('5000', '5777', { changed: { limits } })
  expect(amounts).toEqual(['3000', '500'])
  expect(codes).toEqual(['guard'])
  expect(guards).toEqual([expect.objectContaining({ guard: 'assets.USD.daily', leg: 'buy-SOL-USD' })])
})

test('a market that has no price at the moment is still bought from', () => {
  expect(again('5000', '5777', { rates: { ...RATES, 'ETH-USD': undefined } }).amounts).toEqual(['3000', '2000'])
})

test('funding through a hub buys no more than was planned', () => {
  const fund = policyOf<FundPolicy>({ kind: 'fund', asset: 'ETH', atLeast: '100', from: [{ asset: 'BTC' }] })
  const world: SmallWorld = { held: { BTC: '100' }, rates: { 'BTC-USD': ['100', '100'], 'ETH-USD': ['10', '10'] } }
  const { plan } = planFund('fund', fund, snapshotOf(world))
  const [sale, purchase] = legsOf(plan)
  expect([sale?.request.side, purchase?.phase]).toEqual(['SELL', 2])
  const settled = settle(plan, '2000')
  const { legs } = replanPolicy({
    plan,
    phase: 2,
    snapshot: snapshotOf({ ...world, held: { USD: '2000' } }),
    settled,
    policy: fund,
  })
  expect(legs.map(({ request }) => ('amount' in request ? request.amount : ''))).toEqual([purchase?.request.amount])
})

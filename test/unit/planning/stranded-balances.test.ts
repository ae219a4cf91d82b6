// Tests balances that earlier runs left in a hub outside the policy's assets, calculated by hand.
import { describe, expect, test } from 'vitest'
import type { Plan } from '../../../core/contract/plan.ts'
import type { ConvertOnArrivalPolicy, FundPolicy, RebalancePolicy } from '../../../core/contract/policies.ts'
import { planConvertOnArrival } from '../../../core/policies/convert-on-arrival/planner.ts'
import { planFund } from '../../../core/policies/fund/planner.ts'
import { passingHubsOf } from '../../../core/policies/kinds.ts'
import { replanPolicy } from '../../../core/policies/planners.ts'
import { planRebalance } from '../../../core/policies/rebalance/planner.ts'
import { legsOf } from './carry-out.ts'
import { d, policyOf, type SmallWorld, snapshotOf } from './small-world.ts'

const abandonedByItself = (units: Readonly<Record<string, string>>) => ({
  stranded: new Map(Object.entries(units).map(([hub, amount]) => [hub, d(amount)])),
})
const shortOf = (plan: Plan) => legsOf(plan).map(({ key, phase, gives }) => [key, phase, gives.amount])
const codeOf = (plan: Plan, asset: string) => plan.nonLegs.find((one) => one.asset === asset)?.code

describe('a rebalance', () => {
  const HALVES = { weights: { BTC: '0.5', ETH: '0.5' } }
  const RATES = { 'BTC-USD': ['100', '100'], 'ETH-USD': ['10', '10'] } as const
  /** 5000 BTC, 4000 ETH, and 777 foreign USD beside the given balance. */
  const STRANDED: SmallWorld = { held: { BTC: '50', ETH: '400', USD: '1777' }, rates: RATES }

  function planOf(world: SmallWorld, balance: string, policy: Readonly<Record<string, unknown>> = HALVES): Plan {
    const snapshot = snapshotOf({ ...world, changed: abandonedByItself({ USD: balance }) })
    return planRebalance('mix', policyOf<RebalancePolicy>({ kind: 'rebalance', ...policy }), snapshot).plan
  }

  test('buys with the rest of a failed purchase in its hub, and with nothing else in it', () => {
    const plan = planOf(STRANDED, '1000')
    expect(shortOf(plan)).toEqual([['buy-ETH-USD', 1, '1000']])
    expect(plan.totalValue).toBe('10000')
    expect(plan.positions.find(({ asset }) => asset === 'USD')).toMatchObject({
      holding: '1000',
      spendable: '1000',
      targetValue: '0',
      afterHolding: '0',
    })
    expect(legsOf(plan)[0]?.reason).toMatch(/^earlier runs left 1000 USD on its way; ETH is /)
  })

  test('takes no more than is still there, and nothing that its reserve keeps', () => {
    const plan = planOf({ ...STRANDED, held: { BTC: '50', ETH: '400', USD: '300' } }, '1000')
    expect(shortOf(plan)).toEqual([
      ['sell-BTC-USD', 1, '3.5'],
      ['buy-ETH-USD', 2, '650'],
    ])
    const reserved = planOf(STRANDED, '1000', { ...HALVES, reserve: { USD: '1277' } })
    expect(shortOf(reserved)).toEqual([
      ['sell-BTC-USD', 1, '2.5'],
      ['buy-ETH-USD', 2, '750'],
    ])
  })

  test('moves it on even if nothing is outside its band', () => {
    const world = { ...STRANDED, held: { BTC: '50', ETH: '498', USD: '20' } }
    expect(shortOf(planOf(world, '20'))).toEqual([['buy-ETH-USD', 1, '20']])
    expect(shortOf(planOf(world, '0'))).toEqual([])
  })

  test('leaves less than its smallest trade until there is more', () => {
    const plan = planOf({ ...STRANDED, held: { BTC: '50', ETH: '495', USD: '1000' } }, '9.99')
    expect(plan.legs).toEqual([])
    expect(plan.positions.map(({ asset }) => asset)).toEqual(['BTC', 'ETH'])
  })

  test('adds it to the amount that passes through the hub, and the second phase spends both', () => {
    const world = { ...STRANDED, held: { BTC: '60', ETH: '300', USD: '1777' } }
    const plan = planOf(world, '1000')
    expect(shortOf(plan)).toEqual([
      ['sell-BTC-USD', 1, '10'],
      ['buy-ETH-USD', 2, '2000'],
    ])
    const now = snapshotOf({ ...world, held: { BTC: '50', ETH: '300', USD: '2777' } })
    const [sale] = plan.legs
    if (sale?.kind !== 'convert') throw new Error('the first leg is a sale')
    const conversion = { outcome: 'FILLED', intentId: 'one', side: 'SELL', quoteAmount: '1000' } as const
    const settled = [{ leg: sale, intentId: 'one', outcome: 'FILLED', conversion }]
    const { legs } = replanPolicy({
      plan,
      phase: 2,
      snapshot: now,
      settled,
      policy: policyOf({ kind: 'rebalance', ...HALVES }),
    })
    expect(legs).toMatchObject([{ key: 'buy-ETH-USD', gives: { amount: '2000' } }])
  })

  test('counts it, and leaves it, while its hub is in doubt', () => {
    const plan = planOf({ ...STRANDED, inDoubt: { USD: 'other-1' } }, '1000')
    expect(plan).toMatchObject({ totalValue: '10000', legs: [] })
    expect(codeOf(plan, 'USD')).toBe('in_doubt')
  })

  test('reports if no asset can take it', () => {
    const plan = planOf({ ...STRANDED, rates: { 'BTC-USD': ['100', '100'], 'ETH-USD': undefined } }, '1000')
    expect(plan.legs).toEqual([])
    expect(codeOf(plan, 'USD')).toBeDefined()
  })

  test('counts the whole of a hub with a weight, whatever was left there', () => {
    const plan = planOf(STRANDED, '1000', { weights: { BTC: '0.5', ETH: '0.5', USD: '0' } })
    expect(plan.positions.find(({ asset }) => asset === 'USD')).toMatchObject({ holding: '1777' })
    expect(plan.totalValue).toBe('10777')
  })
})

describe('a fund', () => {
  const POLICY = { kind: 'fund', asset: 'GBP', atLeast: '1000', from: [{ asset: 'EUR' }], hubs: ['USDC', 'USD'] }
  const WORLD: SmallWorld = {
    held: { EUR: '5000', USDC: '900', GBP: '0' },
    rates: { 'EUR-USDC': ['1', '1'], 'GBP-USDC': ['1', '1'], 'USDC-USD': ['1', '1'] },
    changed: abandonedByItself({ USDC: '400' }),
  }
  const planOf = (world: SmallWorld) => planFund('float', policyOf<FundPolicy>(POLICY), snapshotOf(world)).plan

  test('first pays with the balance that it left in a hub', () => {
    const [sale, purchase] = legsOf(planOf(WORLD))
    expect(sale).toMatchObject({ phase: 1, gives: { asset: 'EUR', amount: expect.stringMatching(/^600\./) } })
    expect(purchase).toMatchObject({ phase: 2, gives: { asset: 'USDC', amount: expect.stringMatching(/^1000\./) } })
  })

  test('counts it, and pays with the others alone, while its hub is in doubt', () => {
    const world = { ...WORLD, rates: { ...WORLD.rates, 'EUR-GBP': ['1', '1'] as const }, inDoubt: { USDC: 'other-1' } }
    const plan = planOf(world)
    expect(shortOf(plan)).toEqual([['sell-EUR-GBP', 1, expect.stringMatching(/^1000\./)]])
    expect(plan.totalValue).toBe('5400')
    expect(codeOf(plan, 'USDC')).toBe('in_doubt')
  })

  test('leaves it if there is enough', () => {
    expect(planOf({ ...WORLD, held: { ...WORLD.held, GBP: '1000' } }).legs).toEqual([])
  })
})

describe('a conversion on arrival', () => {
  const POLICY = { kind: 'convert-on-arrival', asset: 'EUR', into: 'GBP', keep: { target: '500' }, hubs: ['USDC'] }
  const WORLD: SmallWorld = {
    held: { EUR: '500', USDC: '900' },
    rates: { 'EUR-USDC': ['1', '1'], 'GBP-USDC': ['1', '1'], 'USDC-USD': ['1', '1'] },
    changed: abandonedByItself({ USDC: '400' }),
  }
  const planOf = (world: SmallWorld) =>
    planConvertOnArrival('euros', policyOf<ConvertOnArrivalPolicy>(POLICY), snapshotOf(world)).plan

  test('carries on a balance that stayed in a hub, whether or not more has arrived', () => {
    expect(shortOf(planOf(WORLD))).toEqual([['buy-GBP-USDC', 1, '400']])
    expect(shortOf(planOf({ ...WORLD, held: { EUR: '600', USDC: '900' } }))).toEqual([
      ['sell-EUR-USDC', 1, '100'],
      ['buy-GBP-USDC', 2, '500'],
    ])
  })

  test.each(['EUR', 'USDC'])('counts it, and lets it be, while %s is in doubt', (asset) => {
    const plan = planOf({ ...WORLD, inDoubt: { [asset]: 'other-1' } })
    expect(plan).toMatchObject({ totalValue: '900', legs: [] })
    expect(codeOf(plan, asset)).toBe('in_doubt')
  })

  test('reports the reason that keeps it there', () => {
    const plan = planOf({ ...WORLD, rates: { 'EUR-USDC': ['1', '1'], 'USDC-USD': ['1', '1'] } })
    expect(plan.legs).toEqual([])
    expect(plan.nonLegs.map(({ asset, code }) => [asset, code])).toContainEqual(['GBP', 'no_market'])
  })
})

describe('hubs that only pass on', () => {
  test.each([
    [{ kind: 'rebalance', weights: { BTC: '1' } }, ['USD']],
    [{ kind: 'rebalance', weights: { BTC: '1', USD: '0' } }, []],
    [{ kind: 'rebalance', weights: { BTC: '1' }, leaveAlone: ['USD'] }, []],
    [{ kind: 'rebalance', amounts: { BTC: '1' }, hubs: ['USDC', 'USD'] }, ['USD']],
    [{ kind: 'fund', asset: 'BTC', atLeast: '1', from: [{ asset: 'USD' }], hubs: ['USDC', 'USD'] }, ['USDC']],
    [{ kind: 'convert-on-arrival', asset: 'EUR', into: 'USD' }, []],
    [{ kind: 'sweep', rules: [{ assets: ['BTC'], contactId: 'cold' }] }, []],
  ])('are outside the assets of %j', (policy, hubs) => {
    expect(passingHubsOf(policyOf(policy), 'USD')).toEqual(hubs)
  })
})

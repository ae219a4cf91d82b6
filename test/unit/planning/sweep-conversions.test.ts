// Sweeps that convert first: their conversions, and the part of the proceeds that is withdrawn.
import { describe, expect, test } from 'vitest'
import type { WithdrawLeg } from '../../../core/contract/plan.ts'
import { planSweep, replanSweep } from '../../../core/policies/sweep/planner.ts'
import { amounts, codes, planOf, sweep, worldOf } from './sweep-plans.ts'
import { carryOut, dec, planned, run, snapshotOf, type World } from './sweep-world.ts'

const sweepers = { planner: planSweep, replanner: replanSweep }

describe('converted first', () => {
  const terms = { assets: ['BTC'], convertInto: 'USDC', contactId: 'stable' }

  test('by the direct market, sold or bought, and then withdrawn', () => {
    const plan = planOf(worldOf({ BTC: '1' }), terms)
    expect(plan.legs[0]).toMatchObject({
      kind: 'convert',
      key: 'rule1-convert-BTC',
      phase: 1,
      market: 'BTC-USDC',
      request: { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'BTC', amount: '1' },
      // Half of the spread is 1000 ppm and 500 for the size.
      brings: { asset: 'USDC', amount: '49925' },
      spreadCost: '75',
    })
    expect(amounts(plan)[1]).toBe('2 rule1-withdraw-USDC 49925 of 49925')
    const bought = planOf(worldOf({ USDC: '1000' }), {
      ...terms,
      assets: ['USDC'],
      convertInto: 'BTC',
      contactId: 'cold',
    })
    expect(bought.legs[0]).toMatchObject({
      market: 'BTC-USDC',
      request: { side: 'BUY', amountAsset: 'USDC', amount: '1000' },
      brings: { asset: 'BTC', amount: '0.0199' },
    })
  })

  test('by the cheaper of two markets of the same assets, and the plan gives the cost of the other', () => {
    const world = worldOf({ BTC: '1' })
    const both = { ...world, markets: { ...world.markets, 'USDC-BTC': { mid: '0.00002', half: 200, perUnit: 0 } } }
    const plan = planOf(both, terms)
    expect(plan.legs[0]).toMatchObject({
      market: 'USDC-BTC',
      request: { side: 'BUY', amountAsset: 'BTC', amount: '1' },
    })
    expect(plan.trades).toMatchObject([
      { gives: 'BTC', brings: 'USDC', way: { markets: ['USDC-BTC'] }, others: [{ markets: ['BTC-USDC'], cost: '75' }] },
    ])
    const dear = { ...world, markets: { ...world.markets, 'USDC-BTC': { mid: '0.00002', half: 9_000 } } }
    expect(planOf(dear, terms).legs[0]).toMatchObject({ market: 'BTC-USDC' })
    const forbidden = planOf({ ...both, limits: { allowedMarkets: new Set(['BTC-USDC']) } }, terms)
    expect(forbidden.trades?.[0]).toMatchObject({ way: { markets: ['BTC-USDC'] }, others: [{ code: 'guard' }] })
  })

  test('an existing balance of the other asset stays, unless all but some are swept', () => {
    const world = worldOf({ BTC: '1', USDC: '100' })
    expect(amounts(planOf(world, terms))[1]).toBe('2 rule1-withdraw-USDC 49925 of 49925')
    const all = { ...terms, assets: undefined, allBut: [], keep: { target: '0.5' } }
    expect(amounts(planOf(world, all))).toEqual([
      '1 rule1-convert-BTC 0.5',
      '2 rule1-withdraw-USDC 25068.25 of 25068.25',
    ])
  })

  test("the missing part of the other asset's floor is kept from the proceeds", () => {
    const world = worldOf({ BTC: '1', USDC: '0.1' })
    const plan = planOf(world, { ...terms, assets: undefined, allBut: [], keep: { target: '0.5' } })
    expect(plan.legs[0]).toMatchObject({ brings: { amount: '24968.75' } })
    expect(amounts(plan)[1]).toBe('2 rule1-withdraw-USDC 24968.35 of 24968.35')
  })

  test.each([
    ['the proceeds are not worth sending', { smallest: '50000' }, 'below_smallest'],
    ['their fee is too dear', { feeCeilingBps: 0 }, 'fee_too_dear'],
    ['the contact takes another asset', { contactId: 'cold' }, 'contact_mismatch'],
  ])('nothing is converted if %s', (_what, change, code) => {
    const plan = planOf(worldOf({ BTC: '1' }), { ...terms, ...change })
    expect(plan.legs).toEqual([])
    expect(codes(plan)).toEqual([`BTC ${code}`])
  })

  test.each([
    ['without a market', { assets: ['ETH'] }, {}, 'ETH no_market'],
    ['by a market that is not allowed', {}, { limits: { allowedMarkets: new Set(['BTC-USD']) } }, 'BTC guard'],
    ['below its minimum', {}, { markets: { 'BTC-USDC': { mid: '50000', minQuote: '49926' } } }, 'BTC below_minimum'],
  ])('nothing is converted %s', (_what, change, world, told) => {
    const plan = planOf(worldOf({ BTC: '1', ETH: '1' }, world as Partial<World>), { ...terms, ...change })
    expect(plan.legs).toEqual([])
    expect(codes(plan)).toEqual([told])
  })

  test('no more than the service quotes, and no more than guards allow', () => {
    const capped = worldOf(
      { BTC: '1' },
      { assets: { BTC: { increment: '0.0001', maxIndicative: '0.25' }, USDC: {}, USD: {} } },
    )
    expect(amounts(planOf(capped, terms))[0]).toBe('1 rule1-convert-BTC 0.25')
    expect(codes(planOf(capped, terms))).toEqual(['BTC cut_short'])

    const bound = worldOf({ BTC: '1' }, { limits: { outflow: new Map([['USDC', dec('10000')]]) } })
    const [, withdrawal] = planOf(bound, terms).legs as [unknown, WithdrawLeg]
    expect(Number(withdrawal.total)).toBeGreaterThan(9_990)
    expect(Number(withdrawal.total)).toBeLessThanOrEqual(10_000)
  })

  test('conversion and withdrawal share the value of a day', () => {
    const plan = planOf(worldOf({ BTC: '1' }, { limits: { leftTodayValue: dec('50000') } }), terms)
    // Prices may move by half a percent until the sends.
    expect(Number(plan.turnover)).toBeGreaterThan(49_650)
    expect(Number(plan.turnover)).toBeLessThanOrEqual(49_752)
  })

  test('the guards’ worst slippage goes with the request', () => {
    const plan = planOf(worldOf({ BTC: '1' }, { limits: { worstSlippageBps: 30 } }), terms)
    expect(plan.legs[0]).toMatchObject({ request: { maxSlippageBps: 30 } })
  })

  test('first prices at the minimum are requested, then at the size, then none', () => {
    const policy = sweep(terms)
    const { required } = planSweep('nightly', policy, snapshotOf(worldOf({ BTC: '1' })))
    expect(required).toEqual(
      expect.arrayContaining([
        { marketId: 'BTC-USDC', side: 'SELL' },
        { marketId: 'BTC-USDC', side: 'BUY' },
        { marketId: 'BTC-USD', side: 'BUY' },
      ]),
    )
    expect(planned(planSweep, policy, worldOf({ BTC: '1' })).isSettled).toBe(true)
  })

  describe('later phases', () => {
    const policy = sweep(terms)
    function afterConversion(change: object, outcome = 'FILLED', balance?: string) {
      const world = worldOf({ BTC: '1' })
      const { plan, prices } = planned(planSweep, policy, world)
      const [leg] = plan.legs
      if (leg === undefined) throw new Error('no legs')
      const one = carryOut(world, leg)
      if (balance !== undefined) world.balances.USDC = dec(balance)
      const settled = [{ ...one, outcome, conversion: { ...one.conversion, ...change } as never }]
      return replanSweep({ plan, phase: 2, snapshot: snapshotOf(world, prices), settled, policy })
    }

    test.each([
      ['the proceeds of the fills go', {}, '49925'],
      ['less, where they brought less', { quoteAmount: '49000' }, '49000'],
      ['more, where they brought more', { quoteAmount: '50001.37' }, '50001.37'],
      ['the part that was filled before it failed', { quoteAmount: '1234.5', outcome: 'FAILED' }, '1234.5'],
    ])('%s', (_what, change, total) => {
      expect(afterConversion(change, 'FILLED', '60000').legs).toMatchObject([{ total, phase: 2 }])
    })

    test('never more than the balance', () => {
      expect(afterConversion({}, 'FILLED', '40000').legs).toMatchObject([{ total: '40000' }])
    })

    test('nothing, if nothing was filled', () => {
      const again = afterConversion({ quoteAmount: undefined }, 'REJECTED', '60000')
      expect(again.legs).toEqual([])
      expect(again.nonLegs).toMatchObject([{ asset: 'USDC', code: 'nothing_spendable' }])
    })

    test('proceeds too small to send are left', () => {
      const again = afterConversion({ quoteAmount: '1.49' }, 'FILLED', '60000')
      expect(again.nonLegs).toMatchObject([{ code: 'below_minimum' }])
    })
  })

  test('with a canary in between it takes three phases, and all of it arrives', () => {
    const contacts = { stable: { assetSymbol: 'USDC', isProven: false } }
    const world = worldOf({ BTC: '1' }, { contacts })
    const { phases } = run(sweepers, sweep({ ...terms, canary: true }), world)
    expect(phases.map((legs) => amounts({ legs: [...legs] }))).toEqual([
      ['1 rule1-convert-BTC 1'],
      ['2 rule1-canary-USDC 1.5 of 1.5'],
      ['3 rule1-withdraw-USDC 49923.5 of 49923.5'],
    ])
    expect(world.balances).toEqual({ BTC: 0n, USDC: 0n })
  })
})

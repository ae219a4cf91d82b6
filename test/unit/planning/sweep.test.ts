// The balance above a floor leaves: how much, by which rule, and within which guards.
import { describe, expect, test } from 'vitest'
import { planSweep } from '../../../core/policies/sweep/planner.ts'
import { amounts, codes, planOf, rule, sweep, worldOf } from './sweep-plans.ts'
import { dec, parsePolicy, planned, snapshotOf, type World } from './sweep-world.ts'

describe('the balance above the floor leaves', () => {
  test.each([
    ['to nothing', {}, '1.5'],
    ['to its target', { keep: { target: '0.4' } }, '1.1'],
    ['once there is more than its trigger', { keep: { target: '0.4', trigger: '1.4999' } }, '1.1'],
    ['under add so that the fee comes on top', { keep: { target: '0.4' }, feeMode: 'add' }, '1.099'],
  ])('%s', (_what, terms, amount) => {
    const plan = planOf(worldOf({ BTC: '1.5' }), terms)
    expect(plan.legs).toMatchObject([
      {
        kind: 'withdraw',
        key: 'rule1-withdraw-BTC',
        phase: 1,
        request: { assetSymbol: 'BTC', amount, contactId: 'cold' },
        fee: '0.001',
        isCanary: false,
      },
    ])
  })

  test('cut to the increment, with value, total and the position after it', () => {
    const plan = planOf(worldOf({ BTC: '1.50007' }), { keep: { target: '0.5' } })
    expect(plan.legs).toMatchObject([{ total: '1', value: '50000' }])
    expect(plan.turnover).toBe('50000')
    expect(plan.positions).toMatchObject([{ asset: 'BTC', holding: '1.50007', afterHolding: '0.50007', weight: '1' }])
  })

  test.each([
    ['at its trigger', { keep: { target: '0.4', trigger: '1.5' } }, 'below_trigger'],
    ['below its floor', { keep: { target: '2' } }, 'below_trigger'],
    ['under the smallest that is worth it', { smallest: '1.6' }, 'below_smallest'],
    ['where minimum and fee are more', { keep: { target: '1.4971' } }, 'below_minimum'],
    ['where under add the minimum is more', { keep: { target: '1.4971' }, feeMode: 'add' }, 'below_minimum'],
    ['with a fee beyond its ceiling', { feeCeilingBps: 6 }, 'fee_too_dear'],
    ['to an unknown contact', { contactId: 'gone' }, 'contact_mismatch'],
    ['to a contact of another asset', { contactId: 'stable' }, 'contact_mismatch'],
  ])('nothing leaves %s', (_what, terms, code) => {
    const plan = planOf(worldOf({ BTC: '1.5' }), terms)
    expect(plan.legs).toEqual([])
    expect(codes(plan)).toEqual([`BTC ${code}`])
  })

  test('exactly the minimum and the fee leave under deduct', () => {
    const plan = planOf(worldOf({ BTC: '1.5' }), { keep: { target: '1.497' } })
    expect(amounts(plan)).toEqual(['1 rule1-withdraw-BTC 0.003 of 0.003'])
  })

  test('a fee within its ceiling to the last basis point goes, and the reason says from when it would', () => {
    expect(planOf(worldOf({ BTC: '1' }), { feeCeilingBps: 10 }).legs).toHaveLength(1)
    const plan = planOf(worldOf({ BTC: '0.9999' }), { feeCeilingBps: 10 })
    expect(plan.nonLegs[0]?.reason).toBe(
      'the fee of 0.001 BTC is more than 10 bps of 0.9999: it waits until the amount is 1',
    )
  })

  test.each([
    ['team', { BTC: '0.01' }],
    ['bank', { USD: '1' }],
  ])('the contact %s takes no fee and has its own minimum', (contactId, balances) => {
    const assets = Object.keys(balances)
    const plan = planOf(worldOf(balances), { assets, contactId, feeCeilingBps: 0 })
    expect(plan.legs).toMatchObject([{ fee: '0', total: Object.values(balances)[0] }])
  })

  test('amounts that are in doubt, held elsewhere or absent are left', () => {
    const plan = planOf(worldOf({ BTC: '1', ETH: '0' }, { doubts: { BTC: 'intent-7' } }), {
      assets: ['BTC', 'ETH', 'XRP'],
      contactId: 'team',
    })
    expect(plan.legs).toEqual([])
    expect(codes(plan)).toEqual(['XRP nothing_spendable', 'BTC in_doubt', 'ETH nothing_spendable'])
  })

  test('an amount that is about to leave is not counted again', () => {
    const snapshot = snapshotOf(worldOf({ BTC: '2' }))
    const position = snapshot.positions.get('BTC')
    if (!position) throw new Error('no position')
    const leaving = new Map([['BTC', { ...position, holding: dec('0.5') }]])
    const { plan } = planSweep('nightly', sweep({}), { ...snapshot, positions: leaving })
    expect(amounts(plan)).toEqual(['1 rule1-withdraw-BTC 0.5 of 0.5'])
  })
})

describe('consecutive rules', () => {
  test('the second sees the rest of the first', () => {
    const plan = planOf(
      worldOf({ BTC: '3' }),
      { keep: { target: '2' } },
      { keep: { target: '0.5' }, contactId: 'team' },
    )
    expect(amounts(plan)).toEqual(['1 rule1-withdraw-BTC 1 of 1', '1 rule2-withdraw-BTC 1.5 of 1.5'])
  })

  test('all but some takes every held asset, in any case of spelling', () => {
    const world = worldOf({ BTC: '3', ETH: '2', USDC: '7', USD: '0' })
    const plan = planOf(world, { assets: undefined, allBut: ['eth'], contactId: 'team' })
    expect(amounts(plan)).toEqual(['1 rule1-withdraw-BTC 3 of 3', '1 rule1-withdraw-USDC 7 of 7'])
  })

  test('an exception that is no asset stops its rule: it may be an asset by another name', () => {
    const plan = planOf(worldOf({ BTC: '3' }), { assets: undefined, allBut: ['BTCX'], contactId: 'team' })
    expect(plan.legs).toEqual([])
    expect(plan.nonLegs[0]?.reason).toContain('nothing is swept')
  })

  test('a run has at most 200 legs, and reports the rest', () => {
    const many = Array.from({ length: 230 }, (_, index) => `A${index}`)
    const world = worldOf(Object.fromEntries(many.map((code) => [code, '5'])), {
      assets: { USD: {}, ...Object.fromEntries(many.map((code) => [code, {}])) },
    })
    const { plan } = planned(planSweep, sweep({ assets: undefined, allBut: [], contactId: 'team' }), world)
    expect(plan.legs).toHaveLength(200)
    expect(codes(plan).filter((code) => code.endsWith('cut_short'))).toHaveLength(30)
  })
})

/** By the dearer side of the market, a tenth of a per cent above its middle. */
const FOR_ONE = '50305.275'

describe('guards', () => {
  const limited = (limits: World['limits'] & object) => worldOf({ BTC: '3' }, { limits })
  const ofBtc = (bound: object) => limited({ assets: new Map([['BTC', bound]]) })

  test.each([
    ['one movement of the asset', ofBtc({ largest: dec('1') }), 'assets.BTC.largest'],
    ['a day of the asset', ofBtc({ leftToday: dec('1') }), 'assets.BTC.daily'],
    ['a day of withdrawals', limited({ outflow: new Map([['BTC', dec('1')]]) }), 'dailyOutflow.BTC'],
    ['one movement by value', limited({ largestValue: dec(FOR_ONE) }), 'total.largest'],
    ['a day by value', limited({ leftTodayValue: dec(FOR_ONE) }), 'total.daily'],
    [
      'the contact',
      limited({ contacts: new Map([['cold', { largestValue: dec(FOR_ONE) }]]) }),
      'contacts.cold.largest',
    ],
    [
      'a day of it',
      limited({ contacts: new Map([['cold', { leftTodayValue: dec(FOR_ONE) }]]) }),
      'contacts.cold.daily',
    ],
  ])('a bound of %s makes the withdrawal smaller, and says so', (_what, world, guard) => {
    const plan = planOf(world, {})
    expect(amounts(plan)).toEqual(['1 rule1-withdraw-BTC 1 of 1'])
    expect(plan.guards).toMatchObject([{ guard, leg: 'rule1-withdraw-BTC' }])
    expect(codes(plan)).toEqual(['BTC guard'])
  })

  test("two rules share the rest of a day's allowance", () => {
    const plan = planOf(ofBtc({ leftToday: dec('1.5') }), { keep: { target: '2' } }, { contactId: 'team' })
    expect(amounts(plan)).toEqual(['1 rule1-withdraw-BTC 1 of 1', '1 rule2-withdraw-BTC 0.5 of 0.5'])
  })

  test('the amount within a guard must still be worth sending', () => {
    const plan = planOf(ofBtc({ leftToday: dec('0.0029') }), {})
    expect(plan.legs).toEqual([])
    expect(plan.nonLegs[0]).toMatchObject({ code: 'guard', reason: expect.stringContaining('assets.BTC.daily leaves') })
  })

  test('a forbidden contact gets nothing', () => {
    expect(codes(planOf(limited({ allowedContacts: new Set(['team']) }), {}))).toEqual(['BTC guard'])
  })

  test('a bound by value stops an asset that no market values; without a bound it leaves, at a value of zero', () => {
    const bounded = worldOf({ BTC: '3' }, { markets: {}, limits: { largestValue: dec('1') } })
    expect(codes(planOf(bounded, {}))).toEqual(['BTC no_price'])
    expect(planOf(worldOf({ BTC: '3' }, { markets: {} }), {}).legs).toMatchObject([{ value: '0' }])
  })

  test('an approval by value stops an asset that no market values', () => {
    const policy = parsePolicy({ kind: 'sweep', rules: [rule({})], approval: { above: '10' } })
    expect(codes(planned(planSweep, policy, worldOf({ BTC: '3' }, { markets: {} })).plan)).toEqual(['BTC no_price'])
  })
})

import { describe, expect, test } from 'vitest'
import type { PayeeFacts } from '../../../core/contract/payee.ts'
import type { Plan, WithdrawLeg } from '../../../core/contract/plan.ts'
import { plan as planSchema } from '../../../core/contract/plan.ts'
import { planSweep, replanSweep } from '../../../core/planning/sweep/sweep.ts'
import { carryOut, dec, parsePolicy, planned, run, snapshotOf, type World } from './sweep-world.ts'

const sweepers = { planner: planSweep, replanner: replanSweep }

function worldOf(balances: Record<string, string>, rest: Partial<World> = {}): World {
  return {
    assets: { BTC: { increment: '0.0001', fee: '0.001', minimum: '0.002' }, ETH: {}, USDC: {}, USD: {} },
    markets: {
      'BTC-USD': { mid: '50000' },
      'ETH-USD': { mid: '2000' },
      'BTC-USDC': { mid: '50000' },
      'USDC-USD': { mid: '1' },
    },
    contacts: {
      cold: { assetSymbol: 'BTC' },
      team: { type: 'INTERNAL', networkId: null },
      bank: { type: 'BANK_ACCOUNT', networkId: null, assetSymbol: 'USD' },
      stable: { assetSymbol: 'USDC' },
    },
    balances: Object.fromEntries(Object.entries(balances).map(([code, amount]) => [code, dec(amount)])),
    ...rest,
  }
}

const rule = (given: object) => ({ assets: ['BTC'], contactId: 'cold', ...given })
const sweep = (...rules: object[]) => parsePolicy({ kind: 'sweep', rules: rules.map(rule) })

function planOf(world: World, ...rules: object[]): Plan {
  const { plan, isSettled } = planned(planSweep, sweep(...rules), world)
  expect(isSettled).toBe(true)
  expect(planSchema.safeParse(plan).error).toBeUndefined()
  return plan
}
const amounts = ({ legs }: Pick<Plan, 'legs'>) =>
  legs.map((leg) => `${leg.phase} ${leg.key} ${leg.request.amount}${'total' in leg ? ` of ${leg.total}` : ''}`)
const codes = ({ nonLegs }: Pick<Plan, 'nonLegs'>) => nonLegs.map(({ asset, code }) => `${asset} ${code}`)

describe('what is above the floor goes', () => {
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
    ['to a contact that is not there', { contactId: 'gone' }, 'contact_mismatch'],
    ['to a contact of another asset', { contactId: 'stable' }, 'contact_mismatch'],
  ])('nothing goes %s', (_what, terms, code) => {
    const plan = planOf(worldOf({ BTC: '1.5' }), terms)
    expect(plan.legs).toEqual([])
    expect(codes(plan)).toEqual([`BTC ${code}`])
  })

  test('exactly the minimum and the fee go under deduct', () => {
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
  ])('the contact %s takes no fee and has a minimum of its own', (contactId, balances) => {
    const assets = Object.keys(balances)
    const plan = planOf(worldOf(balances), { assets, contactId, feeCeilingBps: 0 })
    expect(plan.legs).toMatchObject([{ fee: '0', total: Object.values(balances)[0] }])
  })

  test('what is in doubt, held elsewhere or not there is left', () => {
    const plan = planOf(worldOf({ BTC: '1', ETH: '0' }, { doubts: { BTC: 'intent-7' } }), {
      assets: ['BTC', 'ETH', 'XRP'],
      contactId: 'team',
    })
    expect(plan.legs).toEqual([])
    expect(codes(plan)).toEqual(['XRP nothing_spendable', 'BTC in_doubt', 'ETH nothing_spendable'])
  })

  test('what is about to leave is not counted again', () => {
    const snapshot = snapshotOf(worldOf({ BTC: '2' }))
    const position = snapshot.positions.get('BTC')
    if (!position) throw new Error('no position')
    const leaving = new Map([['BTC', { ...position, holding: dec('0.5') }]])
    const { plan } = planSweep('nightly', sweep({}), { ...snapshot, positions: leaving })
    expect(amounts(plan)).toEqual(['1 rule1-withdraw-BTC 0.5 of 0.5'])
  })
})

describe('rules one after another', () => {
  test('the second sees what the first left', () => {
    const plan = planOf(
      worldOf({ BTC: '3' }),
      { keep: { target: '2' } },
      { keep: { target: '0.5' }, contactId: 'team' },
    )
    expect(amounts(plan)).toEqual(['1 rule1-withdraw-BTC 1 of 1', '1 rule2-withdraw-BTC 1.5 of 1.5'])
  })

  test('all but some takes all that is held, in any case of spelling', () => {
    const world = worldOf({ BTC: '3', ETH: '2', USDC: '7', USD: '0' })
    const plan = planOf(world, { assets: undefined, allBut: ['eth'], contactId: 'team' })
    expect(amounts(plan)).toEqual(['1 rule1-withdraw-BTC 3 of 3', '1 rule1-withdraw-USDC 7 of 7'])
  })

  test('an exception that is no asset stops its rule: it may be one by another name', () => {
    const plan = planOf(worldOf({ BTC: '3' }), { assets: undefined, allBut: ['BTCX'], contactId: 'team' })
    expect(plan.legs).toEqual([])
    expect(plan.nonLegs[0]?.reason).toContain('nothing is swept')
  })

  test('a run has at most 200 legs, and says what it leaves', () => {
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
const FOR_ONE = '50055'

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

  test('two rules share what is left of a day', () => {
    const plan = planOf(ofBtc({ leftToday: dec('1.5') }), { keep: { target: '2' } }, { contactId: 'team' })
    expect(amounts(plan)).toEqual(['1 rule1-withdraw-BTC 1 of 1', '1 rule2-withdraw-BTC 0.5 of 0.5'])
  })

  test('what a guard leaves must still be worth sending', () => {
    const plan = planOf(ofBtc({ leftToday: dec('0.0029') }), {})
    expect(plan.legs).toEqual([])
    expect(plan.nonLegs[0]).toMatchObject({ code: 'guard', reason: expect.stringContaining('assets.BTC.daily leaves') })
  })

  test('a contact that is not allowed gets nothing', () => {
    expect(codes(planOf(limited({ allowedContacts: new Set(['team']) }), {}))).toEqual(['BTC guard'])
  })

  test('a bound by value stops what no market values; without one it goes, at a value of nothing', () => {
    const bounded = worldOf({ BTC: '3' }, { markets: {}, limits: { largestValue: dec('1') } })
    expect(codes(planOf(bounded, {}))).toEqual(['BTC no_price'])
    expect(planOf(worldOf({ BTC: '3' }, { markets: {} }), {}).legs).toMatchObject([{ value: '0' }])
  })

  test('an approval by value stops what no market values', () => {
    const policy = parsePolicy({ kind: 'sweep', rules: [rule({})], approval: { above: '10' } })
    expect(codes(planned(planSweep, policy, worldOf({ BTC: '3' }, { markets: {} })).plan)).toEqual(['BTC no_price'])
  })
})

describe('a canary', () => {
  const unproven = {
    cold: { assetSymbol: 'BTC', isProven: false },
    team: { type: 'INTERNAL', networkId: null, isProven: false },
  }
  const world = () => worldOf({ BTC: '1' }, { contacts: unproven })

  test('of the smallest amount goes ahead of the rest', () => {
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

  test('does not go where the rest would not', () => {
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

  test('is not needed to a contact that is proven, nor sent twice', () => {
    expect(planOf(worldOf({ BTC: '1' }), { canary: true }).legs).toHaveLength(1)
    const onItsWay = worldOf({ BTC: '1' }, { contacts: { cold: { isProven: false, onItsWay: 'intent-1' } } })
    expect(codes(planOf(onItsWay, { canary: true }))).toEqual(['BTC awaits_canary'])
  })

  test('lets the rest go once it has COMPLETED, less where its fee became dearer', () => {
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

  test('to a contact that was changed after it was planned keeps the rest back, also once it has COMPLETED', () => {
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

  test('that was planned again proves the contact as it was then', () => {
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

  test('that was not needed when the conversions ahead were planned is due once the contact is changed', () => {
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

  test('that was never sent keeps the rest back', () => {
    const { plan } = planned(planSweep, sweep({ canary: true }), world())
    expect(
      replanSweep({ plan, phase: 2, snapshot: snapshotOf(world()), settled: [], policy: sweep({ canary: true }) }).legs,
    ).toEqual([])
  })
})

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

  test('what was there of the other asset stays, unless all but some are swept', () => {
    const world = worldOf({ BTC: '1', USDC: '100' })
    expect(amounts(planOf(world, terms))[1]).toBe('2 rule1-withdraw-USDC 49925 of 49925')
    const all = { ...terms, assets: undefined, allBut: [], keep: { target: '0.5' } }
    expect(amounts(planOf(world, all))).toEqual([
      '1 rule1-convert-BTC 0.5',
      '2 rule1-withdraw-USDC 25068.25 of 25068.25',
    ])
  })

  test('what is missing of the floor of the other asset stays of what comes', () => {
    const world = worldOf({ BTC: '1', USDC: '0.1' })
    const plan = planOf(world, { ...terms, assets: undefined, allBut: [], keep: { target: '0.5' } })
    expect(plan.legs[0]).toMatchObject({ brings: { amount: '24968.75' } })
    expect(amounts(plan)[1]).toBe('2 rule1-withdraw-USDC 24968.35 of 24968.35')
  })

  test.each([
    ['the proceeds are not worth sending', { smallest: '50000' }, 'below_smallest'],
    ['their fee is too dear', { feeCeilingBps: 0 }, 'fee_too_dear'],
    ['the contact takes another asset', { contactId: 'cold' }, 'contact_mismatch'],
  ])('nothing is converted where %s', (_what, change, code) => {
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

  test('no more than the service quotes, and no more than guards let go on', () => {
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
    expect(Number(plan.turnover)).toBeGreaterThan(49_900)
    expect(Number(plan.turnover)).toBeLessThanOrEqual(50_000)
  })

  test('the guards’ worst slippage goes with the request', () => {
    const plan = planOf(worldOf({ BTC: '1' }, { limits: { worstSlippageBps: 30 } }), terms)
    expect(plan.legs[0]).toMatchObject({ request: { maxSlippageBps: 30 } })
  })

  test('first prices at the minimum are asked for, then at the size, then none', () => {
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

  describe('later', () => {
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
      ['what the fills brought goes', {}, '49925'],
      ['less, where they brought less', { quoteAmount: '49000' }, '49000'],
      ['more, where they brought more', { quoteAmount: '50001.37' }, '50001.37'],
      ['what was filled before it failed', { quoteAmount: '1234.5', outcome: 'FAILED' }, '1234.5'],
    ])('%s', (_what, change, total) => {
      expect(afterConversion(change, 'FILLED', '60000').legs).toMatchObject([{ total, phase: 2 }])
    })

    test('never more than is there', () => {
      expect(afterConversion({}, 'FILLED', '40000').legs).toMatchObject([{ total: '40000' }])
    })

    test('nothing, where nothing was filled', () => {
      const again = afterConversion({ quoteAmount: undefined }, 'REJECTED', '60000')
      expect(again.legs).toEqual([])
      expect(again.nonLegs).toMatchObject([{ asset: 'USDC', code: 'nothing_spendable' }])
    })

    test('what came is left where it became too little to send', () => {
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

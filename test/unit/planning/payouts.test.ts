// Payouts: which rows go, what is bought for them, and what stops them all.
import { describe, expect, test } from 'vitest'
import { MOST_LEGS_WITH_ROWS, plan as planSchema } from '../../../core/contract/plan.ts'
import type { PaymentFacts, Snapshot } from '../../../core/planning/market/snapshot.ts'
import { withRows } from '../../../core/policies/kinds.ts'
import { planPayouts, replanPayouts } from '../../../core/policies/payouts/planner.ts'
import { amounts, codes, worldOf } from './sweep-plans.ts'
import { carryOut, dec, parsePolicy, planned, snapshotOf, type World } from './sweep-world.ts'

const row = (id: string, amount: string, more: object = {}) => ({
  id,
  amount,
  contactId: 'stable',
  asset: 'USDC',
  ...more,
})
type Rows = readonly ReturnType<typeof row>[]

const policyOf = (given: object, rows: Rows) =>
  withRows(parsePolicy({ kind: 'payouts', assets: ['USDC', 'BTC'], ...given }), rows) as ReturnType<
    typeof parsePolicy<'payouts'>
  >

/** `before`: what became of rows in earlier runs; other rows are new. */
function planOf(
  world: World,
  given: object,
  rows: Rows,
  before: Record<string, Partial<PaymentFacts>> = {},
  more: Partial<Snapshot> = {},
) {
  const policy = policyOf(given, rows)
  const payments = new Map(rows.map(({ id }) => [id, { once: `payout/${id}/1`, ...before[id] }]))
  const { plan, isSettled, prices } = planned(
    (name, of, snapshot) => planPayouts(name, of, { ...snapshot, payments, ...more }),
    policy,
    world,
  )
  expect(isSettled).toBe(true)
  expect(planSchema.safeParse(plan).error).toBeUndefined()
  return { plan, policy, prices }
}

const world = (balances: Record<string, string> = { USDC: '1000' }, rest: Partial<World> = {}) =>
  worldOf(balances, rest)

test('each row is a withdrawal of its own amount with an id over all runs, and the fee comes on top', () => {
  const rows = [row('a', '100', { reference: 'June' }), row('b', '0.002', { asset: 'btc', contactId: 'cold' })]
  const { plan } = planOf(world({ USDC: '200', BTC: '1' }), {}, rows)
  expect(amounts(plan)).toEqual(['1 pay-a 100 of 100.5', '1 pay-b 0.002 of 0.003'])
  expect(plan.legs).toMatchObject([
    { once: 'payout/a/1', reason: 'row a: June', request: { feeMode: 'add', contactId: 'stable' } },
    { once: 'payout/b/1', assetSymbol: 'BTC', request: { assetSymbol: 'BTC' } },
  ])
})

test('a row under deduct takes exactly its amount from the account', () => {
  expect(amounts(planOf(world(), { feeMode: 'deduct' }, [row('a', '100')]).plan)).toEqual(['1 pay-a 100 of 100'])
})

test('rows that earlier runs paid or may still pay get no leg, and the rest goes', () => {
  const { plan } = planOf(world(), {}, [row('a', '10'), row('b', '20'), row('c', '30')], {
    a: { earlier: { intentId: 'intent-a', runId: 'run-1', isPaid: true } },
    b: { earlier: { intentId: 'intent-b', isPaid: false } },
    c: { once: 'payout/c/2' },
  })
  expect(plan.legs).toMatchObject([{ key: 'pay-c', once: 'payout/c/2' }])
  expect(plan.nonLegs.map(({ code, reason }) => [code, reason])).toEqual([
    ['already_paid', 'row a: intent intent-a of run run-1 has paid it'],
    ['in_doubt', 'row b: intent intent-b has not ended and may pay it'],
  ])
})

test('a row that pays what another row was paid for gets its leg, which names that row', () => {
  const { plan } = planOf(world(), {}, [row('41', '10', { reference: 'June' })], { 41: { paidAs: '0042' } })
  expect(plan.legs).toMatchObject([{ paidAs: '0042', reason: 'row 41: pays the same as row 0042: June' }])
})

describe('nothing of a file goes where a row', () => {
  test.each<[string, object, object, Partial<PaymentFacts>, RegExp]>([
    [
      'has an id that was paid with other terms',
      {},
      {},
      { earlier: { intentId: 'i', isPaid: true, otherTerms: 'amount 5, and the row has 9' } },
      /row b: intent i has its id with another amount 5/,
    ],
    ['has failed too often', {}, {}, { usedUp: 20 }, /row b: 20 tries/],
    ['has the id of another row', { id: 'a' }, {}, {}, /row a: another row has its id/],
    ['pays an asset that the policy does not name', { asset: 'ETH' }, {}, {}, /row b: the policy does not pay ETH/],
    ['pays an unknown contact', { contactId: 'gone' }, {}, {}, /row b: the service knows no such contact/],
    [
      'pays a contact with another name',
      { contactReference: 'former' },
      {},
      {},
      /row b: contactReference: expected the reference or alias of contact stable, which has ".+"; got former/,
    ],
    ['pays a contact of another asset', { contactId: 'cold' }, {}, {}, /row b: the contact takes BTC/],
    ['is below the minimum', { amount: '0.5' }, {}, {}, /row b: 0.5 USDC is less than the 1/],
    ['is no multiple of the increment', { amount: '20.001' }, {}, {}, /row b: 20.001 USDC is no multiple/],
    ['costs too much in fees', {}, { feeCeilingBps: 10 }, {}, /row a: the fee of 0.5 USDC is more than 10 bps/],
    ['is more than the balance', { amount: '995' }, {}, {}, /rows take 1006 USDC, and 6 are lacking/],
    ['would take what stays', {}, { reserve: { USDC: '980' } }, {}, /rows take 31 USDC, and 11 are lacking/],
  ])('%s', (_what, given, policy, before, says) => {
    const { plan } = planOf(world(), policy, [row('a', '10'), { ...row('b', '20'), ...given }], { b: before })
    expect(plan.legs).toEqual([])
    expect(plan.guards).toMatchObject([{ guard: 'file', says: expect.stringMatching(says) }])
    expect(codes(plan)[0]).toMatch(/ guard$/)
  })

  test('is beyond what a guard leaves after the rows before it', () => {
    const limits = { assets: new Map(), contacts: new Map([['stable', { leftTodayValue: dec('25') }]]) }
    const { plan } = planOf(world({ USDC: '1000' }, { limits }), {}, [row('a', '10'), row('b', '20')])
    expect(plan.legs).toEqual([])
    expect(plan.guards[0]?.says).toContain('row b: contacts.stable.daily leaves a value of')
  })

  test('is one withdrawal more than the account may send in two days', () => {
    const rows = [row('a', '10'), row('b', '20'), row('c', '0.002', { asset: 'BTC', contactId: 'cold' })]
    const of = (left: number) =>
      planOf(world({ USDC: '1000', BTC: '1' }), {}, rows, {}, { sendsLeft: new Map([['USDC', left]]) }).plan
    expect(of(2).legs).toHaveLength(3)
    expect(of(1).legs).toEqual([])
    expect(of(1).guards[0]?.says).toContain('send 2 withdrawals of USDC, and 1 more may be sent within two days')
  })

  test('is one leg more than a run has', () => {
    const rows = Array.from({ length: MOST_LEGS_WITH_ROWS + 1 }, (_, number) => row(`r${number}`, '10'))
    const { plan } = planOf(world({ USDC: '100000' }), {}, rows)
    expect(plan.legs).toEqual([])
    expect(plan.guards[0]?.says).toContain(`a run has at most ${MOST_LEGS_WITH_ROWS} legs`)
  })

  test('is in an asset in doubt', () => {
    const { plan } = planOf(world({ USDC: '1000' }, { doubts: { USDC: 'intent-x' } }), {}, [row('a', '10')])
    expect(plan.guards[0]?.says).toContain('row a: USDC waits until it is known what became of intent-x')
  })
})

describe('what rows lack', () => {
  const markets = {
    'USDC-USD': { mid: '1' },
    'BTC-USDC': { mid: '50000' },
    'BTC-USD': { mid: '50000' },
    'ETH-USDC': { mid: '2000' },
  }
  const from = [{ asset: 'USD', keep: '50' }, { asset: 'ETH' }]
  const rich = () => world({ USDC: '100', USD: '500', ETH: '1' }, { markets })

  test('is bought first, exactly, with the first source that has enough', () => {
    const { plan } = planOf(rich(), { from }, [row('a', '250'), row('b', '49')])
    expect(plan.legs).toMatchObject([
      {
        ...{ kind: 'convert', phase: 1, market: 'USDC-USD', brings: { asset: 'USDC', amount: '200' } },
        request: { side: 'BUY', amountAsset: 'USDC', amount: '200', keep: '50' },
      },
      { key: 'pay-a', phase: 2 },
      { key: 'pay-b', phase: 2 },
    ])
  })

  test('comes from the next source where the first has too little', () => {
    const { plan } = planOf(rich(), { from }, [row('a', '799.5')])
    expect(plan.legs).toMatchObject([
      { market: 'USDC-USD', gives: { asset: 'USD', amount: '450' }, request: { amountAsset: 'USD', amount: '450' } },
      { market: 'ETH-USDC', request: { side: 'SELL', amountAsset: 'USDC' } },
      { key: 'pay-a', phase: 2 },
    ])
    const bought = plan.legs.flatMap((leg) => (leg.kind === 'convert' ? [dec(leg.brings.amount)] : []))
    expect(bought.reduce<bigint>((sum, each) => sum + each, 0n)).toBeGreaterThanOrEqual(dec('700') as bigint)
  })

  test('stops everything where no source has enough, and the finding says how much is lacking', () => {
    const { plan } = planOf(rich(), { from }, [row('a', '5000')])
    expect(plan.legs).toEqual([])
    expect(plan.guards[0]?.says).toMatch(/rows take 5000.5 USDC, and [0-9.]+ are lacking: ETH brings no more/)
  })

  test('is bought at the minimum of a market that takes no less', () => {
    const least = { ...markets, 'USDC-USD': { mid: '1', minQuote: '40' } }
    const { plan } = planOf(world({ USDC: '100', USD: '500' }, { markets: least }), { from: [{ asset: 'USD' }] }, [
      row('a', '100'),
    ])
    expect(plan.legs[0]).toMatchObject({ gives: { asset: 'USD', amount: '40.4' }, request: { amountAsset: 'USD' } })
  })
})

describe('the withdrawals after a conversion', () => {
  const markets = { 'USDC-USD': { mid: '1' } }
  const from = [{ asset: 'USD' }]
  const rows = [row('a', '60'), row('b', '60'), row('c', '20')]

  function secondPhase(brought: string, given: object = {}) {
    const account = world({ USDC: '0', USD: '500' }, { markets })
    const { plan, policy, prices } = planOf(account, { from, ...given }, rows)
    account.balances.USDC = dec(brought)
    return replanPayouts({ plan, phase: 2, snapshot: snapshotOf(account, prices), settled: [], policy })
  }

  test('are as planned where the conversion brought enough', () => {
    expect(secondPhase('141.5').legs.map(({ key, request }) => [key, request.amount])).toEqual([
      ['pay-a', '60'],
      ['pay-b', '60'],
      ['pay-c', '20'],
    ])
  })

  test('go whole in the order of the file, as far as there is enough', () => {
    const { legs, nonLegs } = secondPhase('100')
    expect(legs.map(({ key }) => key)).toEqual(['pay-a', 'pay-c'])
    expect(nonLegs).toMatchObject([
      { code: 'nothing_spendable', reason: 'row b: 39.5 USDC is left above what stays, and it needs 60.5' },
    ])
  })

  test('keep their payee and their id over all runs', () => {
    expect(secondPhase('141.5').legs[0]).toMatchObject({ once: 'payout/a/1', payee: { contactId: 'stable' } })
  })
})

test('a plan that was carried out leaves each contact its amounts', () => {
  const account = world({ USDC: '500' })
  const { plan } = planOf(account, {}, [row('a', '100'), row('b', '200')])
  for (const leg of plan.legs) carryOut(account, leg)
  expect(account.balances.USDC).toBe(dec('199'))
})

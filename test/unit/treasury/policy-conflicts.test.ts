// Policies that would undo each other's movements are refused together.
import { describe, expect, test } from 'vitest'
import { treasury } from '../../../core/contract/treasury.ts'
import { findPolicyFaults } from '../../../core/treasury/policy-rules.ts'

const service = { url: 'https://a.example', stage: 'test' }

function faultsOf(policies: Record<string, unknown>): string[] {
  return findPolicyFaults(treasury.parse({ service, policies })).map(
    ({ path, message }) => `${path.join('.')} ${message}`,
  )
}

const sweep = (rule: object, rest: object = {}) => ({ kind: 'sweep', rules: [{ contactId: 'cold', ...rule }], ...rest })
const fund = (rest: object = {}) => ({ kind: 'fund', asset: 'USDC', atLeast: '100', from: [{ asset: 'USD' }], ...rest })
const arrival = (asset: string, into: string, rest: object = {}) => ({
  kind: 'convert-on-arrival',
  asset,
  into,
  ...rest,
})
const portfolio = { kind: 'rebalance', weights: { BTC: '0.5', USD: '0.5', ETH: '0' }, reserve: { BTC: '1' } }

describe('a rebalance and a policy that releases its assets', () => {
  test('two rebalances with an asset in common', () => {
    const other = { kind: 'rebalance', amounts: { btc: '100', SOL: '100' } }
    expect(faultsOf({ a: portfolio, b: other })).toEqual([
      'policies.b.amounts.btc expected an asset with one target; got one more than in policies.a: each would undo what the other trades',
    ])
  })

  test.each([
    ['a sweep by name', { b: sweep({ assets: ['BTC'], keep: { target: '1' } }) }, 'policies.b.rules.0', 'sweeps BTC'],
    ['a sweep of all but others', { b: sweep({ allBut: ['USD'] }) }, 'policies.b.rules.0', 'sweeps BTC'],
    ['a conversion on arrival', { b: arrival('usd', 'EUR') }, 'policies.b', 'converts USD'],
    [
      'a conversion of all above the kept amount, to be withdrawn',
      { b: { kind: 'convert-and-withdraw', from: 'BTC', into: 'USDC', contactId: 'bank' } },
      'policies.b',
      'converts BTC',
    ],
  ])('%s', (_what, policies, path, does) => {
    expect(faultsOf({ a: portfolio, ...policies })).toEqual([
      expect.stringMatching(
        new RegExp(`^${path} expected no asset that another policy buys; this ${does}, and policies.a`),
      ),
    ])
  })

  test.each([
    ['an asset whose target is nothing', sweep({ assets: ['ETH'] })],
    ['all but the assets with a target', sweep({ allBut: ['btc', 'usd'] })],
    [
      'a payment of an amount',
      { kind: 'convert-and-withdraw', from: 'BTC', into: 'USDC', amount: '1', contactId: 'bank' },
    ],
    ['a sweep that only reports', sweep({ assets: ['BTC'] }, { mode: 'shadow' })],
  ])('%s is no conflict', (_what, policy) => {
    expect(faultsOf({ a: portfolio, b: policy })).toEqual([])
  })

  test('a value of the valuation asset may be compared with the amount that a sweep keeps', () => {
    const values = { kind: 'rebalance', amounts: { USD: '1000', BTC: '500' } }
    expect(faultsOf({ a: values, b: sweep({ assets: ['USD'], keep: { target: '1000' } }) })).toEqual([])
    expect(faultsOf({ a: values, b: sweep({ assets: ['USD'], keep: { target: '999' } }) })).toHaveLength(1)
  })

  test('a sweep that keeps less of a hub than its reserve', () => {
    const hub = { kind: 'rebalance', weights: { BTC: '1' }, hubs: ['USD'], reserve: { USD: '50' } }
    expect(faultsOf({ a: hub, b: sweep({ assets: ['USD'], keep: { target: '49.99' } }) })).toEqual([
      'policies.b.rules.0.keep.target expected at least 50, the reserve of USD in policies.a; got 49.99',
    ])
    expect(faultsOf({ a: hub, b: sweep({ assets: ['USD'], keep: { target: '50' } }) })).toEqual([])
  })

  test('a fund of an asset that a rebalance trades, unless a reserve covers it', () => {
    const weights = { USDC: '0.5', BTC: '0.5' }
    const traded = { kind: 'rebalance', weights, hubs: ['USD'] }
    expect(faultsOf({ a: traded, b: fund({ target: '200' }) })).toEqual([
      'policies.b.asset expected an asset that no other policy sells; got USDC, which policies.a trades to its target: give it a reserve of 200 there, or leave it to one of the two',
    ])
    expect(faultsOf({ a: { ...traded, reserve: { USDC: '200' } }, b: fund({ target: '200' }) })).toEqual([])
  })
})

describe('a fund and a policy that releases its asset', () => {
  test.each([
    [
      { target: '99' },
      'keep.target expected at least 100 where this sweeps USDC; got 99: policies.a buys USDC back below that',
    ],
    [
      { target: '100' },
      'keep.target expected at least 300 where this sweeps USDC; got 100: policies.a buys USDC up to that',
    ],
    [
      { target: '100', trigger: '299' },
      'keep.trigger expected at least 300 where this sweeps USDC; got 299: policies.a buys USDC up to that',
    ],
  ])('a sweep that keeps %j', (keep, fault) => {
    expect(faultsOf({ a: fund({ target: '300' }), b: sweep({ assets: ['usdc'], keep }) })).toEqual([
      `policies.b.rules.0.${fault}`,
    ])
  })

  test('levels without a conflict', () => {
    const keep = { target: '100', trigger: '300' }
    expect(faultsOf({ a: fund({ target: '300' }), b: sweep({ assets: ['USDC'], keep }) })).toEqual([])
  })

  test('a conversion on arrival of the asset that the fund buys', () => {
    expect(faultsOf({ a: fund(), b: arrival('USDC', 'USD') })).toEqual([
      expect.stringMatching(/^policies\.b\.keep\.target expected at least 100 where this converts USDC; got 0/),
    ])
  })

  test('a fund that pays with an asset that another buys back', () => {
    const payer = (keep: string) => ({ kind: 'fund', asset: 'EUR', atLeast: '10', from: [{ asset: 'USDC', keep }] })
    expect(faultsOf({ a: fund(), b: payer('99') })).toEqual([
      'policies.b.from.0.keep expected at least 100; got 99: policies.a buys USDC back below that',
    ])
    expect(faultsOf({ a: fund(), b: payer('100') })).toEqual([])
  })
})

describe('surplus that two policies take', () => {
  const leaveIt = 'leave it to one policy, of several rules if need be'

  test('by name, whatever the case', () => {
    expect(faultsOf({ a: sweep({ assets: ['BTC', 'SOL'] }), b: sweep({ assets: ['ETH', 'sol'] }) })).toEqual([
      `policies.b.rules.0 expected no asset that another policy takes; this sweeps SOL, and policies.a sweeps it too: ${leaveIt}`,
    ])
  })

  test('by name and by all but others, and by all but others twice', () => {
    const all = sweep({ allBut: ['USD'] })
    expect(faultsOf({ a: all, b: arrival('EUR', 'USD') })).toEqual([
      `policies.b expected no asset that another policy takes; this converts EUR, and policies.a sweeps it too: ${leaveIt}`,
    ])
    expect(faultsOf({ a: all, b: sweep({ allBut: ['EUR'] }) })).toEqual([
      `policies.b.rules.0 expected no asset that another policy takes; this sweeps all but some assets, and policies.a sweeps it too: ${leaveIt}`,
    ])
  })

  test('rules of one policy see the rest of the others, and a policy that only reports takes nothing', () => {
    const two = { kind: 'sweep', rules: [1, 2].map(() => ({ contactId: 'cold', assets: ['BTC'] })) }
    expect(faultsOf({ a: two })).toEqual([])
    expect(faultsOf({ a: two, b: sweep({ assets: ['BTC'] }, { mode: 'shadow' }) })).toEqual([])
    expect(faultsOf({ a: sweep({ assets: ['BTC'] }), b: sweep({ allBut: ['BTC'] }) })).toEqual([])
  })
})

describe('conversions on arrival in a circle', () => {
  test('there and back', () => {
    expect(faultsOf({ a: arrival('BTC', 'USD'), b: arrival('usd', 'BTC') })).toEqual([
      'policies.a.into expected an asset that is not converted back; got USD, which policies.b brings back to BTC',
    ])
  })

  test('over several, beside a way out of the circle, reported once', () => {
    const policies = {
      z: arrival('B', 'D', { mode: 'shadow' }),
      a: arrival('A', 'B'),
      b: arrival('B', 'C'),
      c: arrival('C', 'A'),
    }
    expect(faultsOf(policies)).toEqual([
      'policies.a.into expected an asset that is not converted back; got B, which policies.c brings back to A',
    ])
  })

  test('a chain with an end is no circle', () => {
    expect(faultsOf({ a: arrival('A', 'B'), b: arrival('B', 'C'), c: arrival('X', 'C') })).toEqual([])
  })
})

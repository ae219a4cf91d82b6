// Tests that a policy must write assets by their settled codes, the names under which the service moves them. Any other
// spelling is refused with its place, before anything is planned.
import { expect, test } from 'vitest'
import { policy as policySchema } from '../../../core/contract/policies.ts'
import { misspelled, spelling } from '../../../core/treasury/policy-references.ts'
import { planRebalance } from '../../../functions/plan-rebalance/plan-rebalance.ts'
import { runWorld, START, treasuryWith } from '../../helpers/run-world.ts'

const settled = spelling([
  ...['BTC', 'ETH', 'USD', 'USDC'].map((code) => ({ assetSymbol: code, rebasedSymbol: code })),
  { assetSymbol: 'AAPLSPV', rebasedSymbol: 'AAPLX' },
  { assetSymbol: 'ODDSPV', rebasedSymbol: 'BTC' },
])
const { guards } = treasuryWith({})
const findingsOf = (text: Readonly<Record<string, unknown>>) => misspelled(policySchema.parse(text), guards, settled)

test.each([
  [
    { kind: 'rebalance', weights: { btc: '0.5', AAPLX: '0.5' }, hubs: ['usdc'], reserve: { Usdc: '1' } },
    [
      'weights.btc: expected the settled code, BTC; got btc',
      'weights.AAPLX: expected the settled code, AAPLSPV; got AAPLX',
      'reserve.Usdc: expected the settled code, USDC; got Usdc',
      'hubs[0]: expected the settled code, USDC; got usdc',
    ],
  ],
  [
    { kind: 'fund', asset: 'aaplspv', atLeast: '1', from: [{ asset: 'USD' }, { asset: 'eth' }] },
    [
      'asset: expected the settled code, AAPLSPV; got aaplspv',
      'from[1].asset: expected the settled code, ETH; got eth',
    ],
  ],
  [
    { kind: 'sweep', rules: [{ allBut: ['usd'], contactId: 'cold', convertInto: 'usdc' }] },
    [
      'rules[0].allBut[0]: expected the settled code, USD; got usd',
      'rules[0].convertInto: expected the settled code, USDC; got usdc',
    ],
  ],
])('each place in %j is named with the correct spelling', (policy, findings) => {
  expect(findingsOf(policy)).toEqual(findings)
})

test('settled codes are accepted, even if a code is the ticker of another asset, and so are codes unknown to the service', () => {
  expect(findingsOf({ kind: 'rebalance', weights: { BTC: '0.5', AAPLSPV: '0.4', XYZ: '0.1' } })).toEqual([])
})

test('the valuation asset, guards of assets and allowed markets are accepted in any spelling', () => {
  const guarded = { valuationAsset: 'usd', guards: { assets: { btc: { largest: '1' } }, allowedMarkets: ['btc-usd'] } }
  expect(findingsOf({ kind: 'rebalance', weights: { BTC: '1' }, ...guarded })).toEqual([])
})

test.each([false, true])(
  'a run of a policy with a wrong spelling ends FAILED with the place, and plans nothing; in shadow mode: %s',
  async (shadow) => {
    const { ports } = runWorld({ weekly: policySchema.parse({ kind: 'rebalance', weights: { a: '0', B: '1' } }) })
    const request = { policy: 'weekly', shadow }
    expect(await planRebalance({ execution: 'run-1', startedAt: START, request }, ports)).toMatchObject({
      ...{ outcome: 'FAILED', legs: [], why: 'policies.weekly.weights.a: expected the settled code, A; got a' },
    })
    expect((await ports.runs.find('run-1'))?.plan).toBeUndefined()
  },
)

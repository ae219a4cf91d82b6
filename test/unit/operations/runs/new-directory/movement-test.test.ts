// A movement that an id could have made is never passed over in a new directory.
import { expect, test } from 'vitest'
import { policy } from '../../../../../core/contract/policies.ts'
import { treasury } from '../../../../../core/contract/treasury.ts'
import {
  type SeenOrder,
  testOfConversion,
  testOfPolicy,
  testOfWithdrawal,
} from '../../../../../operations/runs/new-directory/movement-test.ts'

const assets = [
  { assetSymbol: 'BTC', rebasedSymbol: 'BTC', amountIncrement: '0.0001' },
  { assetSymbol: 'USDC', rebasedSymbol: 'USDC', amountIncrement: '0.01' },
  { assetSymbol: 'NVDASPV', rebasedSymbol: 'NVDAX', amountIncrement: '0.001' },
]
const createdAt = '2026-01-31T09:00:00Z'
const order: SeenOrder = {
  ...{ id: 'o-1', side: 'BUY', market: 'BTC-USDC', baseAsset: 'BTC', quoteAsset: 'USDC' },
  ...{ baseAmount: '0.1', quoteAmount: '5000', createdAt },
}
const asked = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.1' } as const

test.each([
  ['the same', {}, {}, true],
  ['in another case', {}, { baseAsset: 'btc', amountAsset: 'BTC' }, true],
  ['finer than the asset’s step', {}, { amount: '0.10004' }, true],
  ['an amount that the service may have rounded', { baseAmount: '0.0995' }, {}, true],
  ['of the quote asset', { quoteAmount: '4999.99' }, { amountAsset: 'usdc', amount: '5000' }, true],
  ['of an unknown side', { side: 'SWAP' }, {}, true],
  ['another amount', { baseAmount: '0.09' }, {}, false],
  ['another amount of the quote asset', {}, { amountAsset: 'USDC', amount: '4000' }, false],
  ['another side', { side: 'SELL' }, {}, false],
  ['another market', { market: 'NVDASPV-USDC' }, {}, false],
  ['a market of an asset that the service does not list', { market: 'ETH-USDC' }, {}, true],
])('an order could belong to a conversion: %s', (_what, row, change, could) => {
  expect(testOfConversion({ ...asked, ...change }).order?.({ ...order, ...row }, assets)).toBe(could)
})

test('an equity is the same in either spelling', () => {
  const equity = { ...asked, baseAsset: 'NVDAX', amountAsset: 'nvdaspv' }
  expect(testOfConversion(equity).order?.({ ...order, market: 'NVDASPV-USDC' }, assets)).toBe(true)
})

test('no withdrawal could belong to a conversion, and no order to a withdrawal', () => {
  expect(testOfConversion(asked)).not.toHaveProperty('withdrawal')
  expect(testOfWithdrawal({ assetSymbol: 'USDC', amount: '100', contactId: 'c' })).not.toHaveProperty('order')
})

test.each([
  ['as what left', { total: '100' }, true],
  ['as what arrived', { amount: '100' }, true],
  ['cut at the asset’s step', { total: '99.99', asked: '99.999' }, true],
  ['cut at a former step of the asset', { total: '7', asked: '7.99' }, true],
  ['off by the remainder of a step that is no power of ten', { total: '100.35', asked: '100.37' }, true],
  ['without an asset', { total: '100', assetSymbol: null }, true],
  ['another amount', { total: '100.01' }, false],
  ['another asset', { total: '100', assetSymbol: 'BTC' }, false],
])(
  'a row could belong to a withdrawal: %s',
  (_what, { asked: amount = '100', ...row }: Record<string, unknown>, could) => {
    const { withdrawal } = testOfWithdrawal({ assetSymbol: 'USDC', amount: String(amount), contactId: 'c' })
    const seen = { id: 'w-1', assetSymbol: 'USDC', amount: '1', total: '2', createdAt, ...row }
    expect(withdrawal?.(seen, assets)).toBe(could)
  },
)

const { guards } = treasury.parse({ service: { url: 'https://api.example.com', stage: 'test' } })
const withdrawn = { id: 'w-1', assetSymbol: 'BTC', amount: '1', total: '1', createdAt }

test('a policy could have made a movement if its assets allow it', () => {
  const rebalance = testOfPolicy(policy.parse({ kind: 'rebalance', weights: { BTC: '0.6', USDC: '0.4' } }), guards)
  expect(rebalance.order?.(order, assets)).toBe(true)
  expect(rebalance.order?.({ ...order, baseAsset: null }, assets)).toBe(true)
  expect(rebalance.order?.({ ...order, baseAsset: 'NVDASPV' }, assets)).toBe(false)
  expect(rebalance).not.toHaveProperty('withdrawal')
})

test('a sweep of named assets could have sent those, and a sweep of all but some could have sent any', () => {
  const sweepOf = (rule: object) =>
    testOfPolicy(policy.parse({ kind: 'sweep', rules: [{ ...rule, keep: { target: '0' }, contactId: 'c' }] }), guards)
  const some = sweepOf({ assets: ['USDC'] })
  expect(some.withdrawal?.(withdrawn, assets)).toBe(false)
  expect(some.withdrawal?.({ ...withdrawn, assetSymbol: 'USDC' }, assets)).toBe(true)
  expect(some).not.toHaveProperty('order')
  expect(sweepOf({ allBut: ['USDC'] }).withdrawal?.(withdrawn, assets)).toBe(true)
})

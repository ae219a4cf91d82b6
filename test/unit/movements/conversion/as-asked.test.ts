// Tests the checks of a quote and an order against the request: the market in every spelling, the side, and the
// amounts.
import { describe, expect, test } from 'vitest'
import type { OpenConversion } from '../../../../core/journal/intent.ts'
import { findOrderDifference, findQuoteDifference } from '../../../../core/movements/conversion/as-requested.ts'
import { FILLED_ORDER } from '../../../helpers/fake-conversion-service.ts'
import { attemptAt, CONVERSION } from '../../../helpers/intents.ts'

const times = { createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z' }
const intent: OpenConversion = {
  ...{ ...CONVERSION, ...times, intentId: 'intent-1', paramsHash: '', version: 1, attemptNumber: 1, state: 'READY' },
  attempt: attemptAt('order-1'),
}
const equity: OpenConversion = {
  ...intent,
  params: { ...intent.params, baseAsset: 'aaplx', amountAsset: 'usdc', amount: '5000' },
  frozen: { ...intent.frozen, baseAsset: { assetSymbol: 'AAPLSPV', rebasedSymbol: 'AAPLX' }, amount: '5000' },
}
const { market, baseAmount, quoteAmount } = attemptAt('').terms
const quoted = { market, baseAmount, quoteAmount }

describe('a quote', () => {
  test.each(['BTC-USDC', 'btc-usdc', 'Btc-UsdC', ' BTC-USDC '])(
    'of %s is of the market that was asked for',
    (named) => {
      expect(findQuoteDifference(intent, { ...quoted, market: named })).toBeUndefined()
    },
  )

  test.each(['AAPLSPV-USDC', 'AAPLX-USDC', 'aaplx-usdc'])('of %s is of the equity that was asked for', (named) => {
    expect(findQuoteDifference(equity, { ...quoted, market: named })).toBeUndefined()
  })

  test.each(['BTC-USDT', 'BTC-USD', 'ETH-USDC', 'USDC-BTC', 'BTCUSDC', 'BTC/USDC', 'AAPLX-USDC', 'BTC-USDC-PERP', ''])(
    'of "%s" is of another market',
    (named) => {
      expect(findQuoteDifference(intent, { ...quoted, market: named })).toBe(
        `the quote is not what was asked for: its market is ${named}, not BTC-USDC`,
      )
    },
  )

  test('is compared by value with the leg that the amount counts, and with no other', () => {
    expect(findQuoteDifference(intent, { ...quoted, baseAmount: '0.10', quoteAmount: '1' })).toBeUndefined()
    expect(findQuoteDifference(intent, { ...quoted, baseAmount: '0.11' })).toContain('its base amount is 0.11, not 0.1')
    const spent = { market: 'AAPLSPV-USDC', baseAmount: '1', quoteAmount: '5000.00' }
    expect(findQuoteDifference(equity, spent)).toBeUndefined()
    expect(findQuoteDifference(equity, { ...spent, quoteAmount: '5001' })).toContain(
      'its quote amount is 5001, not 5000',
    )
  })
})

describe('an order', () => {
  test('is compared with the request and with the quote', () => {
    expect(findOrderDifference(FILLED_ORDER, intent)).toBeUndefined()
    const spelled = { side: 'Buy', market: 'btc-usdc', baseAsset: 'btc', quoteAsset: 'usdc', baseAmount: '0.10' }
    expect(findOrderDifference({ ...FILLED_ORDER, ...spelled }, intent)).toBeUndefined()
  })

  test('an order whose assets the service cannot resolve is identified by its market', () => {
    const nameless = { ...FILLED_ORDER, baseAsset: null, quoteAsset: null }
    expect(findOrderDifference(nameless, intent)).toBeUndefined()
    expect(findOrderDifference({ ...nameless, market: 'BTC-USDT' }, intent)).toBe(
      'its market is BTC-USDT, not BTC-USDC',
    )
  })

  test.each([
    [{ side: 'SELL' }, 'its side is SELL, not BUY'],
    [{ market: 'ETH-USDC' }, 'its market is ETH-USDC, not BTC-USDC'],
    [{ baseAsset: 'ETH' }, 'its base asset is ETH, not BTC'],
    [{ quoteAsset: 'USDT' }, 'its quote asset is USDT, not USDC'],
    [{ baseAmount: '0.2' }, 'its base amount is 0.2, not 0.1'],
    [{ quoteAmount: '5000.01' }, 'its quote amount is 5000.01, not 5000'],
  ])('with %o differs', (change, difference) => {
    expect(findOrderDifference({ ...FILLED_ORDER, ...change }, intent)).toBe(difference)
  })

  test("differs if its amount is that of its attempt's record, and not the requested one", () => {
    const terms = { ...attemptAt('').terms, baseAmount: '0.2' }
    const edited = { ...intent, attempt: attemptAt('order-1', terms) }
    expect(findOrderDifference({ ...FILLED_ORDER, baseAmount: '0.2' }, edited)).toBe('its base amount is 0.2, not 0.1')
  })
})

// Values are rounded to the cautious side, and a rate is never better than the market gave.
import { describe, expect, test } from 'vitest'
import { formatDecimal } from '../../../core/money/decimal.ts'
import { indexMarkets } from '../../../core/planning/market/market-index.ts'
import { createRates } from '../../../core/planning/market/rates.ts'
import { createValuation } from '../../../core/planning/market/valuation.ts'
import { d, marketOf, pricesOf, type SmallWorld, snapshotOf } from './small-world.ts'

function priceOf(asset: string, rates: SmallWorld['rates'], hubs: readonly string[] = []): string | null {
  const price = createValuation(snapshotOf({ held: {}, rates }), hubs).priceOf(asset)
  return price === null ? null : formatDecimal(price)
}

describe('a price', () => {
  test.each([
    ['of the valuation asset is one', 'USD', {}, [], '1'],
    ['is the middle of both sides', 'BTC', { 'BTC-USD': ['99', '101'] }, [], '100'],
    ['is turned round if the market is', 'BTC', { 'USD-BTC': ['0.0078125', '0.0078125'] }, [], '128'],
    ['goes through a hub', 'BTC', { 'BTC-EUR': ['49', '51'], 'EUR-USD': ['2', '2'] }, ['EUR'], '100'],
    ['goes through no other asset', 'BTC', { 'BTC-EUR': ['49', '51'], 'EUR-USD': ['2', '2'] }, [], null],
    [
      'is the direct one if it exists',
      'BTC',
      { 'BTC-USD': ['7', '7'], 'BTC-EUR': ['49', '51'], 'EUR-USD': ['2', '2'] },
      ['EUR'],
      '7',
    ],
    [
      'goes through no two hubs',
      'BTC',
      { 'BTC-EUR': ['1', '1'], 'EUR-GBP': ['1', '1'], 'GBP-USD': ['1', '1'] },
      ['EUR', 'GBP'],
      null,
    ],
  ] as const)('%s', (_what, asset, rates, hubs, price) => {
    expect(priceOf(asset, rates, hubs)).toBe(price)
  })

  test('needs both sides', () => {
    const snapshot = snapshotOf({ held: {}, rates: { 'BTC-USD': ['99', '101'] } })
    const valuation = createValuation({ ...snapshot, prices: snapshot.prices.slice(0, 1) })
    expect(valuation.priceOf('BTC')).toBeNull()
    expect(valuation.requiredFor('BTC')).toEqual([
      { marketId: 'BTC-USD', side: 'BUY' },
      { marketId: 'BTC-USD', side: 'SELL' },
    ])
  })

  test('values round down or up in the last place, as requested', () => {
    const valuation = createValuation(snapshotOf({ held: {}, rates: { 'BTC-USD': ['0.3', '0.3'] } }))
    const speck = d('0.000000000000000001')
    expect([valuation.valueDown('BTC', speck), valuation.valueUp('BTC', speck)]).toEqual([0n, 1n])
  })
})

describe('a rate', () => {
  const market = marketOf('BTC-USD')
  const rates = createRates([...pricesOf('BTC-USD', '100', '101', '1'), ...pricesOf('BTC-USD', '90', '121', '11')])
  const hop = (gives: string, brings: string) => {
    const found = indexMarkets([market]).findHop(gives, brings)
    if (!found) throw new Error('no market')
    return found
  }

  test.each([
    ['BTC', '0.5', '100'],
    ['BTC', '1', '100'],
    ['BTC', '6', '95'],
    ['BTC', '11', '90'],
    ['BTC', '1000', '90'],
    ['USD', '101', '101'],
    // Halfway from 1 BTC for 101 to 11 BTC for 1331.
    ['USD', '716', '111'],
    ['USD', '99999', '121'],
  ])('for spending %s %s is %s', (gives, amount, rate) => {
    const found = rates.rateFor(hop(gives, gives === 'BTC' ? 'USD' : 'BTC'), d(amount))
    expect(found === undefined ? undefined : formatDecimal(found)).toBe(rate)
  })

  test('a rate of a larger size is never better than of a smaller size', () => {
    const odd = createRates([...pricesOf('BTC-USD', '100', '101', '1'), ...pricesOf('BTC-USD', '105', '99', '2')])
    expect(odd.sidesAt(market, 'BTC', d('2'))).toEqual({ buy: d('101'), sell: d('100') })
  })

  test('a rate of one size and two moments is the worse of both', () => {
    const twice = createRates([...pricesOf('BTC-USD', '100', '101', '1'), ...pricesOf('BTC-USD', '98', '103', '1')])
    expect(twice.sidesAt(market, 'BTC', d('1'))).toEqual({ buy: d('103'), sell: d('98') })
  })

  test('is as good as known from nine tenths of a size on', () => {
    expect(rates.isCovered(market, 'SELL', 'BTC', d('12.2'))).toBe(true)
    expect(rates.isCovered(market, 'SELL', 'BTC', d('12.3'))).toBe(false)
    expect(rates.rateFor(hop('BTC', 'USD'), d('1'))).toBeDefined()
    expect(createRates([]).rateFor(hop('BTC', 'USD'), d('1'))).toBeUndefined()
  })
})

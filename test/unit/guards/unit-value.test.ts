// Guards on values never take a movement for smaller than the markets say, and ask for few prices.
import { describe, expect, test } from 'vitest'
import { findUnitValue } from '../../../core/guards/unit-values.ts'
import { divide, formatDecimal, multiply, parseDecimal } from '../../../core/money/decimal.ts'

/** Prices by `BASE-QUOTE SIDE`, and the requested ones. */
function pricesOf(prices: Record<string, string>) {
  const asked: string[] = []
  const findPrice = async (base: string, quote: string, side: string) => {
    asked.push(`${base}-${quote} ${side}`)
    return prices[`${base}-${quote} ${side}`]
  }
  return { asked, findPrice }
}

async function worthOf(prices: Record<string, string>, hubs: string[] = [], asset = 'BTC', into = 'USD') {
  const value = await findUnitValue(asset, into, hubs, pricesOf(prices))
  return value && formatDecimal(value)
}

test('one unit of the asset itself is worth one, without a request', async () => {
  const prices = pricesOf({})
  expect(await findUnitValue('usd', 'USD', [], prices)).toBe(parseDecimal('1', 'one'))
  expect(prices.asked).toEqual([])
})

test('an asset quoted in the valuation asset is worth the cost of a purchase, and not the proceeds of a sale', async () => {
  expect(await worthOf({ 'BTC-USD SELL': '49900', 'BTC-USD BUY': '50100' })).toBe('50100')
})

test('if the valuation asset is the base, a unit is worth the amount that is sold for one, rounded up', async () => {
  expect(await worthOf({ 'USD-JPY BUY': '4', 'USD-JPY SELL': '3' }, [], 'JPY')).toBe('0.333333333333333334')
})

describe('without a direct market', () => {
  test('one hub is used, the policy’s first', async () => {
    const prices = { 'BTC-USDC BUY': '2', 'USDC-USD BUY': '3', 'BTC-EUR BUY': '5', 'EUR-USD BUY': '7' }
    expect(await worthOf(prices)).toBe('6')
    expect(await worthOf(prices, ['EUR'])).toBe('35')
  })

  test('both steps may be the other way round, each rounded up', async () => {
    expect(await worthOf({ 'USDC-BTC SELL': '3', 'USD-USDC SELL': '3' })).toBe('0.111111111111111112')
  })

  test('a hub with only half of the way is not used', async () => {
    expect(await worthOf({ 'BTC-USDC BUY': '2', 'EUR-USD BUY': '7' })).toBeUndefined()
  })

  test('no hub is asked for twice, and at most thirteen are', async () => {
    const prices = pricesOf({})
    const hubs = ['usd', 'btc', 'USDC', 'usdc', ...Array.from({ length: 40 }, (_, at) => `HUB${at}`)]
    expect(await findUnitValue('BTC', 'USD', hubs, prices)).toBeUndefined()
    expect(new Set(prices.asked).size).toBe(prices.asked.length)
    expect(prices.asked.length).toBeLessThanOrEqual(2 + 13 * 2)
  })
})

test('products and quotients are rounded up by less than one digit of the eighteenth place', () => {
  const least = parseDecimal('0.000000000000000001', 'least')
  expect(multiply(least, least, 'up')).toBe(least)
  expect(multiply(parseDecimal('0.5', 'x'), parseDecimal('4', 'x'), 'up')).toBe(parseDecimal('2', 'x'))
  expect(divide(parseDecimal('1', 'x'), parseDecimal('4', 'x'), 'up')).toBe(parseDecimal('0.25', 'x'))
  expect(divide(least, parseDecimal('3', 'x'), 'up')).toBe(least)
  expect(multiply(parseDecimal('0', 'x'), least, 'up')).toBe(0n)
})

// Prices are the same for the same seed, have a spread in every market, and stay near where they opened.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amount, formatAmount, ONE } from '../../service/amount.ts'
import { MARKETS, marketOf } from '../../service/markets.ts'
import { Prices } from '../../service/prices.ts'
import { noisePpm } from '../../service/seeded.ts'

const OPENED = 1_800_000_000_000

describe('seeded prices', () => {
  test('in every market and at any time, buying costs more than the mid and selling yields less', () => {
    const prices = new Prices('sluice', OPENED)
    fc.assert(
      fc.property(fc.constantFrom(...MARKETS), fc.nat(10 ** 9), fc.nat(10 ** 6), (market, elapsedMs, units) => {
        const nowMs = OPENED + elapsedMs
        const size = { leg: 'base', amount: ONE.times(units) } as const
        const mid = prices.mid(market, nowMs)
        expect(prices.rate(market, 'BUY', size, nowMs).gt(mid)).toBe(true)
        expect(prices.rate(market, 'SELL', size, nowMs).lt(mid)).toBe(true)
      }),
    )
  })

  test('they wander, and stay within a few per cent of where they opened', () => {
    const prices = new Prices('sluice', OPENED)
    const market = marketOf('BTC-USD')
    const seen = Array.from({ length: 500 }, (_, minute) => prices.mid(market, OPENED + minute * 60_000))
    expect(new Set(seen.map(formatAmount)).size).toBeGreaterThan(450)
    for (const mid of seen) {
      expect(mid.gt(market.base.openingUsd.times(amount('0.98')))).toBe(true)
      expect(mid.lt(market.base.openingUsd.times(amount('1.02')))).toBe(true)
    }
  })

  test('they are the same for the same seed, and return to the process when they are no longer fixed', () => {
    const [one, other] = [new Prices('sluice', OPENED), new Prices('sluice', OPENED)]
    const market = marketOf('ETH-BTC')
    const mid = one.mid(market, OPENED)
    one.fix(market.id, ONE)
    expect(one.mid(market, OPENED)).toBe(ONE)
    one.fix(market.id, null)
    expect(one.mid(market, OPENED)).toEqual(mid)
    expect(other.mid(market, OPENED)).toEqual(mid)
  })
})

test('noise is bounded, and continuous from one period to the next', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      fc.integer({ min: -(10 ** 6), max: 10 ** 6 }),
      (start, bucket) => {
        const at = noisePpm(start, bucket * 1_000, 1_000)
        expect(Math.abs(at)).toBeLessThanOrEqual(1_000_000)
        expect(Math.abs(noisePpm(start, bucket * 1_000 - 1, 1_000) - at)).toBeLessThanOrEqual(2_001)
      },
    ),
  )
})

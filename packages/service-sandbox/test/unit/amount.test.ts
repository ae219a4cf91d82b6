// Amounts of the sandbox are exact decimals, rounded only where a caller says in which direction.
import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  amount,
  divideDown,
  formatAmount,
  inDigits,
  multiplyDown,
  ONE,
  powerOfTen,
  raiseTo,
  truncateTo,
} from '../../service/amount.ts'
import { inUnits, ONE_UNITS, ofUnits } from '../units.ts'

describe('amounts of the sandbox', () => {
  test.each([
    ['0', 0n],
    ['1', ONE_UNITS],
    ['0.000000000000000001', 1n],
    ['12.50', 12n * ONE_UNITS + ONE_UNITS / 2n],
    ['999999999999999999999999999999.999999999999999999', 10n ** 48n - 1n],
  ])('%s is read exactly', (text, value) => {
    expect(inUnits(amount(text))).toBe(value)
  })

  test.each(['', '-0', '+1', '.5', '1.', '1,5', '1e9', '0x10', ' 1', '1 ', '01', 'NaN', '١', '1.0000000000000000001'])(
    '%j is not an amount',
    (text) => {
      expect(() => amount(text)).toThrow('not a plain decimal')
    },
  )

  test('printed amounts are plain, without trailing zeros, and read back as the same amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 47n }), (value) => {
        const text = formatAmount(ofUnits(value))
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
        expect(inUnits(amount(text))).toBe(value)
      }),
    )
    expect(formatAmount(amount('0.25').neg())).toBe('-0.25')
    expect(formatAmount(amount('0').neg())).toBe('0')
  })

  test('products and quotients are rounded down, multiples down or up', () => {
    expect(formatAmount(multiplyDown(amount('0.000000000000000003'), amount('0.5')))).toBe('0.000000000000000001')
    expect(formatAmount(divideDown(amount('2'), amount('3')))).toBe('0.666666666666666666')
    expect(formatAmount(truncateTo(amount('1.239'), amount('0.01')))).toBe('1.23')
    expect(formatAmount(raiseTo(amount('1.231'), amount('0.01')))).toBe('1.24')
    expect(formatAmount(raiseTo(amount('1.23'), amount('0.01')))).toBe('1.23')
  })

  test('every figure equals the count in units of 10^-18 (property)', () => {
    const sizes = fc.constantFrom(10n ** 3n, 10n ** 18n, 10n ** 30n, 10n ** 48n)
    const counts = sizes.chain((max) => fc.bigInt({ min: 1n, max }))
    const steps = fc.integer({ min: 0, max: 20 }).map((exponent) => 10n ** BigInt(exponent))
    fc.assert(
      fc.property(counts, counts, steps, fc.integer({ min: 1, max: 12 }), (a, b, step, digits) => {
        const [x, y, increment] = [ofUnits(a), ofUnits(b), ofUnits(step)]
        expect(inUnits(multiplyDown(x, y))).toBe((a * b) / ONE_UNITS)
        expect(inUnits(divideDown(x, y))).toBe((a * ONE_UNITS) / b)
        expect(inUnits(truncateTo(x, increment))).toBe(a - (a % step))
        expect(inUnits(raiseTo(x, increment))).toBe(a + step - 1n - ((a + step - 1n) % step))
        expect(inUnits(x.plus(y))).toBe(a + b)
        expect(inUnits(x.minus(y))).toBe(a - b)
        expect(x.cmp(y)).toBe(a < b ? -1 : a > b ? 1 : 0)
        const spare = 10n ** BigInt(Math.max(0, a.toString().length - digits))
        expect(inUnits(inDigits(x, digits, 'down'))).toBe(a - (a % spare))
        expect(inUnits(inDigits(x, digits, 'up'))).toBe(a + spare - 1n - ((a + spare - 1n) % spare))
        expect(inUnits(powerOfTen(x))).toBe(10n ** BigInt(a.toString().length - 1))
      }),
      { numRuns: 2_000 },
    )
  })

  test('an operator throws instead of comparing text, and other users of decimal.js keep theirs', () => {
    const [nine, ten] = [amount('9'), amount('10')]
    expect(() => nine < ten).toThrow('never by operators')
    expect(() => Number(nine.plus(ten))).toThrow('never by operators')
    expect(() => Math.max(nine.times(ten) as never, 1)).toThrow('never by operators')
    expect(`${nine.div(amount('4'))}`).toBe('2.25')
    expect(new Decimal('9') < new Decimal('10')).toBe(false)
    expect(ONE.eq(1)).toBe(true)
  })
})

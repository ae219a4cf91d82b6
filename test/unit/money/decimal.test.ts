// Decimals are exact, and are rounded only down to an increment.
import { Decimal as Oracle } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  AmountError,
  compareScaled,
  type Decimal,
  divide,
  formatDecimal,
  magnitude,
  middleOf,
  multiply,
  negate,
  parseDecimal,
  parseSignedDecimal,
  partOf,
  quantiseDown,
  quantiseUp,
  truncate,
  ZERO,
} from '../../../core/money/decimal.ts'

// The independent witness of our arithmetic: decimal.js, with room for every digit.
Oracle.set({ precision: 120, rounding: Oracle.ROUND_DOWN, toExpNeg: -60, toExpPos: 90 })

const digits = (most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: most }).map((list) => list.join(''))
const amountText = fc
  .tuple(digits(30), fc.option(digits(18)))
  .map(([whole, fraction]) => `${whole.replace(/^0+(?=.)/, '')}${fraction === null ? '' : `.${fraction}`}`)
const positive = amountText.filter((text) => /[1-9]/.test(text))

describe('parseDecimal', () => {
  test.each([
    '1e9',
    'NaN',
    '-0',
    '+1',
    '.5',
    '1.',
    '1,5',
    '0x10',
    ' 1',
    '1 ',
    '1\n',
    '',
    '01',
    '00',
    '-1',
    'Infinity',
    '1_000',
    '١٢',
    '１',
    `${'9'.repeat(31)}`,
    `0.${'1'.repeat(19)}`,
    '1.2.3',
    '1..2',
  ])('refuses %j and names the field, not the value', (text) => {
    const attempt = () => parseDecimal(text, 'amount')
    expect(attempt).toThrow(AmountError)
    expect(attempt).toThrow(/^amount: expected a plain decimal string/)
    if (text.trim() !== '') expect(attempt).not.toThrow(`got ${text}`)
  })

  test.each([[1], [null], [undefined], [1n], [{}], [['1']], [true]])('refuses %o, which is no text', (value) => {
    expect(() => parseDecimal(value, 'fee')).toThrow(/^fee: /)
  })

  test('reads exactly the texts that decimal.js reads, and prints them back', () => {
    fc.assert(
      fc.property(amountText, (text) => {
        const value = parseDecimal(text, 'amount')
        expect(new Oracle(formatDecimal(value)).equals(new Oracle(text))).toBe(true)
        expect(parseDecimal(formatDecimal(value), 'amount')).toBe(value)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('formatDecimal', () => {
  test.each([
    ['0', '0'],
    ['0.0', '0'],
    ['1.50', '1.5'],
    ['100', '100'],
    ['0.000000000000000001', '0.000000000000000001'],
  ])('prints %s as %s', (text, printed) => {
    expect(formatDecimal(parseDecimal(text, 'amount'))).toBe(printed)
  })

  test('prints a negative value with one sign', () => {
    expect(formatDecimal(-1_500_000_000_000_000_000n as Decimal)).toBe('-1.5')
    expect(formatDecimal(-1n as Decimal)).toBe('-0.000000000000000001')
    expect(parseSignedDecimal('-1.5', 'change')).toBe(-1_500_000_000_000_000_000n)
    expect(formatDecimal(magnitude(parseSignedDecimal('-1.5', 'change')))).toBe('1.5')
    expect(() => parseSignedDecimal('--1', 'change')).toThrow(AmountError)
  })
})

describe('quantiseDown', () => {
  test('returns the largest multiple of the increment that is not above the value', () => {
    fc.assert(
      fc.property(amountText, positive, (text, incrementText) => {
        const value = parseDecimal(text, 'amount')
        const increment = parseDecimal(incrementText, 'increment')
        const quantised = quantiseDown(value, increment)
        const expected = new Oracle(text).div(incrementText).floor().mul(incrementText)
        expect(formatDecimal(quantised)).toBe(expected.toFixed())
        expect(quantiseDown(quantised, increment)).toBe(quantised)
        expect(truncate(value, increment)).toBe(quantised)
        expect(truncate(negate(value), increment)).toBe(negate(quantised))
        const above = new Oracle(text).div(incrementText).ceil().mul(incrementText)
        expect(formatDecimal(quantiseUp(value, increment))).toBe(above.toFixed())
      }),
      { numRuns: 2000 },
    )
  })

  test('refuses an increment of zero and a negative value', () => {
    const one = parseDecimal('1', 'one')
    expect(() => quantiseDown(one, 0n as Decimal)).toThrow(RangeError)
    expect(() => quantiseDown(-one as Decimal, one)).toThrow(RangeError)
  })
})

test('compareScaled agrees with decimal.js on products', () => {
  fc.assert(
    fc.property(amountText, fc.bigInt(0n, 20_000n), amountText, fc.bigInt(0n, 20_000n), (a, x, b, y) => {
      const expected = new Oracle(a).mul(x.toString()).cmp(new Oracle(b).mul(y.toString()))
      expect(compareScaled(parseDecimal(a, 'a'), x, parseDecimal(b, 'b'), y)).toBe(expected)
    }),
    { numRuns: 1000 },
  )
})

describe('products and quotients', () => {
  const small = fc
    .tuple(digits(12), digits(18))
    .map(([whole, fraction]) => `${whole.replace(/^0+(?=.)/, '')}.${fraction}`)

  test('are rounded as named, exactly like decimal.js', () => {
    fc.assert(
      fc.property(
        small,
        small.filter((text) => /[1-9]/.test(text)),
        (left, right) => {
          const a = parseDecimal(left, 'left')
          const b = parseDecimal(right, 'right')
          const product = new Oracle(left).times(right)
          const quotient = new Oracle(left).div(right)
          expect(formatDecimal(multiply(a, b, 'down'))).toBe(product.toDecimalPlaces(18, Oracle.ROUND_DOWN).toFixed())
          expect(formatDecimal(multiply(a, b, 'up'))).toBe(product.toDecimalPlaces(18, Oracle.ROUND_UP).toFixed())
          expect(formatDecimal(divide(a, b, 'down'))).toBe(quotient.toDecimalPlaces(18, Oracle.ROUND_DOWN).toFixed())
          expect(formatDecimal(divide(a, b, 'up'))).toBe(quotient.toDecimalPlaces(18, Oracle.ROUND_UP).toFixed())
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('a part is rounded once, exactly like decimal.js', () => {
    const factor = fc.bigInt(0n, 10n ** 30n)
    fc.assert(
      fc.property(small, factor, fc.bigInt(1n, 10n ** 30n), (text, numerator, denominator) => {
        const exact = new Oracle(text).times(numerator.toString()).div(denominator.toString())
        const value = parseDecimal(text, 'value')
        for (const [rounding, mode] of [
          ['down', Oracle.ROUND_DOWN],
          ['up', Oracle.ROUND_UP],
        ] as const) {
          const part = partOf(value, numerator, denominator, rounding)
          expect(formatDecimal(part)).toBe(exact.toDecimalPlaces(18, mode).toFixed())
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('the middle of two values that differ by one digit of the last place is one of them', () => {
    const [low, high] = [5n as Decimal, 6n as Decimal]
    expect(middleOf(low, high, 'down')).toBe(low)
    expect(middleOf(high, low, 'up')).toBe(high)
  })

  test.each(['up', 'down'] as const)('nothing is divided by zero, and nothing below zero is rounded %s', (rounding) => {
    const one = 1n as Decimal
    expect(() => divide(one, ZERO, rounding)).toThrow(RangeError)
    expect(() => partOf(one, 1n, 0n, rounding)).toThrow(RangeError)
    expect(() => multiply(negate(one), one, rounding)).toThrow(RangeError)
  })
})

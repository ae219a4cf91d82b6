import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  amount,
  divideDown,
  findAmount,
  formatAmount,
  multiplyDown,
  ONE,
  raiseTo,
  truncateTo,
} from '../../service/amount.ts'

describe('amounts of the sandbox', () => {
  test.each([
    ['0', 0n],
    ['1', ONE],
    ['0.000000000000000001', 1n],
    ['12.50', 12n * ONE + ONE / 2n],
  ])('%s is read exactly', (text, value) => {
    expect(findAmount(text as string)).toBe(value)
  })

  test.each(['', '-0', '+1', '.5', '1.', '1,5', '1e9', '0x10', ' 1', '1 ', '01', 'NaN', '١', '1.0000000000000000001'])(
    '%j is no amount',
    (text) => {
      expect(findAmount(text)).toBeUndefined()
    },
  )

  test('what is printed is plain, without trailing zeros, and reads back as itself', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 47n }), (value) => {
        const text = formatAmount(value)
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
        expect(amount(text)).toBe(value)
      }),
    )
    expect(formatAmount(-ONE / 4n)).toBe('-0.25')
  })

  test('products and quotients are rounded down, multiples down or up', () => {
    expect(formatAmount(multiplyDown(amount('0.000000000000000003'), amount('0.5')))).toBe('0.000000000000000001')
    expect(formatAmount(divideDown(amount('2'), amount('3')))).toBe('0.666666666666666666')
    expect(formatAmount(truncateTo(amount('1.239'), amount('0.01')))).toBe('1.23')
    expect(formatAmount(raiseTo(amount('1.231'), amount('0.01')))).toBe('1.24')
    expect(formatAmount(raiseTo(amount('1.23'), amount('0.01')))).toBe('1.23')
  })
})

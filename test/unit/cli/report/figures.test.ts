// Figures as people read them.
import { expect, test } from 'vitest'
import { byValue, change, percent, rateOf, shown, slippageBps, total } from '../../../../cli/report/figures.ts'

test.each([
  ['184001.01426685659', '184001.014266'],
  ['-11694.820225', '-11694.820225'],
  ['-0.0000019', '-0.000001'],
  ['12', '12'],
  ['', ''],
])('a value of %s is shown as %s: cut off, never rounded up', (value, text) => {
  expect(shown(value)).toBe(text)
})

test('a change is of the exact values, and cut off only then', () => {
  expect(change('1.0000005', '2.0000015')).toBe('+1.000001')
  expect(change('2', '1.5')).toBe('-0.5')
  expect(change('2', '2')).toBe('0')
})

test('a sum keeps every digit of amounts of 48 digits', () => {
  const large = `${'9'.repeat(30)}.${'9'.repeat(18)}`
  expect(total([large, '0.000000000000000001', '-1', large])).toBe(`1${'9'.repeat(29)}8.${'9'.repeat(18)}`)
})

test('a share in percent is exact', () => {
  expect(percent('0.123456789012345678')).toBe('12.3456789012345678')
  expect(percent('1')).toBe('100')
})

test('a rate is cut off, and there is none for nothing', () => {
  expect(rateOf('2', '3', 10)).toBe('0.6666666666')
  expect(rateOf('1', '0.000000000000000001', 10)).toBe('1000000000000000000')
  expect(rateOf('1', '0', 10)).toBeUndefined()
})

test.each([
  ['BUY', '100', '100.019', '1.9'],
  ['BUY', '100', '99.9989', '-0.1'],
  ['BUY', '100', '99.99999', '0'],
  ['SELL', '3', '2.9', '333.3'],
  ['SELL', '3', '3.1', '-333.3'],
] as const)('a %s at %s that was filled at %s was worse by %s basis points', (side, expected, actual, bps) => {
  expect(slippageBps(side, expected, actual)).toBe(bps)
})

test('the largest value comes first, by value and not by text', () => {
  expect(byValue(['9', '10', '-1', '0.5'], (text) => text)).toEqual(['10', '9', '0.5', '-1'])
})

test.each(['', '1e5', 'NaN', 'Infinity', '0x1f', ' 1', '+1', '.5'])('%j is no amount', (text) => {
  expect(() => percent(text)).toThrow('expected a plain decimal string')
})

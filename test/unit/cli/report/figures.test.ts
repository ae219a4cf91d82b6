// Figures as people read them.
import { expect, test } from 'vitest'
import { change, shown } from '../../../../cli/report/figures.ts'

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

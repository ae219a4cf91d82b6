import { expect, test } from 'vitest'
import { nearestName } from '../../../core/treasury/nearest-name.ts'

const known = ['service', 'timing', 'alarms', 'keySecret']

test.each([
  ['timng', 'timing'],
  ['Service', 'service'],
  ['keysecret', 'keySecret'],
  ['alarm', 'alarms'],
])('%s is answered with %s', (given, meant) => {
  expect(nearestName(given, known)).toBe(meant)
})

test.each(['policies', '', 'x'.repeat(100_000)])('a name that is near to none is answered with none', (given) => {
  expect(nearestName(given, known)).toBeUndefined()
})

test('with no known names, nothing is near', () => {
  expect(nearestName('service', [])).toBeUndefined()
})

// A suggestion for a wrong name is the most similar known name, if any is similar.
import { expect, test } from 'vitest'
import { nearestName } from '../../../core/treasury/nearest-name.ts'

const known = ['service', 'timing', 'alarms', 'keySecret']

test.each([
  ['timng', 'timing'],
  ['Service', 'service'],
  ['keysecret', 'keySecret'],
  ['alarm', 'alarms'],
])('of the known names, the nearest to %s is %s', (given, meant) => {
  expect(nearestName(given, known)).toBe(meant)
})

test.each(['policies', '', 'x'.repeat(100_000)])('a name that resembles no known name has no nearest name', (given) => {
  expect(nearestName(given, known)).toBeUndefined()
})

test('without known names, no name has a nearest name', () => {
  expect(nearestName('service', [])).toBeUndefined()
})

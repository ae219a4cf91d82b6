// A run is called by its policy and its start, and its whole id stays at hand.
import { expect, test } from 'vitest'
import { runName } from '../../../../operations/words/run-name.ts'
import { runLink } from '../../../../views/html/outcome-badge.ts'

test.each([
  ['2026-11-24T09:00:05.123Z', 'balanced, 24 Nov 09:00'],
  ['2026-01-01T00:30:00+01:00', 'balanced, 31 Dec 23:30'],
  ['at some time', 'balanced, at some time'],
])('a run that started at %s is called %s', (startedAt, name) => {
  expect(runName({ policy: 'balanced', startedAt })).toBe(name)
})

test('the link to a run has its name, and its whole id is beside it to copy', () => {
  const run = { runId: 'rb-0f982b92', policy: 'balanced', startedAt: '2026-11-24T09:00:00Z' }
  expect(runLink(run, '/decide').text).toBe(
    '<a href="/runs/rb-0f982b92/decide">balanced, 24 Nov 09:00</a> <code class="id">rb-0f982b92</code>',
  )
})

// Tests the filters of the log of people: what is refused, so that an empty log is never one of a mistyped span.
import { expect, test } from 'vitest'
import { readActFilter } from '../../../../operations/people/filter.ts'

test.each([
  [{ since: '2026-02-01', before: '2026-02-01' }, 'before: expected a time after since'],
  [{ since: '2026-02-01T09:00:00Z', before: '2026-01-01' }, 'before: expected a time after since'],
  [{ before: 'today' }, 'before: expected a day'],
  [{ did: 'paid' }, 'did: expected one of'],
  [{ person: '' }, 'person: expected a name'],
])('%j is refused', (filters, message) => {
  expect(() => readActFilter(filters)).toThrow(message)
})

test('a span with one end, and a month, are read in UTC', () => {
  expect(readActFilter({ since: '2026-01-01' })).toMatchObject({ sinceMs: Date.UTC(2026, 0, 1), beforeMs: undefined })
  expect(readActFilter({ since: '2026-01-01', before: '2026-02-01' })).toMatchObject({ beforeMs: Date.UTC(2026, 1, 1) })
})

// Tests how a period is read: its days in a zone, its midnights in UTC, and what is refused.
import { expect, onTestFinished, test, vi } from 'vitest'
import { dayIn, localText, readDays, readPeriod } from '../../../../operations/books/period.ts'

const NOW_MS = Date.UTC(2026, 10, 27, 15, 30)
const at = (ms: number) => new Date(ms).toISOString()

test.each([
  ['UTC', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
  ['Europe/Berlin', '2025-12-31T23:00:00.000Z', '2025-12-31T00:00:00.000Z'],
  ['America/New_York', '2026-01-01T05:00:00.000Z', '2026-01-01T00:00:00.000Z'],
])('the first of January in %s begins at %s, and is proven from %s', (zone, from, open) => {
  const { fromMs, openMs, toMs, closeMs } = readPeriod({ from: '2026-01-01', to: '2026-02-01', zone }, NOW_MS)
  expect([at(fromMs), at(openMs)]).toEqual([from, open])
  expect(closeMs - toMs).toBeLessThan(86_400_000)
  expect(closeMs).toBeGreaterThanOrEqual(toMs)
})

test('a day whose midnight the clocks skip begins at its first moment', () => {
  const { fromMs } = readPeriod({ from: '2026-04-24', to: '2026-05-01', zone: 'Africa/Cairo' }, NOW_MS)
  expect(localText('Africa/Cairo', fromMs)).toBe('2026-04-24 01:00:00')
  expect(localText('Africa/Cairo', fromMs - 1)).toBe('2026-04-23 23:59:59')
})

test('a period without an end reaches to the present, and is proven by the day of today', () => {
  const { toMs, closeMs } = readPeriod({ from: '2026-11-01' }, NOW_MS)
  expect([at(toMs), at(closeMs)]).toEqual([at(NOW_MS), '2026-11-28T00:00:00.000Z'])
})

test.each([
  [{}, 'from: expected the first day'],
  [{ from: '2026-13-01' }, 'from: expected a day such as 2026-01-31'],
  [{ from: '2026-01-01', to: 'now' }, 'to: expected a day such as'],
  [{ from: '2026-01-01', to: '2027-01-01' }, 'to: expected a time that has passed'],
  [{ from: '2026-02-01', to: '2026-02-01' }, 'to: expected a time after from'],
  [{ from: '2026-02-01', zone: '+02:00' }, 'zone: expected the IANA name'],
])('%j is refused', (flags, message) => {
  expect(() => readPeriod(flags, NOW_MS)).toThrow(message)
})

test('whole days without an end reach to the begin of today in their zone, and refuse a begin today', () => {
  expect(at(readDays({ from: '2026-11-01', zone: 'Asia/Tokyo' }, NOW_MS).toMs)).toBe('2026-11-27T15:00:00.000Z')
  expect(readDays({ from: '2026-11-27', zone: 'Asia/Tokyo' }, NOW_MS)).toMatchObject({ zone: 'Asia/Tokyo' })
  expect(() => readDays({ from: '2026-11-27' }, NOW_MS)).toThrow('from: expected a day before today')
})

test('the days of many moments in one zone make the zone once', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat')
  onTestFinished(() => made.mockRestore())
  const days = Array.from({ length: 1_000 }, (_, hour) => dayIn('Europe/Berlin', Date.UTC(2026, 0, 1, hour)))
  expect(days.at(0)).toBe('2026-01-01')
  expect(days.at(-1)).toBe('2026-02-11')
  expect(made.mock.calls.length).toBeLessThanOrEqual(1)
  // Another zone replaces it.
  expect(dayIn('Asia/Tokyo', Date.UTC(2026, 0, 1, 23))).toBe('2026-01-02')
})

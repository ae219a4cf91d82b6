// Nothing is sent in quiet hours, also where days are longer or shorter than 24 hours.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type QuietHours, WEEKDAYS } from '../../../core/contract/guards.ts'
import { findQuiet } from '../../../core/guards/quiet-hours.ts'

const MINUTE_MS = 60_000
const at = (iso: string) => Date.parse(iso)
const hours = (change: Partial<QuietHours> = {}): QuietHours => ({
  ...{ from: '18:00', to: '08:00', timeZone: 'Europe/Madrid' },
  ...change,
})
const untilOf = (each: QuietHours, from: string, to = from) => {
  const quiet = findQuiet([each], at(from), at(to))
  return quiet && new Date(quiet.untilMs ?? Number.NaN).toISOString()
}

describe('quiet hours past midnight', () => {
  test.each<[string, string, string | undefined]>([
    ['the minute before they start', '2026-01-05T16:59:59.999Z', undefined],
    ['the moment at which they start', '2026-01-05T17:00:00Z', '2026-01-06T07:00:00.000Z'],
    ['the last of them, the next day', '2026-01-06T06:59:59.999Z', '2026-01-06T07:00:00.000Z'],
    ['the moment at which they end', '2026-01-06T07:00:00Z', undefined],
    ['in summer, an hour earlier in UTC', '2026-07-06T16:00:00Z', '2026-07-07T06:00:00.000Z'],
    ['the night that the clock goes forward, an hour shorter', '2026-03-28T17:00:00Z', '2026-03-29T06:00:00.000Z'],
    ['the night that the clock goes back, an hour longer', '2026-10-24T16:00:00Z', '2026-10-25T07:00:00.000Z'],
  ])('%s', (_, now, until) => {
    expect(untilOf(hours(), now)).toBe(until)
  })

  test('belong to the day on which they start', () => {
    const friday = hours({ days: ['FRI'] })
    expect(untilOf(friday, '2026-01-09T17:30:00Z')).toBe('2026-01-10T07:00:00.000Z')
    expect(untilOf(friday, '2026-01-10T05:00:00Z')).toBe('2026-01-10T07:00:00.000Z')
    expect(untilOf(friday, '2026-01-09T05:00:00Z')).toBeUndefined()
    expect(untilOf(friday, '2026-01-10T17:30:00Z')).toBeUndefined()
  })
})

test('an hour that occurs twice is quiet twice, and one that never occurs is not quiet', () => {
  const second = hours({ from: '02:00', to: '03:00' })
  expect(untilOf(second, '2026-10-25T00:00:00Z')).toBe('2026-10-25T02:00:00.000Z')
  expect(untilOf(second, '2026-10-25T01:30:00Z')).toBe('2026-10-25T02:00:00.000Z')
  expect(findQuiet([second], at('2026-03-28T23:00:00Z'), at('2026-03-29T22:00:00Z'))).toBeUndefined()
})

test('whole days are days of the zone', () => {
  const weekend = hours({ days: ['SAT', 'SUN'], from: '00:00', to: '00:00', timeZone: 'Asia/Kathmandu' })
  expect(untilOf(weekend, '2026-01-09T18:14:59Z')).toBeUndefined()
  expect(untilOf(weekend, '2026-01-09T18:15:00Z')).toBe('2026-01-11T18:15:00.000Z')
})

test('adjacent quiet hours end where the last of them ends', () => {
  const evening = hours({ from: '18:00', to: '22:00', timeZone: 'UTC' })
  const night = hours({ from: '22:00', to: '06:30', timeZone: 'UTC' })
  const quiet = findQuiet([evening, night], at('2026-01-05T18:00:00Z'), at('2026-01-05T18:00:00Z'))
  expect(quiet?.untilMs).toBe(at('2026-01-06T06:30:00Z'))
})

test('a period that only touches them is quiet, at either end', () => {
  expect(untilOf(hours(), '2026-01-05T16:58:30Z', '2026-01-05T17:00:00Z')).toBe('2026-01-06T07:00:00.000Z')
  expect(untilOf(hours(), '2026-01-05T16:58:30Z', '2026-01-05T16:59:59Z')).toBeUndefined()
  expect(untilOf(hours(), '2026-01-06T06:59:59Z', '2026-01-06T07:01:30Z')).toBe('2026-01-06T07:00:00.000Z')
})

test('hours that never end have no end, and a period of weeks is always quiet', () => {
  const always = hours({ from: '00:00', to: '00:00' })
  expect(findQuiet([always], 0, 0)).toEqual({ untilMs: undefined })
  const sometime = hours({ days: ['MON'], from: '00:00', to: '00:01', timeZone: 'UTC' })
  expect(findQuiet([sometime], at('2026-01-06T00:00:00Z'), at('2026-01-10T00:00:00Z'))).toBeUndefined()
  expect(findQuiet([sometime], at('2026-01-06T00:00:00Z'), at('2026-03-10T00:00:00Z'))).toBeDefined()
  expect(findQuiet([], 0, at('2026-03-10T00:00:00Z'))).toBeUndefined()
})

test('a zone that this machine does not know is an error, so that nothing is sent', () => {
  expect(() => findQuiet([hours({ timeZone: 'Mars/Olympus' })], 0, 0)).toThrow(RangeError)
})

/** An independent method: the text that a wall clock of the zone shows. */
function isQuietByText({ days, from, to, timeZone }: QuietHours, nowMs: number): boolean {
  const show = (ms: number) => {
    const text = new Date(ms).toLocaleString('en-GB', {
      ...{ timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' },
    })
    const [weekday = '', time = ''] = text.split(/,? /)
    return { day: weekday.toUpperCase() as (typeof WEEKDAYS)[number], time }
  }
  const { day, time } = show(nowMs)
  const before = WEEKDAYS[(WEEKDAYS.indexOf(day) + 6) % 7] as (typeof WEEKDAYS)[number]
  const counts = (on: (typeof WEEKDAYS)[number]) => days === undefined || days.includes(on)
  if (from < to) return counts(day) && from <= time && time < to
  return (counts(day) && time >= from) || (counts(before) && time < to)
}

const clockTime = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
const anyHours: fc.Arbitrary<QuietHours> = fc.record({
  days: fc.option(fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 }), { nil: undefined }),
  from: clockTime,
  to: clockTime,
  timeZone: fc.constantFrom('UTC', 'Europe/Madrid', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'),
}) as fc.Arbitrary<QuietHours>
/** Moments around changes of clocks are as frequent as all others in a year. */
const anyMoment = fc
  .tuple(
    fc.constantFrom(
      '2026-03-08T07:00Z',
      '2026-03-29T01:00Z',
      '2026-04-04T15:00Z',
      '2026-10-25T01:00Z',
      '2026-06-30T00:00Z',
    ),
    fc.integer({ min: -2_880, max: 2_880 }),
  )
  .map(([near, minutes]) => Date.parse(near) + minutes * MINUTE_MS)

test('at any moment in any zone it is quiet when the wall clock says so, until the first minute that is not', () => {
  fc.assert(
    fc.property(anyHours, anyMoment, (each, nowMs) => {
      const quiet = findQuiet([each], nowMs, nowMs)
      expect(quiet !== undefined).toBe(isQuietByText(each, nowMs))
      if (quiet?.untilMs === undefined) return
      expect(isQuietByText(each, quiet.untilMs)).toBe(false)
      expect(isQuietByText(each, quiet.untilMs - MINUTE_MS)).toBe(true)
    }),
    { numRuns: 600 },
  )
})

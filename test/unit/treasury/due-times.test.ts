// The schedules in EventBridge Scheduler never depend on the hour, and StartRun knows which of the ticks are due.
import { describe, expect, test } from 'vitest'
import { isDue, nextDueMs, scheduledTick } from '../../../core/treasury/due-times.ts'

const schedule = (expression: string, more: object = {}) => ({
  ...{ expression, timeZone: 'UTC', retries: 3, maxEventAgeSeconds: 900 },
  ...more,
})
const at = (iso: string) => Date.parse(iso)

describe('a rate', () => {
  test('without a start counts from midnight of 1970, in every deployment', () => {
    expect(scheduledTick(schedule('rate(6 hours)'))).toEqual({ expression: 'cron(0 0/6 * * ? *)', timeZone: 'UTC' })
    expect(nextDueMs(schedule('rate(6 hours)'), at('2026-01-30T06:00:00Z'))).toBe(at('2026-01-30T12:00:00Z'))
  })

  test('with a start counts from it, to the minute, and is not due before', () => {
    const fortnightly = schedule('rate(14 days)', { start: '2026-03-02T10:30:45+01:00' })
    expect(scheduledTick(fortnightly).expression).toBe('cron(30 9 * * ? *)')
    expect(nextDueMs(fortnightly, 0)).toBe(at('2026-03-02T09:30:00Z'))
    expect(isDue(fortnightly, at('2026-02-16T09:30:00Z'))).toBe(false)
    expect(isDue(fortnightly, at('2026-03-02T09:30:00Z'))).toBe(true)
    expect(isDue(fortnightly, at('2026-03-09T09:30:00Z'))).toBe(false)
    expect(isDue(fortnightly, at('2026-03-16T09:30:17Z'))).toBe(true)
  })
})

test('a run is due at the end of a schedule, and no run is due after it', () => {
  const ending = schedule('cron(0 9 * * ? *)', { end: '2026-01-31T09:00:00Z' })
  expect(isDue(ending, at('2026-01-31T09:00:00Z'))).toBe(true)
  expect(isDue(ending, at('2026-02-01T09:00:00Z'))).toBe(false)
  expect(nextDueMs(ending, at('2026-01-31T09:00:00Z'))).toBeUndefined()
})

test('an at after its end is never due', () => {
  const late = schedule('at(2026-02-01T00:00:00)', { end: '2026-01-31T00:00:00Z' })
  expect(isDue(late, at('2026-02-01T00:00:00Z'))).toBe(false)
  expect(nextDueMs(late, 0)).toBeUndefined()
})

test('an at is due once, in its year, at its minute', () => {
  const once = schedule('at(2026-02-01T09:30:59)', { start: '2026-02-01T09:30:30Z' })
  expect(scheduledTick(once).expression).toBe('cron(30 9 1 2 ? *)')
  expect(nextDueMs(once, 0)).toBe(at('2026-02-01T09:30:00Z'))
  expect(isDue(once, at('2026-02-01T09:30:00Z'))).toBe(true)
  expect(isDue(once, at('2027-02-01T09:30:00Z'))).toBe(false)
})

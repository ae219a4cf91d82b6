// A schedule is shown in words that a person need not decode.
import { expect, test } from 'vitest'
import { scheduleInWords } from '../../../../operations/overview/policy-rows.ts'

test.each([
  ['rate(1 hour)', 'UTC', 'Every hour (UTC)'],
  ['rate(15 minutes)', 'UTC', 'Every 15 minutes (UTC)'],
  ['at(2026-01-31T09:00:00)', 'Europe/Berlin', 'Once, at 2026-01-31T09:00:00 (Europe/Berlin)'],
  ['cron(0 9 ? * MON-FRI *)', 'Europe/Berlin', 'At 09:00, Monday through Friday (Europe/Berlin)'],
  ['cron(0 9 ? * 2 *)', 'UTC', 'At 09:00, only on Monday (UTC)'],
  ['cron(0/5 8-17 * * ? *)', 'UTC', 'Every 5 minutes, between 08:00 and 17:59 (UTC)'],
  ['cron(0 6 L * ? *)', 'UTC', 'At 06:00, on the last day of the month (UTC)'],
  ['cron(0 9 LW * ? 2027)', 'UTC', 'At 09:00, on the last weekday of the month, only in 2027 (UTC)'],
  ['cron(0 9 ? * 6#2 *)', 'UTC', 'At 09:00, on the second Friday of the month (UTC)'],
])('the schedule %s in %s is "%s" in words', (expression, timeZone, words) => {
  expect(scheduleInWords({ expression, timeZone })).toBe(words)
})

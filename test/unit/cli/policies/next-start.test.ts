// The next start of a policy is the next time of its schedule, within its dates and in its zone.
import { expect, test } from 'vitest'
import { nextStart } from '../../../../operations/overview/policy-rows.ts'

const NOW_MS = Date.parse('2026-01-30T10:00:00Z')
const schedule = (expression: string, more: object = {}) => ({
  ...{ expression, timeZone: 'UTC', retries: 3, maxEventAgeSeconds: 900 },
  ...more,
})

test.each([
  ['the next time of a cron', schedule('cron(0 9 ? * MON-FRI *)'), '2026-02-02T09:00:00.000Z'],
  ['in its own zone', schedule('cron(0 9 * * ? *)', { timeZone: 'Europe/Madrid' }), '2026-01-31T08:00:00.000Z'],
  [
    'not before its start',
    schedule('cron(0 9 * * ? *)', { start: '2026-03-01T09:00:00Z' }),
    '2026-03-01T09:00:00.000Z',
  ],
  ['nothing after its end', schedule('cron(0 9 * * ? *)', { end: '2026-01-31T08:59:59Z' }), undefined],
  ['a time to come', schedule('at(2026-02-01T00:00:00)'), '2026-02-01T00:00:00.000Z'],
  ['nothing for a time that has passed', schedule('at(2026-01-01T00:00:00)'), undefined],
  ['the next time of a rate, which counts from midnight', schedule('rate(6 hours)'), '2026-01-30T12:00:00.000Z'],
])('a schedule shows %s', (_what, given, next) => {
  expect(nextStart(given, NOW_MS)).toBe(next)
})

// The next time of a cron or a rate is right in its zone, also where clocks are put forward or back.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseExpression } from '../schedule-expression.ts'

/** The first `count` moments after `after`. */
function nexts(expression: string, after: string, count = 3, zone = 'UTC'): readonly string[] {
  const timing = parseExpression(expression, zone)
  const found: string[] = []
  let atMs: number | undefined = Date.parse(after)
  while (found.length < count) {
    atMs = timing.nextMs(atMs, Date.parse(after))
    if (atMs === undefined) break
    found.push(new Date(atMs).toISOString().replace(':00.000Z', 'Z'))
  }
  return found
}

describe('cron', () => {
  test.each<[string, readonly string[]]>([
    // The examples of the documentation, after Saturday 31 January 2026, 09:00.
    ['cron(0 10 * * ? *)', ['2026-01-31T10:00Z', '2026-02-01T10:00Z', '2026-02-02T10:00Z']],
    ['cron(15 12 * * ? *)', ['2026-01-31T12:15Z', '2026-02-01T12:15Z', '2026-02-02T12:15Z']],
    ['cron(0 18 ? * MON-FRI *)', ['2026-02-02T18:00Z', '2026-02-03T18:00Z', '2026-02-04T18:00Z']],
    ['cron(0 8 1 * ? *)', ['2026-02-01T08:00Z', '2026-03-01T08:00Z', '2026-04-01T08:00Z']],
    ['cron(0/15 * * * ? *)', ['2026-01-31T09:15Z', '2026-01-31T09:30Z', '2026-01-31T09:45Z']],
    ['cron(0/10 * ? * MON-FRI *)', ['2026-02-02T00:00Z', '2026-02-02T00:10Z', '2026-02-02T00:20Z']],
    ['cron(0/5 8-17 ? * MON-FRI *)', ['2026-02-02T08:00Z', '2026-02-02T08:05Z', '2026-02-02T08:10Z']],
    ['cron(15 10 ? * 6L 2026-2027)', ['2026-02-27T10:15Z', '2026-03-27T10:15Z', '2026-04-24T10:15Z']],
    ['cron(0 9 L * ? *)', ['2026-02-28T09:00Z', '2026-03-31T09:00Z', '2026-04-30T09:00Z']],
    ['cron(0 9 ? * L *)', ['2026-02-07T09:00Z', '2026-02-14T09:00Z', '2026-02-21T09:00Z']],
    ['cron(0 9 ? * 3#2 *)', ['2026-02-10T09:00Z', '2026-03-10T09:00Z', '2026-04-14T09:00Z']],
    ['cron(0 9 ? * TUE#5 *)', ['2026-03-31T09:00Z', '2026-06-30T09:00Z', '2026-09-29T09:00Z']],
    // The 15th is a Sunday in February and March, and a Wednesday in April. The 1st is a Sunday, and its Monday is the
    // 2nd.
    ['cron(0 9 15W * ? *)', ['2026-02-16T09:00Z', '2026-03-16T09:00Z', '2026-04-15T09:00Z']],
    ['cron(0 9 1W 2,8 ? *)', ['2026-02-02T09:00Z', '2026-08-03T09:00Z', '2027-02-01T09:00Z']],
    ['cron(0 9 31W 1,5 ? *)', ['2026-05-29T09:00Z', '2027-01-29T09:00Z', '2027-05-31T09:00Z']],
    ['cron(0 0 29 2 ? *)', ['2028-02-29T00:00Z', '2032-02-29T00:00Z', '2036-02-29T00:00Z']],
    ['cron(0 0 30 2 ? *)', []],
    ['cron(5,35 14 1,15 JAN,JUL ? *)', ['2026-07-01T14:05Z', '2026-07-01T14:35Z', '2026-07-15T14:05Z']],
    ['cron(0 0 1 1 ? 2027/2)', ['2027-01-01T00:00Z', '2029-01-01T00:00Z', '2031-01-01T00:00Z']],
    ['cron(0 0 1 1 ? 2020)', []],
    ['cron(0 12 1-7/3 2 ? 2026)', ['2026-02-01T12:00Z', '2026-02-04T12:00Z', '2026-02-07T12:00Z']],
  ])('%s', (expression, expected) => {
    expect(nexts(expression, '2026-01-31T09:00Z')).toEqual(expected)
  })

  test('is skipped where the clocks are put forward over its time, and is due on the other days', () => {
    // Berlin, 29 March 2026: 02:00 becomes 03:00.
    expect(nexts('cron(30 2 * * ? *)', '2026-03-27T12:00Z', 3, 'Europe/Berlin')).toEqual([
      '2026-03-28T01:30Z',
      '2026-03-30T00:30Z',
      '2026-03-31T00:30Z',
    ])
  })

  test('is due once where the clocks are put back over its time', () => {
    // New York, 1 November 2026: 01:30 comes twice.
    expect(nexts('cron(30 1 * * ? *)', '2026-10-31T12:00Z', 2, 'America/New_York')).toEqual([
      '2026-11-01T05:30Z',
      '2026-11-02T06:30Z',
    ])
    expect(nexts('cron(0/30 1 1 11 ? 2026)', '2026-10-31T12:00Z', 9, 'America/New_York')).toEqual([
      '2026-11-01T05:00Z',
      '2026-11-01T05:30Z',
    ])
  })

  test.each([
    ['Asia/Kolkata', '2026-01-31T03:30Z'],
    ['Asia/Kathmandu', '2026-01-31T03:15Z'],
    ['Pacific/Kiritimati', '2026-01-30T19:00Z'],
    ['America/Los_Angeles', '2026-01-31T17:00Z'],
    ['Australia/Lord_Howe', '2026-01-30T22:00Z'],
  ])('is in local time: 09:00 in %s', (zone, expected) => {
    expect(nexts('cron(0 9 * * ? *)', '2026-01-30T18:00Z', 1, zone)).toEqual([expected])
  })

  test('its next time is the first matching time after the moment (property)', () => {
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata')
    const at = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) })
    fc.assert(
      fc.property(zones, at, fc.nat(23), fc.nat(59), (zone, afterMs, hour, minute) => {
        const local = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
        const wanted = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
        const dueMs = parseExpression(`cron(${minute} ${hour} * * ? *)`, zone).nextMs(afterMs, 0) ?? 0
        expect(dueMs).toBeGreaterThan(afterMs)
        expect(local.format(dueMs)).toBe(wanted)
        const between: string[] = []
        for (let ms = Math.ceil((afterMs + 1) / 60_000) * 60_000; ms < dueMs; ms += 60_000) {
          if (local.format(ms) === wanted) between.push(new Date(ms).toISOString())
        }
        // Only the second of two equal local times may lie in between.
        expect(
          between.filter(
            (each) =>
              local.format(Date.parse(each) - 3_600_000) !== wanted &&
              local.format(Date.parse(each) - 1_800_000) !== wanted,
          ),
        ).toEqual([])
      }),
      { numRuns: 25 },
    )
  })
})

describe('rate', () => {
  test('is due at its anchor, and at each interval after it', () => {
    const timing = parseExpression('rate(5 minutes)', 'UTC')
    const anchorMs = Date.parse('2026-01-31T09:01:30Z')
    expect(timing.nextMs(anchorMs - 1, anchorMs)).toBe(anchorMs)
    expect(timing.nextMs(anchorMs, anchorMs)).toBe(anchorMs + 300_000)
    expect(timing.nextMs(anchorMs + 299_999, anchorMs)).toBe(anchorMs + 300_000)
  })

  test('a rate of days is 24 hours a day, whatever the clocks do', () => {
    expect(nexts('rate(1 day)', '2026-03-28T09:00Z', 2, 'Europe/Berlin')).toEqual([
      '2026-03-29T09:00Z',
      '2026-03-30T09:00Z',
    ])
  })
})

describe('at', () => {
  test('is due once, in local time', () => {
    expect(nexts('at(2026-02-01T09:30:00)', '2026-01-31T09:00Z', 3, 'Europe/Berlin')).toEqual(['2026-02-01T08:30Z'])
    expect(nexts('at(2026-01-01T09:30:00)', '2026-01-31T09:00Z')).toEqual([])
  })
})

// Each expression of the table is accepted or refused as AWS does it, and no text breaks the parser.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ExpressionError } from '../cron-fields.ts'
import { parseExpression } from '../schedule-expression.ts'
import { ACCEPTED, AFTER, REFUSED } from './grammar-table.ts'

const AFTER_MS = Date.parse(AFTER)

test('the table has over 150 expressions, each once', () => {
  const all = [...ACCEPTED, ...REFUSED].map(({ expression, zone }) => `${expression} ${zone}`)
  expect(all.length).toBeGreaterThan(150)
  expect(new Set(all).size).toBe(all.length)
})

describe('accepted', () => {
  test.each(ACCEPTED)('$expression in $zone: $why', ({ expression, zone = 'UTC', next }) => {
    const nextMs = parseExpression(expression, zone).nextMs(AFTER_MS, AFTER_MS)
    const text = nextMs === undefined ? 'never' : new Date(nextMs).toISOString()
    expect(text.replace(':00.000Z', 'Z')).toBe(next)
  })
})

describe('refused', () => {
  test.each(REFUSED)('$expression in $zone: $why', ({ expression, zone = 'UTC', expected, got }) => {
    const error = errorOf(expression, zone)
    expect(error).toBeInstanceOf(ExpressionError)
    expect(error).toMatchObject({ expected: expect.stringContaining(expected), got })
    expect((error as Error).message).toBe(
      `expected ${(error as ExpressionError).expected}; got ${JSON.stringify((error as ExpressionError).got)}`,
    )
  })
})

function errorOf(expression: string, zone: string): unknown {
  try {
    parseExpression(expression, zone)
    return undefined
  } catch (error) {
    return error
  }
}

const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu')
const moments = fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2200, 0) })
/** Items that a field may hold, and some that it may not. */
const items = fc.oneof(
  fc.constantFrom('*', '?', 'L', 'W', 'LW', '6L', '15W', '3#2', 'MON', 'FRI-MON', 'JAN-MAR', '1-5', '*/2', '0/15'),
  fc.tuple(fc.nat(70), fc.nat(70)).map(([from, to]) => `${from}-${to}`),
  fc.tuple(fc.nat(2_250), fc.nat(70)).map(([from, step]) => `${from}/${step}`),
  fc.nat(2_250).map(String),
)
const fields = fc.array(items, { minLength: 1, maxLength: 3 }).map((list) => list.join(','))
const crons = fc.array(fields, { minLength: 6, maxLength: 6 }).map((six) => `cron(${six.join(' ')})`)
const days = fc.constantFrom('* * ? *', '? * * *', 'L * ? *', '29 2 ? *', '? 3 1L *', '? * TUE#5 *', '31W * ? 2026/3')
const soundCrons = fc.tuple(fc.nat(59), fc.nat(23), days).map(([minute, hour, day]) => `cron(${minute} ${hour} ${day})`)
const rates = fc
  .tuple(fc.nat(2_000_000_000), fc.constantFrom('minute', 'minutes', 'hours', 'days', 'weeks'))
  .map(([count, unit]) => `rate(${count} ${unit})`)
const ats = fc
  .date({ min: new Date(0), max: new Date(253_402_300_799_000), noInvalidDate: true })
  .map((date) => `at(${date.toISOString().slice(0, 19)})`)
/** Any text within the brackets. */
const anything = fc
  .tuple(fc.constantFrom('cron', 'rate', 'at', 'Rate', ''), fc.string({ maxLength: 40 }))
  .map(([kind, text]) => `${kind}(${text})`)

describe('for any text', () => {
  test('an expression is refused with its fault, or its next time lies ahead, or it has no next time (property)', () => {
    let accepted = 0
    fc.assert(
      fc.property(
        fc.oneof(soundCrons, crons, rates, ats, anything, fc.string()),
        zones,
        moments,
        moments,
        (expression, zone, afterMs, anchorMs) => {
          const error = errorOf(expression, zone)
          if (error !== undefined) {
            expect(error).toBeInstanceOf(ExpressionError)
            return
          }
          accepted += 1
          const nextMs = parseExpression(expression, zone).nextMs(afterMs, anchorMs)
          if (nextMs === undefined) return
          expect(nextMs).toBeGreaterThan(afterMs)
          expect(new Date(nextMs).toISOString()).toMatch(/^[+]?\d+-/)
        },
      ),
      { numRuns: 2_000 },
    )
    expect(accepted).toBeGreaterThan(300)
  })

  test('no time is skipped: the next time from one minute earlier is the same or earlier (property)', () => {
    fc.assert(
      fc.property(soundCrons, zones, moments, (expression, zone, afterMs) => {
        const timing = parseExpression(expression, zone)
        const nextMs = timing.nextMs(afterMs, 0) ?? Number.POSITIVE_INFINITY
        const earlierMs = timing.nextMs(afterMs - 60_000, 0) ?? Number.POSITIVE_INFINITY
        expect(earlierMs).toBeLessThanOrEqual(nextMs)
        // A repeated time is due the first time only, so the earlier answer may lie between.
        if (earlierMs > afterMs) expect(earlierMs).toBe(nextMs)
      }),
      { numRuns: 300 },
    )
  })
})

// The service's time is found in its answer, and no other time of the answer is taken for it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTime, recogniseTime } from '../../../core/service/recognise-time.ts'

const NINE = Date.UTC(2026, 0, 31, 9)
const iso = (epochMs: number) => new Date(epochMs).toISOString()
const httpDate = (epochMs: number) => new Date(epochMs).toUTCString()

describe('recogniseTime', () => {
  it.each([
    ['ISO with milliseconds', { time: '2026-01-31T09:00:00.250Z' }, NINE + 250, false],
    ['ISO with seconds', { serverTime: '2026-01-31T09:00:00Z' }, NINE, true],
    ['ISO with an offset', { now: '2026-01-31T10:00:00.000+01:00' }, NINE, false],
    ['epoch milliseconds', { epoch: NINE + 7 }, NINE + 7, false],
    ['epoch seconds', { timestamp: NINE / 1000 }, NINE, true],
    ['fractional epoch seconds', { unix: NINE / 1000 + 0.5 }, NINE + 500, false],
    ['digits in a string', { whatever: String(NINE + 7) }, NINE + 7, false],
    ['a bare value', '2026-01-31T09:00:00.001Z', NINE + 1, false],
    ['snake case', { server_time: NINE + 7 }, NINE + 7, false],
    ['camel case with units', { currentTimeMillis: NINE + 7 }, NINE + 7, false],
    ['kebab case', { 'unix-timestamp': NINE / 1000 }, NINE, true],
    ['the finer of two', { epochSeconds: NINE / 1000, epochMs: NINE + 250 }, NINE + 250, false],
    ['the present over a start', { startedAt: '2026-01-01T00:00:00.000Z', now: NINE / 1000 }, NINE, true],
    [
      'the present beside the end of a window',
      { serverTime: NINE / 1000, serviceWindowEndsAt: iso(NINE + 7) },
      NINE,
      true,
    ],
    [
      'the present beside the end of maintenance',
      { currentMaintenanceUntil: iso(NINE + 7), time: NINE / 1000 },
      NINE,
      true,
    ],
    ['the only one, whatever its name', { q: 5, z: '2026-01-31T09:00:00.250Z', up: true }, NINE + 250, false],
  ])('reads %s', (_what, json, epochMs, isCoarse) => {
    expect(recogniseTime(json)).toEqual({ epochMs, from: 'body', isCoarse })
  })

  it.each([
    ['nothing', {}],
    ['null', null],
    ['a small number', { time: 12345 }],
    ['a far date', { time: '2199-01-01T00:00:00Z' }],
    ['an invalid date', { time: '2026-13-45T99:00:00Z' }],
    ['a time without a zone', { time: '2026-01-31T09:00:00' }],
    ['a time in whole minutes', { time: '2026-01-31T09:00Z' }],
    ['two times, neither of them named the present', { startedAt: iso(NINE), nextWindow: iso(NINE + 3_600_000) }],
    ['two times named the present that contradict each other', { time: NINE, serverTime: NINE + 60_000 }],
    ['a nested time', { inner: { time: NINE } }],
  ])('recognises no time in %s', (_what, json) => {
    expect(recogniseTime(json)).toBeUndefined()
  })
})

describe('the time of an answer', () => {
  it.each([
    ['no Date header', ''],
    ['a garbled one', 'yesterday, about nine'],
    ['one of a clock that was never set', httpDate(0)],
  ])("is the body's if there is %s", (_what, date) => {
    expect(readTime({ time: iso(NINE + 250) }, date)).toEqual({ epochMs: NINE + 250, from: 'body', isCoarse: false })
  })

  it.each([
    [-2_000, 'body'],
    [-2_001, 'date'],
    // The header names a second: it may have been written in the last millisecond of it.
    [3_000, 'body'],
    [3_001, 'date'],
    [60_000, 'date'],
    [-60_000, 'date'],
  ])('%i ms from the Date header in the body is that of the %s', (awayMs, from) => {
    expect(readTime({ time: iso(NINE + awayMs) }, httpDate(NINE))).toMatchObject({ from, isCoarse: from === 'date' })
  })

  it('is the header’s, in whole seconds, if the body has none', () => {
    expect(readTime({}, httpDate(NINE))).toEqual({ epochMs: NINE, from: 'date', isCoarse: true })
    expect(readTime({}, '')).toBeUndefined()
  })
})

/** Names of the present, as services spell them, and names of anything else. */
const presentName = fc.constantFrom(
  'now',
  'time',
  'serverTime',
  'server_time',
  'timestamp',
  'epochMs',
  'iso',
  'utc_now',
)
const otherName = fc.constantFrom(
  ...[
    'serviceWindowEndsAt',
    'currentMaintenanceUntil',
    'startedAt',
    'expires',
    'nextTimeSlot',
    'lastUpdate',
    'timeout',
  ],
  ...[
    'serverStartTime',
    'current_deadline',
    'dateOfRelease',
    'epochOfKeys',
    'utcMidnight',
    'isoWeekStart',
    'nowShowing',
  ],
)
const anyMs = fc.integer({ min: Date.UTC(2020, 0, 2), max: Date.UTC(2099, 11, 31) })
const spelt = (epochMs: number) => fc.constantFrom(iso(epochMs), epochMs, String(epochMs), Math.floor(epochMs / 1000))
const others = fc.dictionary(otherName, anyMs.chain(spelt), { maxKeys: 6 })

describe('whatever else a body holds', () => {
  it('a field whose whole name means the present is the time', () => {
    const present = fc.tuple(
      presentName,
      anyMs.chain((epochMs) => fc.tuple(fc.constant(epochMs), spelt(epochMs))),
    )
    fc.assert(
      fc.property(present, others, fc.boolean(), ([name, [epochMs, value]], rest, isFirst) => {
        const read = recogniseTime(isFirst ? { [name]: value, ...rest } : { ...rest, [name]: value })
        expect(read?.epochMs).toBe(read?.isCoarse ? Math.floor(epochMs / 1000) * 1000 : epochMs)
      }),
    )
  })

  it('without a present-time field only a single time is taken', () => {
    fc.assert(
      fc.property(others, (rest) => {
        expect(recogniseTime(rest) === undefined).toBe(Object.keys(rest).length !== 1)
      }),
    )
  })

  it('a time beside a Date header is never further from it than the accepted distance', () => {
    const body = fc.oneof(others, fc.dictionary(fc.oneof(presentName, otherName), anyMs.chain(spelt)), fc.jsonValue())
    fc.assert(
      fc.property(body, anyMs, (json, nowMs) => {
        const read = readTime(json, httpDate(nowMs))
        const secondMs = Math.floor(nowMs / 1000) * 1000
        expect(read?.epochMs).toBeGreaterThanOrEqual(secondMs - 2_000)
        expect(read?.epochMs).toBeLessThanOrEqual(secondMs + 3_000)
      }),
    )
  })

  it('a body that was written within a second of its header is accepted, in whole seconds or finer', () => {
    const lagMs = fc.integer({ min: -1_000, max: 1_000 })
    fc.assert(
      fc.property(anyMs, lagMs, fc.boolean(), (nowMs, lag, isCoarse) => {
        const json = isCoarse ? { epochSeconds: Math.floor((nowMs + lag) / 1000) } : { epochMs: nowMs + lag }
        expect(readTime(json, httpDate(nowMs))).toMatchObject({ from: 'body', isCoarse })
      }),
    )
  })
})

it('a body with less detail than the header adds that much doubt, if it speaks of the present', () => {
  const header = 'Thu, 01 Jan 2026 13:00:00 GMT'
  const believed = { epochMs: Date.parse('2026-01-01T13:00:00Z'), from: 'date', isCoarse: true }
  const earlier = '2026-01-01T12:00:00Z'
  expect(readTime({ serverTime: earlier }, header)).toEqual({ ...believed, doubtMs: 3_600_000 })
  expect(readTime({ maintenanceSince: earlier }, header)).toEqual(believed)
  expect(readTime({ serverTime: '2026-01-01T14:00:00Z' }, header)).toEqual(believed)
})

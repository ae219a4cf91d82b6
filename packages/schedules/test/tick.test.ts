// A tick meets every due time of its expression, and its filter passes only those times, whenever the tick is computed.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExpression } from '../schedule-expression.ts'
import { tickOf } from '../tick.ts'

const MINUTE_MS = 60_000
const FROM_MS = Date.parse('2026-03-28T00:00:00Z')

/** The first `most` due moments of an expression, from `fromMs`. */
function moments(expression: string, zone: string, { anchorMs = 0, fromMs = FROM_MS, most = 20 } = {}): number[] {
  const timing = parseExpression(expression, zone)
  const found: number[] = []
  for (let atMs = timing.nextMs(fromMs - 1, anchorMs); atMs !== undefined; atMs = timing.nextMs(atMs, anchorMs)) {
    if (found.push(atMs) === most) break
  }
  return found
}

test.each([
  ['rate(1 minute)', 'cron(* * * * ? *)'],
  ['rate(5 minutes)', 'cron(2/5 * * * ? *)'],
  ['rate(7 minutes)', 'cron(* * * * ? *)'],
  ['rate(45 minutes)', 'cron(2/15 * * * ? *)'],
  ['rate(1 hour)', 'cron(17 * * * ? *)'],
  ['rate(6 hours)', 'cron(17 3/6 * * ? *)'],
  ['rate(5 hours)', 'cron(17 * * * ? *)'],
  ['rate(36 hours)', 'cron(17 9/12 * * ? *)'],
  ['rate(1 day)', 'cron(17 9 * * ? *)'],
  ['rate(5 days)', 'cron(17 9 * * ? *)'],
])('%s that began at 09:17 ticks as %s of UTC', (rate, cron) => {
  const { expression, timeZone } = tickOf(rate, 'Europe/Madrid', Date.parse('2026-03-01T09:17:42Z'))
  expect({ expression, timeZone }).toEqual({ expression: cron, timeZone: 'UTC' })
})

test('the ticks that are due are the times of the rate, to the last one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4_000 }),
      fc.constantFrom('minutes', 'hours', 'days'),
      fc.integer({ min: 0, max: 30_000_000 }),
      (count, unit, anchorMinute) => {
        const anchorMs = anchorMinute * MINUTE_MS
        const rate = `rate(${count} ${unit})`
        const tick = tickOf(rate, 'UTC', anchorMs)
        const due = moments(rate, 'UTC', { anchorMs, fromMs: anchorMs + FROM_MS, most: 3 })
        for (const dueMs of due) {
          expect(tick.isDue(dueMs)).toBe(true)
          expect(moments(tick.expression, tick.timeZone, { fromMs: dueMs, most: 1 })).toEqual([dueMs])
        }
        const ticks = moments(tick.expression, 'UTC', { fromMs: anchorMs + FROM_MS, most: 12 })
        const until = Math.min(due.at(-1) ?? 0, ticks.at(-1) ?? 0)
        const kept = (all: readonly number[]) => all.filter((atMs) => atMs <= until)
        expect(kept(ticks.filter(tick.isDue))).toEqual(kept(due))
      },
    ),
    { numRuns: 50 },
  )
})

test.each([
  ['cron(0 9 ? * MON-FRI *)', 'cron(0 9 ? * MON-FRI *)'],
  ['cron(30 1/2 L  2 ? 2024-2026)', 'cron(30 1/2 L 2 ? *)'],
  ['at(2026-02-28T23:30:59)', 'cron(30 23 28 2 ? *)'],
  ['at(2024-02-29T00:00:00)', 'cron(0 0 29 2 ? *)'],
])('%s ticks in its own zone and every year, as %s, and is due in its years only', (expression, cron) => {
  const tick = tickOf(expression, 'Asia/Tokyo', 0)
  expect(tick).toMatchObject({ expression: cron, timeZone: 'Asia/Tokyo' })
  const fromMs = Date.parse('2023-06-01T00:00:00Z')
  const toMinute = (ms: number) => Math.floor(ms / MINUTE_MS) * MINUTE_MS
  const due = moments(expression, 'Asia/Tokyo', { fromMs }).map(toMinute)
  const ticks = moments(cron, 'Asia/Tokyo', { fromMs, most: 200 }).filter(tick.isDue)
  expect(due.length).toBeGreaterThan(0)
  expect(ticks.slice(0, due.length)).toEqual(due)
})

test('a year is that of the zone: midnight of New Year is due where the clocks are ahead', () => {
  const tick = tickOf('at(2027-01-01T00:30:00)', 'Pacific/Auckland', 0)
  expect(tick.isDue(Date.parse('2026-12-31T11:30:00Z'))).toBe(true)
  expect(tick.isDue(Date.parse('2027-12-31T11:30:00Z'))).toBe(false)
})

test.each([
  ['cron(0 9 ? * MON-FRI *)', '2026-11-24T09:00:00Z', true],
  ['cron(0 9 ? * MON-FRI *)', '2026-11-24T14:37:00Z', false],
  ['cron(0 9 ? * MON-FRI *)', '2026-11-22T09:00:00Z', false],
  ['cron(0 9 1 1/3 ? *)', '2026-11-01T09:00:00Z', false],
  // EventBridge Scheduler decides which day such a field means.
  ['cron(0 9 15W * ? *)', '2026-11-24T09:00:00Z', true],
  ['cron(0 9 ? * 6L *)', '2026-11-24T09:01:00Z', false],
  ['at(2026-12-24T09:00:00)', '2026-11-24T09:00:00Z', false],
  ['at(2026-12-24T09:00:00)', '2026-12-24T09:00:00Z', true],
])('a tick of an earlier schedule than %s, at %s, is due: %s', (expression, at, isDue) => {
  expect(tickOf(expression, 'UTC', 0).isDue(Date.parse(at))).toBe(isDue)
})

test('near a change of the clocks, every tick of Scheduler is due', () => {
  // Madrid has no 02:30 on the first day, and two on the second.
  const tick = tickOf('cron(30 2 * * ? *)', 'Europe/Madrid', 0)
  for (const at of ['2026-03-29T01:00:00Z', '2026-03-29T01:30:00Z', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z']) {
    expect(tick.isDue(Date.parse(at))).toBe(true)
  }
  expect(tick.isDue(Date.parse('2026-03-31T01:30:00Z'))).toBe(false)
  expect(tick.isDue(Date.parse('2026-03-31T00:30:00Z'))).toBe(true)
})

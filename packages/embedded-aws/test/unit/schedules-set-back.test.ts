// A clock that was ahead is set back: due times follow the new time, nothing fires twice, and the change is reported.
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from './executed.ts'
import { HOUR_MS, inputs, MINUTE_MS, START_MS, schedule, schedulesIn } from './schedules-under-test.ts'

/** The UTC time of `at` on the test's day, as payloads contain it. */
const hour = (at: string) => `2026-01-31T${at}:00Z`

describe('a clock that was ahead', () => {
  const hourly = schedule({ expression: 'cron(0 * * * ? *)' })

  test('by years for one start blocks nothing: due times follow the new time, and the set-back is reported once', async () => {
    const directory = temporaryDirectory()
    const other = schedule({ arn: 'arn:other', name: 'other', expression: 'rate(1 hour)' })
    const first = schedulesIn(directory, [hourly, other])
    first.schedules.start()
    await first.clock.untilQuiet(START_MS + 90 * MINUTE_MS)
    first.halt()
    const aheadMs = Date.parse('2030-06-01T12:30:00Z')
    const ahead = schedulesIn(directory, [hourly, other], aheadMs)
    ahead.schedules.start()
    await ahead.clock.untilQuiet(aheadMs + 40 * MINUTE_MS)
    ahead.halt()
    const right = schedulesIn(directory, [hourly, other], START_MS + 130 * MINUTE_MS)
    right.schedules.start()
    await right.clock.untilQuiet(START_MS + 310 * MINUTE_MS)
    right.halt()
    const both = (times: readonly string[]) => times.flatMap((time) => [time, time])
    expect(inputs(first.started)).toEqual(both([hour('09:00'), hour('10:00')]))
    expect(inputs(ahead.started)).toEqual(both(['2030-06-01T12:00:00Z', '2030-06-01T13:00:00Z']))
    // 11:00 was missed while the clock was ahead.
    expect(inputs(right.started)).toEqual(both(['11:00', '12:00', '13:00', '14:00'].map(hour)))
    expect(right.setBacks).toEqual([{ fromMs: Date.parse('2030-06-01T13:00:00Z'), toMs: START_MS + 130 * MINUTE_MS }])
    const again = schedulesIn(directory, [hourly, other], START_MS + 311 * MINUTE_MS)
    again.schedules.start()
    await again.clock.untilQuiet(START_MS + 365 * MINUTE_MS)
    again.halt()
    expect(inputs(again.started)).toEqual(both([hour('15:00')]))
    expect(again.setBacks).toEqual([])
  })

  test('by hours repeats nothing that fired in that time', async () => {
    const directory = temporaryDirectory()
    const ahead = schedulesIn(directory, [hourly])
    ahead.schedules.start()
    await ahead.clock.untilQuiet(START_MS + 190 * MINUTE_MS)
    ahead.halt()
    const right = schedulesIn(directory, [hourly], START_MS + 70 * MINUTE_MS)
    right.schedules.start()
    await right.clock.untilQuiet(START_MS + 310 * MINUTE_MS)
    right.halt()
    expect(inputs(ahead.started)).toEqual(['09:00', '10:00', '11:00', '12:00'].map(hour))
    expect(inputs(right.started)).toEqual(['13:00', '14:00'].map(hour))
    expect(right.setBacks).toHaveLength(1)
  })

  test('is noticed while the schedules run, and each time still fires once', async () => {
    const { clock, halt, schedules, setBacks, started } = schedulesIn(temporaryDirectory(), [hourly])
    schedules.start()
    await clock.untilQuiet(START_MS + 90 * MINUTE_MS)
    clock.set(START_MS + 50 * MINUTE_MS)
    await clock.untilQuiet(START_MS + 130 * MINUTE_MS)
    expect(inputs(started)).toEqual(['09:00', '10:00', '11:00'].map(hour))
    expect(setBacks).toHaveLength(1)
    // The clock is set ahead by two months and back again. Times fire normally after that.
    clock.set(START_MS + 1500 * HOUR_MS + 1)
    await clock.untilQuiet(clock.nowMs() + 5 * MINUTE_MS)
    clock.set(START_MS + 140 * MINUTE_MS)
    const before = started.length
    await clock.untilQuiet(START_MS + 250 * MINUTE_MS)
    halt()
    expect(inputs(started.slice(before))).toEqual(['12:00', '13:00'].map(hour))
    expect(setBacks).toHaveLength(2)
  })

  test('by less than a minute is not reported', async () => {
    const directory = temporaryDirectory()
    const first = schedulesIn(directory, [hourly])
    first.schedules.start()
    await first.clock.untilQuiet(START_MS + MINUTE_MS / 2)
    first.halt()
    const second = schedulesIn(directory, [hourly], START_MS - MINUTE_MS / 2)
    second.schedules.start()
    await second.clock.untilQuiet(START_MS + 61 * MINUTE_MS)
    second.halt()
    expect(inputs(second.started)).toEqual([hour('10:00')])
    expect(second.setBacks).toEqual([])
  })
})

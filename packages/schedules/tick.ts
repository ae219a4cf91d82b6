// Turns a schedule expression into a tick: a cron that has no beginning, no end and no phase of its own, and that is due at
// least whenever the expression is. EventBridge Scheduler is given the tick. It counts a rate anew from each change of the
// schedule, and refuses times that have passed. Which ticks are due times of the expression is said here as well. Pure.
import type { Cron } from './cron.ts'
import { readExpression } from './schedule-expression.ts'
import type { LocalTime, Zone } from './zone.ts'

export interface Tick {
  /** `cron(…)`, the same at any hour. */
  readonly expression: string
  readonly timeZone: string
  /** Whether the tick at this moment is a due time of the expression. */
  isDue(atMs: number): boolean
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const HOUR_MINUTES = 60
const DAY_MINUTES = 1440

/** `anchorMs` is when a rate began, to the minute. Throws ExpressionError. */
export function tickOf(text: string, timeZone: string, anchorMs: number): Tick {
  const read = readExpression(text, timeZone)
  if (read.kind === 'rate') {
    const everyMinutes = read.everyMs / MINUTE_MS
    const anchorMinute = minuteOf(anchorMs)
    return {
      // A rate counts hours of 60 minutes, whatever the clocks of a zone do.
      timeZone: 'UTC',
      expression: gridExpression(everyMinutes, anchorMinute),
      isDue: (atMs) => modulo(minuteOf(atMs) - anchorMinute, everyMinutes) === 0,
    }
  }
  const { zone } = read
  if (read.kind === 'cron') {
    const { cron, fields } = read
    // A year that has passed would leave the service nothing to wait for.
    const everyYear = [...fields.slice(0, -1), '*'].join(' ')
    const isDue = (atMs: number) => {
      const local = zone.localAt(atMs)
      return cron.years.has(local.year) && (fits(local, cron, fields) || clocksChangeNear(zone, atMs))
    }
    return { timeZone, expression: `cron(${everyYear})`, isDue }
  }
  const { day, hour, minute, month, year } = read.local
  const isDue = (atMs: number) => {
    const local = zone.localAt(atMs)
    const isItsMinute = minuteOf(atMs) === minuteOf(read.atMs)
    const isItsDay = local.year === year && local.month === month && local.day === day
    return isItsMinute || (isItsDay && clocksChangeNear(zone, atMs))
  }
  return { timeZone, expression: `cron(${minute} ${hour} ${day} ${month} ? *)`, isDue }
}

/** Days that L, W and # speak of are left to the service. */
const SPECIAL_DAY = /[LW#](?![A-Z])/

/** A tick of a schedule that was there before, handed over late or during a deployment, fits by chance only. */
function fits({ day, hour, minute, month, year }: LocalTime, cron: Cron, fields: readonly string[]): boolean {
  const [, , days = '', , weekdays = ''] = fields
  const isAnyDay = SPECIAL_DAY.test(days) || SPECIAL_DAY.test(weekdays)
  return (
    cron.minutes.includes(minute) &&
    cron.hours.includes(hour) &&
    cron.months.has(month) &&
    (isAnyDay || cron.allowsDay(year, month, day))
  )
}

/** When the service meets a local time that is skipped or repeated, it says itself. */
function clocksChangeNear(zone: Zone, atMs: number): boolean {
  const [before, after] = [zone.localAt(atMs - DAY_MS), zone.localAt(atMs + DAY_MS)]
  return before.hour !== after.hour || before.minute !== after.minute
}

/** The coarsest cron of UTC that meets every minute of a rate: each divides the hour, or the day. */
function gridExpression(everyMinutes: number, anchorMinute: number): string {
  const isOfHours = everyMinutes % HOUR_MINUTES === 0
  const step = greatestDivisor(everyMinutes, isOfHours ? DAY_MINUTES : HOUR_MINUTES)
  const first = modulo(anchorMinute, step)
  if (!isOfHours) return `cron(${series(first, step, HOUR_MINUTES)} * * * ? *)`
  const hours = series(Math.floor(first / HOUR_MINUTES), step / HOUR_MINUTES, DAY_MINUTES / HOUR_MINUTES)
  return `cron(${first % HOUR_MINUTES} ${hours} * * ? *)`
}

function series(first: number, step: number, all: number): string {
  if (step === 1) return '*'
  return step === all ? String(first) : `${first}/${step}`
}

function minuteOf(atMs: number): number {
  return Math.floor(atMs / MINUTE_MS)
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other)
}

// Turns a schedule expression into a tick: a cron that repeats for ever and is due whenever the expression is, and
// maybe more often. EventBridge Scheduler gets the tick, because it restarts a rate with each change of a schedule
// and refuses times that have passed. `isDue` says which ticks are due times of the expression. Pure.
import type { Cron } from './cron.ts'
import { readExpression } from './schedule-expression.ts'
import type { LocalTime, Zone } from './zone.ts'

export interface Tick {
  /** A `cron(…)`. For one expression and anchor it does not depend on the time of the computation. */
  readonly expression: string
  readonly timeZone: string
  /** Whether the expression is due at this moment of the tick. `atMs`: epoch milliseconds. */
  isDue(atMs: number): boolean
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const HOUR_MINUTES = 60
const DAY_MINUTES = 1440

/** `anchorMs` is when a rate began; its minute counts. Throws ExpressionError. */
export function tickOf(text: string, timeZone: string, anchorMs: number): Tick {
  const read = readExpression(text, timeZone)
  if (read.kind === 'rate') {
    const everyMinutes = read.everyMs / MINUTE_MS
    const anchorMinute = minuteOf(anchorMs)
    return {
      // A rate counts hours of 60 minutes, even when the clocks of a zone change.
      timeZone: 'UTC',
      expression: gridExpression(everyMinutes, anchorMinute),
      isDue: (atMs) => modulo(minuteOf(atMs) - anchorMinute, everyMinutes) === 0,
    }
  }
  const { zone } = read
  if (read.kind === 'cron') {
    const { cron, fields } = read
    // The tick gets every year: EventBridge Scheduler refuses a schedule whose years have all passed.
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

/** A field with L, W or #. EventBridge Scheduler decides which days it means. */
const SPECIAL_DAY = /[LW#](?![A-Z])/

/**
 * Whether the local time matches the fields. A tick of an earlier version of the schedule, delivered late or during a
 * deployment, matches only by chance.
 */
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

/** Within a day of a change of the clocks, EventBridge Scheduler decides which skipped or repeated times are due. */
function clocksChangeNear(zone: Zone, atMs: number): boolean {
  const [before, after] = [zone.localAt(atMs - DAY_MS), zone.localAt(atMs + DAY_MS)]
  return before.hour !== after.hour || before.minute !== after.minute
}

/** Returns the coarsest cron in UTC that includes every minute of a rate. Its step divides the hour or the day. */
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

function greatestDivisor(left: number, right: number): number {
  return right === 0 ? left : greatestDivisor(right, left % right)
}

// Schedule expressions, and when each is due next: `rate(…)`, `cron(…)` and `at(…)`. Pure: the same
// expression and moment give the same answer.
// Source: Amazon EventBridge Scheduler User Guide, "Schedule types", "Daylight savings time".
import { type Cron, CronError, parseCron } from './cron.ts'
import { type LocalTime, type Zone, zoneOf } from './zone.ts'

/** When a schedule is due. Moments are milliseconds since the epoch. */
export interface Timing {
  /** The first moment after `afterMs`; undefined where there is none. `anchorMs` is when a rate began. */
  nextMs(afterMs: number, anchorMs: number): number | undefined
}

/** Why a text is no schedule expression; the caller knows where it stands. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
}

const LONGEST_TEXT = 256
const UNIT_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }
/** No zone puts its clocks back further: an hour before that is over for today. */
const MOST_PUT_BACK_HOURS = 3
const MOST_UNITS = 1_000_000

/** `zone` is an IANA name. Throws ExpressionError. */
export function parseExpression(text: string, zone: string): Timing {
  const match = text.length > LONGEST_TEXT ? null : /^(rate|cron|at)\((.*)\)$/.exec(text.trim())
  if (match === null) throw new ExpressionError('must be rate(…), cron(…) or at(…)')
  const argument = match[2] as string
  if (match[1] === 'rate') return rate(argument)
  const local = findZone(zone)
  return match[1] === 'at' ? once(argument, local, zone) : byCron(argument, local)
}

function findZone(name: string): Zone {
  try {
    return zoneOf(name)
  } catch {
    throw new ExpressionError(`${name} is no time zone`)
  }
}

/** A day is 24 hours, whatever the clocks do. */
function rate(argument: string): Timing {
  const [, count = '0', unit = '', plural] = /^\s*(\d{1,7})\s+(minute|hour|day)(s?)\s*$/.exec(argument) ?? []
  const units = Number(count)
  if (units < 1 || units > MOST_UNITS || (plural === 's') !== units > 1) {
    throw new ExpressionError('rate takes a whole number and minute(s), hour(s) or day(s): "1 hour", "5 minutes"')
  }
  const everyMs = units * (UNIT_MS[unit] ?? 0)
  return {
    nextMs: (afterMs, anchorMs) =>
      afterMs < anchorMs ? anchorMs : anchorMs + (Math.floor((afterMs - anchorMs) / everyMs) + 1) * everyMs,
  }
}

function once(argument: string, zone: Zone, zoneName: string): Timing {
  const numbers = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)$/.exec(argument.trim())?.slice(1).map(Number)
  if (numbers === undefined) throw new ExpressionError('at takes a time such as 2026-01-31T09:00:00')
  const [year, month, day, hour, minute, second] = numbers as [number, number, number, number, number, number]
  const atMs = zone.findUtcMs({ year, month, day, hour, minute, second })
  if (atMs === undefined || new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day) {
    throw new ExpressionError(`there is no ${argument.trim()} in ${zoneName}`)
  }
  return { nextMs: (afterMs) => (afterMs < atMs ? atMs : undefined) }
}

/**
 * A local time that the clocks skip in spring is skipped; one that they repeat in autumn counts once, the
 * first time.
 */
function byCron(argument: string, zone: Zone): Timing {
  const cron = readCron(argument)
  return {
    nextMs(afterMs) {
      const start = zone.localAt(afterMs)
      for (const day of daysFrom(start, cron)) {
        const isToday = day.day === start.day && day.month === start.month && day.year === start.year
        for (const hour of cron.hours) {
          if (isToday && hour < start.hour - MOST_PUT_BACK_HOURS) continue
          for (const minute of cron.minutes) {
            const dueMs = zone.findUtcMs({ ...day, hour, minute, second: 0 })
            if (dueMs !== undefined && dueMs > afterMs) return dueMs
          }
        }
      }
      return undefined
    },
  }
}

function readCron(argument: string): Cron {
  try {
    return parseCron(argument)
  } catch (error) {
    if (error instanceof CronError) throw new ExpressionError(error.message)
    throw error
  }
}

type Day = Pick<LocalTime, 'year' | 'month' | 'day'>

/** The days that the expression allows, from this one on, to the end of its last year. */
function* daysFrom({ day, month, year }: Day, cron: Cron): Generator<Day> {
  let atMs = Date.UTC(year, month - 1, day)
  for (;;) {
    const date = new Date(atMs)
    const candidate = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
    if (candidate.year > cron.lastYear) return
    if (!cron.years.has(candidate.year)) {
      atMs = Date.UTC(candidate.year + 1, 0, 1)
    } else if (!cron.months.has(candidate.month)) {
      atMs = Date.UTC(candidate.year, candidate.month, 1)
    } else {
      if (cron.allowsDay(candidate.year, candidate.month, candidate.day)) yield candidate
      atMs += 86_400_000
    }
  }
}

// Reads schedule expressions (`rate(…)`, `cron(…)`, `at(…)`) and computes when each is due next. Pure: it reads no
// clock, so the same expression and moment give the same answer.
// Source: Amazon EventBridge Scheduler User Guide, "Schedule types", "Daylight savings time".
import { type Cron, parseCron } from './cron.ts'
import { ExpressionError } from './cron-fields.ts'
import { findZone, type LocalTime, type Zone } from './zone.ts'

/** When a schedule is due. Moments are milliseconds since the epoch. */
export interface Timing {
  /**
   * Returns the first due moment after `afterMs`, or undefined when the schedule has no later moment that a Date can
   * hold. `anchorMs` is when a rate began; other kinds ignore it.
   */
  nextMs(afterMs: number, anchorMs: number): number | undefined
}

/** Maximum length of an expression, in characters (API reference, "CreateSchedule"). */
const LONGEST_TEXT = 256
/** Characters that the error shows of a longer expression. */
const SHOWN_OF_LONG_TEXT = 40
const UNIT_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }
/** Hours of the current day that are computed again, because clocks may be put back. No zone puts them back further. */
const MOST_PUT_BACK_HOURS = 3
/** The last moment that a Date can hold, in epoch milliseconds. */
const LAST_MS = 8_640_000_000_000_000

export type Expression =
  | { readonly kind: 'rate'; readonly everyMs: number }
  | { readonly kind: 'cron'; readonly cron: Cron; readonly fields: readonly string[]; readonly zone: Zone }
  | { readonly kind: 'at'; readonly local: LocalTime; readonly atMs: number; readonly zone: Zone }

/** `zone` is an IANA name. A rate does not depend on it, but the name must be valid too. Throws ExpressionError. */
export function parseExpression(text: string, zone: string): Timing {
  const expression = readExpression(text, zone)
  if (expression.kind === 'rate') return rateTiming(expression.everyMs)
  if (expression.kind === 'cron') return cronTiming(expression.cron, expression.zone)
  const { atMs } = expression
  return { nextMs: (afterMs) => (afterMs < atMs ? atMs : undefined) }
}

/** Throws ExpressionError. */
export function readExpression(text: string, zone: string): Expression {
  if (text.length > LONGEST_TEXT) {
    throw new ExpressionError(`at most ${LONGEST_TEXT} characters`, `${text.slice(0, SHOWN_OF_LONG_TEXT)}…`)
  }
  const [, kind, argument] = /^(rate|cron|at)\((.*)\)$/.exec(text) ?? []
  if (kind === undefined || argument === undefined) {
    throw new ExpressionError('rate(…), cron(…) or at(…), such as "rate(1 hour)", and nothing around it', text)
  }
  const local = findZone(zone)
  if (local === undefined) {
    throw new ExpressionError('an IANA time zone that exists, such as "Europe/Madrid"', zone)
  }
  if (kind === 'rate') return { kind, everyMs: readRate(argument) }
  if (kind === 'at') return { kind, ...readMoment(argument, local, zone), zone: local }
  return { kind: 'cron', cron: parseCron(argument), fields: argument.split(/ +/), zone: local }
}

/**
 * Returns a rate in milliseconds. A day is 24 hours, also when clocks change. The unit may be singular or plural with
 * any number: the API reference lists both, and the guide itself writes `rate(1 days)`. (Only rules of EventBridge tell
 * them apart.)
 */
function readRate(argument: string): number {
  const [, count = '0', unit = ''] = /^([1-9]\d{0,8}) (minute|hour|day)s?$/.exec(argument) ?? []
  const everyMs = Number(count) * (UNIT_MS[unit] ?? 0)
  if (everyMs === 0) {
    const shape = 'a number from 1 without leading zeros, one space and the unit'
    throw new ExpressionError(`a rate of whole minutes, hours or days, ${shape}, such as "rate(5 minutes)"`, argument)
  }
  return everyMs
}

function rateTiming(everyMs: number): Timing {
  return {
    nextMs(afterMs, anchorMs) {
      const dueMs =
        afterMs < anchorMs ? anchorMs : anchorMs + (Math.floor((afterMs - anchorMs) / everyMs) + 1) * everyMs
      return dueMs > LAST_MS ? undefined : dueMs
    },
  }
}

function readMoment(argument: string, zone: Zone, zoneName: string) {
  const numbers = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)$/.exec(argument)?.slice(1).map(Number)
  if (numbers === undefined) {
    throw new ExpressionError('a moment without a zone of its own, such as "at(2026-01-31T09:00:00)"', argument)
  }
  // The pattern has six groups.
  const [year, month, day, hour, minute, second] = numbers as [number, number, number, number, number, number]
  const asUtcMs = Date.UTC(year, month - 1, day, hour, minute, second)
  // Date reads 31 February as a day of March, and the year 26 as 1926. Comparing the texts shows both.
  if (year < 1970 || new Date(asUtcMs).toISOString() !== `${argument}.000Z`) {
    throw new ExpressionError('a date of the calendar, from 1970 on, and a time from 00:00:00 to 23:59:59', argument)
  }
  const local: LocalTime = { year, month, day, hour, minute, second }
  const atMs = zone.findUtcMs(local)
  if (atMs === undefined) {
    const why = `${zoneName} puts its clocks forward over it`
    throw new ExpressionError(`a local time that exists: ${why}; write a time before or after the gap`, argument)
  }
  return { local, atMs }
}

/** Skips a local time that the clocks skip in spring. Counts a time that they repeat in autumn once, the first time. */
function cronTiming(cron: Cron, zone: Zone): Timing {
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

type Day = Pick<LocalTime, 'year' | 'month' | 'day'>

/** Yields the days that the expression allows, from the given day to the end of its last year. */
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

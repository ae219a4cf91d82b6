// Parses cron expressions of EventBridge Scheduler: six fields, the values that each allows, and the local days that
// they allow together. Pure; it knows no time zone.
// Source: Amazon EventBridge Scheduler User Guide, "Schedule types", "Cron-based schedules". Forms that the guide does
// not show are refused, because an expression that only some parsers take would stop a deployment.
import {
  type CronField,
  DAYS_OF_MONTH,
  DAYS_OF_WEEK,
  ExpressionError,
  fieldError,
  HOURS,
  MINUTES,
  MONTHS,
  readValue,
  readValues,
  YEARS,
} from './cron-fields.ts'

export interface Cron {
  /** Minutes of the hour, ascending. */
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly months: ReadonlySet<number>
  readonly years: ReadonlySet<number>
  readonly lastYear: number
  /** `month` and `day` count from 1. */
  allowsDay(year: number, month: number, day: number): boolean
}

const SIX_FIELDS = 'six fields between spaces (minutes, hours, day-of-month, month, day-of-week, year)'
const SATURDAY = 7
const SUNDAY = 1

/** `text`: the six fields, without `cron(` and `)`. Throws ExpressionError. */
export function parseCron(text: string): Cron {
  const fields = text.split(/ +/)
  // The guide calls the year optional, but the API reference counts six fields. Six fields satisfy both.
  if (fields.length === 5) throw new ExpressionError(`${SIX_FIELDS}: end with * for every year`, text)
  if (fields.length !== 6) throw new ExpressionError(`${SIX_FIELDS}, such as cron(0 9 ? * MON-FRI *)`, text)
  // The length was checked above.
  const [minutes, hours, days, months, weekdays, years] = fields as [string, string, string, string, string, string]
  if ((days === '?') === (weekdays === '?')) {
    const fix = days === '?' ? 'write * for one of them' : 'write ? for the field that does not matter'
    throw new ExpressionError(`? as day-of-month or as day-of-week of the cron, and not as both: ${fix}`, text)
  }
  const allowed = readValues(years, YEARS)
  return {
    minutes: readValues(minutes, MINUTES),
    hours: readValues(hours, HOURS),
    months: new Set(readValues(months, MONTHS)),
    years: new Set(allowed),
    lastYear: allowed.at(-1) ?? YEARS.most,
    allowsDay: days === '?' ? parseDaysOfWeek(weekdays) : parseDaysOfMonth(days),
  }
}

function parseDaysOfMonth(text: string): Cron['allowsDay'] {
  if (text === 'L') return (year, month, day) => day === daysIn(year, month)
  if (text === 'LW') {
    const fix = 'L is the last day, and 6L as day-of-week the last Friday'
    throw fieldError(DAYS_OF_MONTH, `L or W, because the guide does not show both together: ${fix}`, text)
  }
  const [, near] = /^(\d{1,2})W$/.exec(text) ?? []
  if (near !== undefined) {
    const wanted = readValue(near, DAYS_OF_MONTH)
    return (year, month, day) => day === nearestWeekday(year, month, wanted)
  }
  refuseInList(text, /^(L|\d{1,2}W)$/, DAYS_OF_MONTH)
  const days = new Set(readValues(text, DAYS_OF_MONTH))
  return (_year, _month, day) => days.has(day)
}

function parseDaysOfWeek(text: string): Cron['allowsDay'] {
  // L alone is the last day of the week.
  if (text === 'L') return (year, month, day) => weekdayOf(year, month, day) === SATURDAY
  refuseInList(text, /^(\w*L|\w+#\d+)$/, DAYS_OF_WEEK)
  const [, last] = /^(\w+)L$/.exec(text) ?? []
  if (last !== undefined) {
    const wanted = readValue(last, DAYS_OF_WEEK)
    return (year, month, day) => weekdayOf(year, month, day) === wanted && day + 7 > daysIn(year, month)
  }
  const [, weekday, nth] = /^(\w+)#([1-5])$/.exec(text) ?? []
  if (weekday !== undefined) {
    const wanted = readValue(weekday, DAYS_OF_WEEK)
    return (year, month, day) => weekdayOf(year, month, day) === wanted && Math.ceil(day / 7) === Number(nth)
  }
  const weekdays = new Set(readValues(text, DAYS_OF_WEEK))
  return (year, month, day) => weekdays.has(weekdayOf(year, month, day))
}

/** Refuses a list with L, W or #. The guide refuses "3#1,6#3" and shows no list with L or W. */
function refuseInList(text: string, alone: RegExp, field: CronField): void {
  const items = text.split(',')
  const found = items.length > 1 ? items.find((item) => alone.test(item)) : undefined
  if (found === undefined) return
  throw fieldError(field, `${found} alone, without a list: give the other days a schedule of their own`, text)
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** Returns 1 for Sunday to 7 for Saturday. */
function weekdayOf(year: number, month: number, day: number): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1
}

/**
 * Returns the weekday nearest to a day, within its month: from the first of a month forward to Monday, from the last
 * back to Friday.
 */
function nearestWeekday(year: number, month: number, wanted: number): number | undefined {
  const last = daysIn(year, month)
  if (wanted > last) return undefined
  const weekday = weekdayOf(year, month, wanted)
  if (weekday === SATURDAY) return wanted === 1 ? 3 : wanted - 1
  if (weekday === SUNDAY) return wanted === last ? wanted - 2 : wanted + 1
  return wanted
}

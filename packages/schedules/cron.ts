// Cron expressions of EventBridge Scheduler: six fields, parsed into the values that each allows, and
// which local days they allow. Pure; knows no time zone.
// Source: Amazon EventBridge Scheduler User Guide, "Schedule types", "Cron-based schedules". What the guide does
// not show is refused: an expression that only some parser takes would stop a deployment.
import {
  type CronField,
  DAYS_OF_MONTH,
  DAYS_OF_WEEK,
  fieldError,
  HOURS,
  MINUTES,
  MONTHS,
  readValue,
  readValues,
  YEARS,
} from './cron-fields.ts'
import { ExpressionError } from './expression-error.ts'

export interface Cron {
  /** Ascending. */
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly months: ReadonlySet<number>
  readonly years: ReadonlySet<number>
  readonly lastYear: number
  /** `month` is from 1, `day` from 1. */
  allowsDay(year: number, month: number, day: number): boolean
}

const SIX_FIELDS = 'six fields between spaces (minutes, hours, day-of-month, month, day-of-week, year)'
const SATURDAY = 7
const SUNDAY = 1

/** The six fields, without `cron(` and `)`. Throws ExpressionError. */
export function parseCron(text: string): Cron {
  const fields = text.split(/ +/)
  // The guide calls the year optional; the API's reference counts six fields. With six, both are right.
  if (fields.length === 5) throw new ExpressionError(`${SIX_FIELDS}: end with * for every year`, text)
  if (fields.length !== 6) throw new ExpressionError(`${SIX_FIELDS}, such as cron(0 9 ? * MON-FRI *)`, text)
  // Six, as was just counted.
  const [minutes, hours, days, months, weekdays, years] = fields as [string, string, string, string, string, string]
  if ((days === '?') === (weekdays === '?')) {
    const fix = days === '?' ? 'write * as one of them' : 'write ? as the one that is not to matter'
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
    throw fieldError(DAYS_OF_MONTH, `L or W, as no guide shows both together: ${fix}`, text)
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
  // By itself, the last day of the week.
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

/** L, W and # stand alone: the guide refuses "3#1,6#3", and shows none of the others in a list. */
function refuseInList(text: string, alone: RegExp, field: CronField): void {
  const items = text.split(',')
  const found = items.length > 1 ? items.find((item) => alone.test(item)) : undefined
  if (found === undefined) return
  throw fieldError(field, `${found} alone, without a list: give the other days a schedule of their own`, text)
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** 1 is Sunday. */
function weekdayOf(year: number, month: number, day: number): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1
}

/** Within the month, as cron has it: the first goes forward to a Monday, the last back to a Friday. */
function nearestWeekday(year: number, month: number, wanted: number): number | undefined {
  const last = daysIn(year, month)
  if (wanted > last) return undefined
  const weekday = weekdayOf(year, month, wanted)
  if (weekday === SATURDAY) return wanted === 1 ? 3 : wanted - 1
  if (weekday === SUNDAY) return wanted === last ? wanted - 2 : wanted + 1
  return wanted
}

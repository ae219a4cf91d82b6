// Cron expressions of EventBridge Scheduler: six fields, parsed into the values that each allows, and
// which local days they allow. Pure; knows no time zone.
// Source: Amazon EventBridge Scheduler User Guide, "Schedule types", "Cron-based schedules".

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

/** Why a text is no cron expression; the caller knows where it stands. */
export class CronError extends Error {
  override readonly name = 'CronError'
}

interface Field {
  readonly name: string
  readonly least: number
  readonly most: number
  /** Names of values, the first of them for `least`. */
  readonly names?: readonly string[]
}

const MINUTES: Field = { name: 'minutes', least: 0, most: 59 }
const HOURS: Field = { name: 'hours', least: 0, most: 23 }
const DAYS: Field = { name: 'day-of-month', least: 1, most: 31 }
const MONTHS: Field = {
  name: 'month',
  least: 1,
  most: 12,
  names: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
}
const WEEKDAYS: Field = {
  name: 'day-of-week',
  least: 1,
  most: 7,
  names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
}
const YEARS: Field = { name: 'year', least: 1970, most: 2199 }
const SATURDAY = 7
const SUNDAY = 1

/** The six fields, without `cron(` and `)`. Throws CronError. */
export function parseCron(text: string): Cron {
  const fields = text.trim().split(/\s+/)
  if (fields.length !== 6) throw new CronError(`cron takes six fields, not ${fields.length}`)
  const [minutes, hours, days, months, weekdays, years] = fields as [string, string, string, string, string, string]
  if ((days === '?') === (weekdays === '?')) {
    throw new CronError('exactly one of day-of-month and day-of-week must be ?')
  }
  const allowed = readValues(years, YEARS)
  return {
    minutes: readValues(minutes, MINUTES),
    hours: readValues(hours, HOURS),
    months: new Set(readValues(months, MONTHS)),
    years: new Set(allowed),
    lastYear: allowed.at(-1) ?? YEARS.most,
    allowsDay: days === '?' ? parseWeekdays(weekdays) : parseDays(days),
  }
}

function parseDays(text: string): Cron['allowsDay'] {
  if (text === 'L') return (year, month, day) => day === daysIn(year, month)
  const near = /^(\d{1,2})W$/.exec(text)
  if (near !== null) {
    const wanted = inRange(Number(near[1]), DAYS)
    return (year, month, day) => day === nearestWeekday(year, month, wanted)
  }
  const days = new Set(readValues(text, DAYS))
  return (_year, _month, day) => days.has(day)
}

function parseWeekdays(text: string): Cron['allowsDay'] {
  // By itself, the last day of the week.
  if (text === 'L') return (year, month, day) => weekdayOf(year, month, day) === SATURDAY
  const last = /^(\w+)L$/.exec(text)
  if (last !== null) {
    const wanted = readValue(last[1] as string, WEEKDAYS)
    return (year, month, day) => weekdayOf(year, month, day) === wanted && day + 7 > daysIn(year, month)
  }
  const nth = /^(\w+)#([1-5])$/.exec(text)
  if (nth !== null) {
    const wanted = readValue(nth[1] as string, WEEKDAYS)
    return (year, month, day) => weekdayOf(year, month, day) === wanted && Math.ceil(day / 7) === Number(nth[2])
  }
  if (text.includes('/')) throw new CronError('day-of-week takes no steps')
  const weekdays = new Set(readValues(text, WEEKDAYS))
  return (year, month, day) => weekdays.has(weekdayOf(year, month, day))
}

/** Lists, ranges, steps and names, as ascending values. */
function readValues(text: string, field: Field): readonly number[] {
  const values = text.split(',').flatMap((part) => {
    const [range = '', step, ...others] = part.split('/')
    if (others.length > 0 || step === '') throw notUnderstood(part, field)
    const [from, to] = boundsOf(range, step !== undefined, field)
    const by = step === undefined ? 1 : stepOf(step, field)
    if (from > to) throw new CronError(`${part} in ${field.name}: a range goes upwards`)
    return Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, index) => from + index * by)
  })
  return [...new Set(values)].sort((left, right) => left - right)
}

/** With a step, a single value is the first of all that follow. */
function boundsOf(range: string, hasStep: boolean, field: Field): readonly [number, number] {
  if (range === '*') return [field.least, field.most]
  const [from = '', to, ...others] = range.split('-')
  if (others.length > 0) throw notUnderstood(range, field)
  const first = readValue(from, field)
  if (to !== undefined) return [first, readValue(to, field)]
  return [first, hasStep ? field.most : first]
}

function stepOf(text: string, field: Field): number {
  const step = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (step >= 1 && step <= field.most) return step
  throw new CronError(`${text} is no step of ${field.name}`)
}

function readValue(text: string, field: Field): number {
  const named = field.names?.indexOf(text.toUpperCase()) ?? -1
  if (named >= 0) return field.least + named
  if (!/^\d{1,4}$/.test(text)) throw notUnderstood(text, field)
  return inRange(Number(text), field)
}

function inRange(value: number, { least, most, name }: Field): number {
  if (value >= least && value <= most) return value
  throw new CronError(`${value} in ${name}: from ${least} to ${most}`)
}

function notUnderstood(text: string, { name }: Field): CronError {
  return new CronError(`"${text}" is not understood in ${name}`)
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

// Owns the six fields of a cron expression: the values, names, lists, ranges and steps that each takes. Reads a field
// into the values that it allows. Owns the error for a text that is not a schedule expression. Pure; it knows no
// calendar. Source: Amazon EventBridge Scheduler User Guide, "Schedule types", "Cron-based schedules" (the table of
// fields).

/** The expected shape and the text found. `message` holds both, for callers that show no more. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
  /** The shape, and how to fix the expression. */
  readonly expected: string
  /** The part of the expression that is wrong, or the whole expression where no single part is. */
  readonly got: string

  constructor(expected: string, got: string) {
    super(`expected ${expected}; got ${JSON.stringify(got)}`)
    this.expected = expected
    this.got = got
  }
}

export interface CronField {
  readonly name: string
  readonly least: number
  readonly most: number
  /** Names of the values. The first name stands for `least`. */
  readonly names?: readonly string[]
  /** The other notations that the field accepts, beside values, lists, ranges and `*`. For error messages. */
  readonly also: string
  /** Whether the field takes `/`. The guide's table of fields shows no `/` for day-of-week. */
  readonly takesSteps: boolean
}

export const MINUTES: CronField = { name: 'minutes', least: 0, most: 59, also: 'a step', takesSteps: true }
export const HOURS: CronField = { name: 'hours', least: 0, most: 23, also: 'a step', takesSteps: true }
export const DAYS_OF_MONTH: CronField = {
  name: 'day-of-month',
  least: 1,
  most: 31,
  also: 'a step, ?, L or a day with W (15W)',
  takesSteps: true,
}
export const MONTHS: CronField = {
  name: 'month',
  least: 1,
  most: 12,
  names: ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'],
  also: 'a step',
  takesSteps: true,
}
export const DAYS_OF_WEEK: CronField = {
  name: 'day-of-week',
  least: 1,
  most: 7,
  names: ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'],
  also: '?, L, a day with L (6L) or a day with # and 1 to 5 (3#2)',
  takesSteps: false,
}
export const YEARS: CronField = { name: 'year', least: 1970, most: 2199, also: 'a step', takesSteps: true }

/** Returns the values of a list, range, step or name, ascending. Throws ExpressionError. */
export function readValues(text: string, field: CronField): readonly number[] {
  const values = text.split(',').flatMap((item) => readItem(item, field))
  return [...new Set(values)].sort((left, right) => left - right)
}

/** Reads a single number or name. Throws ExpressionError. */
export function readValue(text: string, field: CronField): number {
  const named = field.names?.indexOf(text.toUpperCase()) ?? -1
  if (named >= 0) return field.least + named
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (value >= field.least && value <= field.most) return value
  throw outOfShape(text, field)
}

/** Returns an error that states everything the field takes. */
function outOfShape(text: string, field: CronField): ExpressionError {
  const { also, least, most, names } = field
  const named = names === undefined ? '' : ` or ${names[0]} to ${names.at(-1)}`
  return fieldError(field, `a value from ${least} to ${most}${named}, a list or a range of values, *, ${also}`, text)
}

export function fieldError({ name }: CronField, expected: string, got: string): ExpressionError {
  return new ExpressionError(`as ${name} of the cron ${expected}`, got)
}

function readItem(item: string, field: CronField): readonly number[] {
  const [range = '', step, ...rest] = item.split('/')
  if (rest.length > 0) throw outOfShape(item, field)
  const [from, to] = boundsOf(range, step !== undefined, field)
  const values = every(from, to, step === undefined ? 1 : stepOf(step, field))
  if (step === undefined || field.takesSteps) return values
  const spelled = values.map((value) => nameOf(value, field)).join(',')
  throw fieldError(field, `values without a step: write ${spelled}`, item)
}

/** With a step, a single value starts the range, and the field's last value ends it. */
function boundsOf(range: string, hasStep: boolean, field: CronField): readonly [number, number] {
  if (range === '*') return [field.least, field.most]
  const [first = '', last, ...rest] = range.split('-')
  if (rest.length > 0) throw outOfShape(range, field)
  const from = readValue(first, field)
  if (last === undefined) return [from, hasStep ? field.most : from]
  const to = readValue(last, field)
  if (from <= to) return [from, to]
  throw fieldError(field, `a range that goes upwards: write ${upwards(from, to, field)}`, range)
}

/**
 * Returns the ranges that a range beyond the last value would mean: two ranges, or for years, which do not start again,
 * the range turned round.
 */
function upwards(from: number, to: number, field: CronField): string {
  const span = (first: number, last: number) =>
    first === last ? nameOf(first, field) : `${nameOf(first, field)}-${nameOf(last, field)}`
  return field === YEARS ? span(to, from) : `${span(from, field.most)},${span(field.least, to)}`
}

function nameOf(value: number, { least, names }: CronField): string {
  return names?.[value - least] ?? String(value)
}

function stepOf(text: string, field: CronField): number {
  const step = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (step >= 1 && step <= field.most) return step
  throw fieldError(field, `a step from 1 to ${field.most} after the /`, text)
}

function every(from: number, to: number, step: number): readonly number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step)
}

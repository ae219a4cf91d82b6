// What is wrong with a schedule, or with hours in a time zone: what EventBridge Scheduler would refuse at
// deployment, told before it. Sources: EventBridge Scheduler User Guide, "Schedule types"; IANA zones by Intl.
import type { QuietHours } from '../contract/guards.ts'
import { WEEKDAYS } from '../contract/guards.ts'
import type { Schedule } from '../contract/policies.ts'
import { fault, type Path, type PolicyFault } from './policy-fault.ts'

export function scheduleFaults(schedule: Schedule, path: Path): PolicyFault[] {
  const { expression, timeZone, start, end } = schedule
  const wrong = findExpressionFault(expression)
  const isPast = start !== undefined && end !== undefined && Date.parse(start) >= Date.parse(end)
  return [
    ...(wrong === undefined ? [] : [fault([...path, 'expression'], `expected ${wrong}; got "${expression}"`)]),
    ...timeZoneFaults(timeZone, [...path, 'timeZone']),
    ...(isPast ? [fault([...path, 'end'], `expected a time after start, ${start}; got ${end}`)] : []),
  ]
}

const MINUTES_A_WEEK = 7 * 24 * 60

export function quietHoursFaults(all: readonly QuietHours[], path: Path): PolicyFault[] {
  const faults = all.flatMap(({ timeZone }, index) => timeZoneFaults(timeZone, [...path, index, 'timeZone']))
  // Only hours of one zone add up without a calendar; hours of several that leave nothing are too odd to look for.
  const zones = new Set(all.map(({ timeZone }) => timeZone))
  if (zones.size !== 1 || quietMinutes(all).size < MINUTES_A_WEEK) return faults
  const fix = 'to stop a policy, halt it, or set its mode to shadow'
  return [...faults, fault(path, `expected hours that leave some of the week; got all of it: ${fix}`)]
}

/** Minutes of the week, from Monday's midnight on. */
function quietMinutes(all: readonly QuietHours[]): Set<number> {
  const quiet = new Set<number>()
  for (const { days = WEEKDAYS, from, to } of all) {
    const length = (minuteOf(to) - minuteOf(from) + 1440) % 1440 || 1440
    for (const day of days) {
      const begin = WEEKDAYS.indexOf(day) * 1440 + minuteOf(from)
      for (let minute = 0; minute < length; minute += 1) quiet.add((begin + minute) % MINUTES_A_WEEK)
    }
  }
  return quiet
}

function minuteOf(clockTime: string): number {
  return Number(clockTime.slice(0, 2)) * 60 + Number(clockTime.slice(3))
}

function timeZoneFaults(timeZone: string, path: Path): PolicyFault[] {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return []
  } catch {
    return [fault(path, `expected an IANA time zone that exists, such as "Europe/Madrid"; got "${timeZone}"`)]
  }
}

/** What belongs there instead; `undefined` for an expression that Scheduler takes. */
function findExpressionFault(expression: string): string | undefined {
  const open = expression.indexOf('(')
  const inside = expression.slice(open + 1, -1)
  switch (expression.slice(0, open)) {
    case 'rate':
      return /^[1-9][0-9]{0,8} (minute|hour|day)s?$/.test(inside)
        ? undefined
        : 'a rate of whole minutes, hours or days, such as "rate(1 hour)"'
    case 'at':
      return isMoment(inside) ? undefined : 'a moment without a zone, such as "at(2026-01-31T09:00:00)"'
    default:
      return findCronFault(inside)
  }
}

function isMoment(text: string): boolean {
  const time = Date.parse(`${text}Z`)
  // Date.parse takes the 31st of February for a day of March: what comes back then differs.
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text) && new Date(time).toJSON() === `${text}.000Z`
}

interface CronField {
  readonly name: string
  readonly least: number
  readonly most: number
  readonly words?: readonly string[]
  /** What only this field takes, besides numbers, `*`, ranges and steps. */
  readonly special?: RegExp
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const CRON: readonly CronField[] = [
  { name: 'minutes', least: 0, most: 59 },
  { name: 'hours', least: 0, most: 23 },
  { name: 'day of month', least: 1, most: 31, special: /^(\?|L|LW|([1-9]|[12][0-9]|3[01])W)$/ },
  { name: 'month', least: 1, most: 12, words: MONTHS },
  {
    name: 'day of week',
    least: 1,
    most: 7,
    words: DAYS,
    special: /^(\?|L|([1-7]|SUN|MON|TUE|WED|THU|FRI|SAT)(L|#[1-5]))$/,
  },
  { name: 'year', least: 1970, most: 2199 },
]

function findCronFault(inside: string): string | undefined {
  const parts = inside.trim().split(/ +/)
  if (parts.length !== CRON.length) {
    return 'six fields (minutes, hours, day of month, month, day of week, year), such as "cron(0 9 ? * MON-FRI *)"'
  }
  const odd = CRON.find((field, index) => !(parts[index] ?? '').split(',').every((item) => isCronItem(item, field)))
  if (odd) return `as ${odd.name} of the cron a value from ${odd.least} to ${odd.most}, a range, a step or *`
  if ([parts[2], parts[4]].filter((part) => part === '?').length === 1) return undefined
  return 'a cron with "?" as day of month or as day of week, and not as both'
}

function isCronItem(item: string, field: CronField): boolean {
  if (field.special?.test(item)) return true
  const [span = '', step, ...more] = item.split('/')
  if (more.length > 0 || (step !== undefined && !/^[1-9][0-9]{0,3}$/.test(step))) return false
  if (span === '*') return true
  const ends = span.split('-').map((text) => cronValue(text, field))
  return ends.length <= 2 && ends.every((value) => value >= field.least && value <= field.most)
}

/** NaN for what is no value of the field: it compares as out of range. */
function cronValue(text: string, { words, least }: CronField): number {
  const word = words?.indexOf(text.toUpperCase()) ?? -1
  if (word >= 0) return word + least
  return /^[0-9]{1,4}$/.test(text) ? Number(text) : Number.NaN
}

// Finds faults of a schedule, or of hours in a time zone, before EventBridge Scheduler would refuse it at deployment.
// The grammar of expressions is in `packages/schedules/`, which the embedded AWS uses too.
import { ExpressionError, findZone, parseExpression } from '@sluice/schedules'
import type { QuietHours } from '../contract/guards.ts'
import { WEEKDAYS } from '../contract/guards.ts'
import type { Schedule } from '../contract/policies.ts'
import { fault, type Path, type PolicyFault } from '../policies/policy-fault.ts'

export function scheduleFaults(schedule: Schedule, path: Path): PolicyFault[] {
  const { expression, timeZone, start, end } = schedule
  const wrongZone = timeZoneFaults(timeZone, [...path, 'timeZone'])
  const isPast = start !== undefined && end !== undefined && Date.parse(start) >= Date.parse(end)
  return [
    // An unknown zone has its own fault, so the expression is then read in UTC.
    ...expressionFaults(expression, wrongZone.length === 0 ? timeZone : 'UTC', [...path, 'expression']),
    ...wrongZone,
    ...(isPast ? [fault([...path, 'end'], `expected a time after start, ${start}; got ${end}`)] : []),
  ]
}

const MINUTES_A_WEEK = 7 * 24 * 60

export function quietHoursFaults(all: readonly QuietHours[], path: Path): PolicyFault[] {
  const faults = all.flatMap(({ timeZone }, index) => timeZoneFaults(timeZone, [...path, index, 'timeZone']))
  // Hours add up without a calendar only within one zone. Hours of several zones that leave nothing are too rare to
  // detect.
  const zones = new Set(all.map(({ timeZone }) => timeZone))
  if (zones.size !== 1 || quietMinutes(all).size < MINUTES_A_WEEK) return faults
  const fix = 'to stop a policy, halt it, or set its mode to shadow'
  return [...faults, fault(path, `expected hours that leave some of the week; got all of it: ${fix}`)]
}

/** Quiet minutes of the week, counted from midnight on Monday. */
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
  if (findZone(timeZone) !== undefined) return []
  return [fault(path, `expected an IANA time zone that exists, such as "Europe/Madrid"; got "${timeZone}"`)]
}

function expressionFaults(expression: string, timeZone: string, path: Path): PolicyFault[] {
  try {
    parseExpression(expression, timeZone)
    return []
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const within = error.got === expression ? '' : `"${error.got}" in `
    return [fault(path, `expected ${error.expected}; got ${within}"${expression}"`)]
  }
}

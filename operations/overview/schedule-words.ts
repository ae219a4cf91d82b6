// Says in words when a schedule starts a policy. Pure.

import { toString as cronInWords } from 'cronstrue'
import type { Schedule } from '../../core/contract/policies.ts'

/** Such as `At 09:00, Monday through Friday (Europe/Berlin)`, `Every 5 minutes (UTC)`, `Once, at 2026-01-31T09:00:00 (UTC)`. */
export function scheduleText({ expression, timeZone }: Pick<Schedule, 'expression' | 'timeZone'>): string {
  const [, kind = '', inner = ''] = /^(rate|cron|at)\((.*)\)$/.exec(expression) ?? []
  return `${textOf(kind, inner)} (${timeZone})`
}

function textOf(kind: string, inner: string): string {
  if (kind === 'at') return `Once, at ${inner}`
  // `rate(1 hour)` has the number 1, which no sentence needs.
  if (kind === 'rate') return `Every ${inner.replace(/^1 /, '')}`
  return cronInWords(`${NO_SECONDS} ${inner}`, AS_ON_AWS)
}

/** With seven fields the library takes the first for seconds and the last for the year. */
const NO_SECONDS = '0'
/** AWS counts the days of the week from 1, which is Sunday. */
const AS_ON_AWS = { dayOfWeekStartIndexZero: false, use24HourTimeFormat: true } as const

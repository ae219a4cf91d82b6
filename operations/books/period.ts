// Reads the period of a statement or of the books, in any time zone, and prints days and moments of a zone. The
// service's balance history has days in UTC, so a period also has the midnights around it, between which its balances
// can be proven.

import { findZone } from '@sluice/schedules'
import * as z from 'zod/mini'
import { isoTime } from '../../core/contract/fields.ts'
import { advice, option } from '../../place/next-step.ts'
import { unfit } from '../../place/operation-error.ts'

const DAY_MS = 86_400_000
/** Maximum hours that a change of the clocks skips after midnight. */
const MOST_SKIPPED_HOURS = 3

export interface PeriodFlags {
  /** A day in the zone, or a moment with its own zone. */
  readonly from?: string
  /** The same. The period ends right before it. Absent: the present. */
  readonly to?: string
  /** IANA name; UTC unless given. */
  readonly zone?: string
}

export interface Period {
  readonly zone: string
  /** Epoch ms: the first moment, and the first moment after the period. */
  readonly fromMs: number
  readonly toMs: number
  /** Epoch ms: midnight in UTC at or before `fromMs`. */
  readonly openMs: number
  /** Epoch ms: midnight in UTC at or after `toMs`. It may be in the future. */
  readonly closeMs: number
}

/** `nowMs`: service time. @throws OperationError (exit 2) for a period that is not valid */
export function readPeriod({ from, to, zone = 'UTC' }: PeriodFlags, nowMs: number): Period {
  if (findZone(zone) === undefined) {
    throw unfit('zone', 'expected the IANA name of a time zone, such as Europe/Berlin; got another text')
  }
  if (from === undefined) {
    throw unfit('from', 'expected the first day, such as 2026-01-01; got nothing', advice`add ${option('from')} DAY`)
  }
  const fromMs = readMoment('from', from, zone)
  const toMs = to === undefined ? nowMs : readMoment('to', to, zone)
  if (toMs > nowMs) {
    const problem = 'expected a time that has passed at the service; got a later one'
    throw unfit('to', problem, advice`give an earlier ${option('to')}, or leave it out`)
  }
  if (fromMs >= toMs) {
    const problem = advice`expected a time after ${option('from')}; got an earlier one, or the same`
    throw unfit('to', problem, advice`correct ${option('from')} or ${option('to')}`)
  }
  return { zone, fromMs, toMs, openMs: midnightBefore(fromMs), closeMs: midnightBefore(toMs + DAY_MS - 1) }
}

/** The same for whole days, up to the begin of today unless `to` is given. @throws OperationError (exit 2) */
export function readDays({ from, to, zone = 'UTC' }: PeriodFlags, nowMs: number): Period {
  for (const [option, text] of Object.entries({ from, to })) {
    if (text === undefined || z.iso.date().safeParse(text).success) continue
    throw unfit(option, 'expected a day such as 2026-01-31; got another text')
  }
  const today = findZone(zone) === undefined ? undefined : dayIn(zone, nowMs)
  if (from !== undefined && to === undefined && today !== undefined && from >= today) {
    const problem = 'expected a day before today, as today has not ended; got today or a later day'
    throw unfit('from', problem, advice`give an earlier ${option('from')}: books have whole days`)
  }
  return readPeriod(
    { ...(from !== undefined && { from }), ...((to ?? today) && { to: to ?? today ?? '' }), zone },
    nowMs,
  )
}

function readMoment(option: string, text: string, zone: string): number {
  if (isoTime.safeParse(text).success) return Date.parse(text)
  const midnight = z.iso.date().safeParse(text).success ? findMidnight(text, zone) : undefined
  if (midnight !== undefined) return midnight
  const expected = 'a day such as 2026-01-31, or a moment with its zone such as 2026-01-31T09:00:00Z'
  throw unfit(option, `expected ${expected}; got something else`)
}

/** The first moment of a day. Some clocks are set forward at midnight, so that the day begins later. */
function findMidnight(day: string, name: string): number | undefined {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const zone = findZone(name)
  for (let hour = 0; hour <= MOST_SKIPPED_HOURS; hour += 1) {
    const foundMs = zone?.findUtcMs({ year, month, day: date, hour, minute: 0, second: 0 })
    if (foundMs !== undefined) return foundMs
  }
  return undefined
}

function midnightBefore(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS
}

/** Such as `2026-01-31`: the day of a moment in a zone. */
export function dayIn(zone: string, ms: number): string {
  return localText(zone, ms).slice(0, 10)
}

/** Such as `2026-01-31 09:00:00`. */
export function localText(zone: string, ms: number): string {
  const local = keptZone(zone)?.localAt(ms)
  if (local === undefined) return new Date(ms).toISOString()
  const { year, month, day, hour, minute, second } = local
  const two = (value: number) => String(value).padStart(2, '0')
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`
}

let kept: { readonly name: string; readonly zone: ReturnType<typeof findZone> } | undefined

/** Making a zone costs some 0.1 ms and 50 kB outside of the heap, and books ask for the day of each movement. */
function keptZone(name: string): ReturnType<typeof findZone> {
  if (kept?.name !== name) kept = { name, zone: findZone(name) }
  return kept.zone
}

// Computes the days on which a request could move something, and the days that a window of 24 hours before it covers.
// Days are in UTC, times are service time. Pure.

/** Epoch ms, service time, both ends included: the earliest current time, and the last time at which it could move. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

const DAY_MS = 86_400_000

/** YYYY-MM-DD, UTC. */
export function dayOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10)
}

/**
 * The days of a span: one, two around midnight, or more where a send could stay alive for days. If a clock was set back
 * during preparation, the end may precede the start. The days in between count then.
 */
export function daysOf({ fromMs, toMs }: Span): readonly string[] {
  const first = Math.floor(Math.min(fromMs, toMs) / DAY_MS)
  const last = Math.floor(Math.max(fromMs, toMs) / DAY_MS)
  return Array.from({ length: last - first + 1 }, (_, at) => dayOf((first + at) * DAY_MS))
}

/**
 * Everything that counts together over any 24 hours: amounts that could move after `afterMs`, in the records of `days`.
 */
export function windowOf({ fromMs, toMs }: Span): { readonly afterMs: number; readonly days: readonly string[] } {
  const afterMs = fromMs - DAY_MS
  return { afterMs, days: daysOf({ fromMs: afterMs, toMs }) }
}

/** Reads the day from a budget's key: `B#<scope>#<day>#<symbol>`. A scope contains no `#`. */
export function dayIn(pk: string | undefined): string {
  return String(pk?.split('#')[2])
}

/** Epoch ms of the end of the day in such a key. @throws TypeError for another key */
export function endOfDayMs(pk: string | undefined): number {
  const day = Date.parse(`${dayIn(pk)}T00:00:00Z`)
  if (Number.isNaN(day)) throw new TypeError(`${pk} is no key of a budget`)
  return day + DAY_MS
}

// On which days something may move that is about to be sent, and which days a window of 24 hours before it reaches
// into. Days are of UTC, times of the service. Pure.

/** Epoch ms, service time, both ends included: the earliest that it may be now, and the last at which it could move. */
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
 * One, or two around midnight; more where a send could stay alive for days. A machine's clock that is set back while a
 * send is prepared dates its end before its beginning: the days between count then.
 */
export function daysOf({ fromMs, toMs }: Span): readonly string[] {
  const first = Math.floor(Math.min(fromMs, toMs) / DAY_MS)
  const last = Math.floor(Math.max(fromMs, toMs) / DAY_MS)
  return Array.from({ length: last - first + 1 }, (_, at) => dayOf((first + at) * DAY_MS))
}

/** What counts together with it over any 24 hours: whatever could move after `afterMs`, in the records of these days. */
export function windowOf({ fromMs, toMs }: Span): { readonly afterMs: number; readonly days: readonly string[] } {
  const afterMs = fromMs - DAY_MS
  return { afterMs, days: daysOf({ fromMs: afterMs, toMs }) }
}

/** By the key of a budget's record: `B#<scope>#<day>#<symbol>`. A scope holds no `#`. */
export function dayIn(pk: string | undefined): string {
  return String(pk?.split('#')[2])
}

/** By the same key. @throws TypeError for another */
export function endOfDayMs(pk: string | undefined): number {
  const day = Date.parse(`${dayIn(pk)}T00:00:00Z`)
  if (Number.isNaN(day)) throw new TypeError(`${pk} is no key of a budget`)
  return day + DAY_MS
}

// Which movements an audit judges: each once, and only when they are old enough that a claim, or a
// place in the lists, cannot be missing for want of time.
import { longestFenceSeconds, type Timing } from '../../core/contract/timing.ts'

/** How long after its fence an intent may take to be settled: retries, waits between looks, a slow start. */
export const SETTLING_MS = 15 * 60_000
/** A first audit looks back so far; what moved before is nobody's to account for. */
const FIRST_LOOK_MS = 24 * 3_600_000
/** What one audit takes on; the next goes on from there. */
const LONGEST_MS = 7 * 24 * 3_600_000
/** A walk never comes further than its present. A watermark that is ahead by more is of a clock that was ahead. */
const SET_BACK_MS = 60_000
/** Lists do not say whether their ends are inclusive, so they are asked for somewhat more. */
export const SLACK_MS = 1_000

export interface AuditWindow {
  /** Epoch ms, service time: movements after this … */
  readonly sinceMs: number
  /** … up to and with this are judged. Never before `sinceMs`. */
  readonly throughMs: number
  /** What moved after this is too young to be judged. */
  readonly youngSinceMs: number
  /** From this time on an audit judges all that has moved until now. */
  readonly allFromMs: number
}

/** ISO-8601. Whether an audit ended there by a clock that was ahead, and has been set back since. */
export function isAhead(from: string | undefined, nowMs: number): from is string {
  return from !== undefined && Date.parse(from) > nowMs + SET_BACK_MS
}

/** `from`: ISO-8601, where the last audit ended. */
export function auditWindow(
  nowMs: number,
  from: string | undefined,
  timing: Pick<Timing, 'tokenLifeSeconds' | 'leewaySeconds' | 'visibilitySeconds' | 'orderVisibilitySeconds'>,
): AuditWindow {
  const settledAfterMs = longestFenceSeconds(timing) * 1000 + SETTLING_MS
  const youngSinceMs = nowMs - settledAfterMs
  const sinceMs = from === undefined ? nowMs - FIRST_LOOK_MS : Date.parse(from)
  const throughMs = Math.max(sinceMs, Math.min(youngSinceMs, sinceMs + LONGEST_MS))
  return { sinceMs, throughMs, youngSinceMs, allFromMs: nowMs + settledAfterMs }
}

type Span = Pick<AuditWindow, 'sinceMs' | 'throughMs'>

/** A time that cannot be read is judged: better looked at twice than never. */
export function isWithin({ sinceMs, throughMs }: Span, time: string): boolean {
  const atMs = Date.parse(time)
  return Number.isNaN(atMs) || (atMs > sinceMs && atMs <= throughMs)
}

export function spanOf({ sinceMs, throughMs }: Span): { startDate: string; endDate: string } {
  return {
    startDate: new Date(sinceMs - SLACK_MS).toISOString(),
    endDate: new Date(throughMs + SLACK_MS).toISOString(),
  }
}

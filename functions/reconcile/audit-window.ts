// Decides which movements an audit judges. It judges the stretch since the last audit, as far as its movements are old
// enough to have their claims and their places in lists. It judges again movements dated shortly before this stretch,
// because a service may date new movements that far back.
import { SETTLING_MS } from '../../core/audit/judge-intent.ts'
import { longestFenceSeconds, type Timing } from '../../core/contract/timing.ts'
import { DATING_SLACK_MS } from '../../core/movements/withdrawal/known-rows.ts'

/** How far a first audit looks back, in milliseconds. No audit judges earlier movements. */
const FIRST_LOOK_MS = 24 * 3_600_000
/** Longest stretch of one audit, in milliseconds. The next audit continues after it. */
const LONGEST_MS = 7 * 24 * 3_600_000
/**
 * Milliseconds by which a watermark may be ahead of the clock. A watermark further ahead was written by a clock that
 * ran ahead.
 */
const SET_BACK_MS = 60_000
/** Usual stretch in milliseconds: somewhat more than the hour between audits. */
const USUAL_STRETCH_MS = 2 * 3_600_000
/** Shortest part in milliseconds into which a window with too many movements is halved. */
const SHORTEST_MS = 60_000
/** Milliseconds added at both ends of a list's span, because the service does not say whether ends are inclusive. */
export const SLACK_MS = 1_000

export interface AuditWindow {
  /** Epoch ms. Movements dated after this, up to `sinceMs`, are judged again. At most `sinceMs`. */
  readonly againFromMs: number
  /** Epoch ms, service time. The stretch begins after this. */
  readonly sinceMs: number
  /** The stretch ends with this. At least `sinceMs`. */
  readonly throughMs: number
  /** Movements after this are too young to be judged. */
  readonly youngSinceMs: number
  /** An audit at this time or later judges all movements until now. */
  readonly allFromMs: number
}

/** Whether a watermark (ISO-8601) was written by a clock that ran ahead and has been set back since. */
export function isAhead(from: string | undefined, nowMs: number): from is string {
  return from !== undefined && Date.parse(from) > nowMs + SET_BACK_MS
}

/** `from`: ISO-8601, the end of the last audit. `slackMs`: how far back rows may be dated, in milliseconds. */
export function auditWindow(
  nowMs: number,
  from: string | undefined,
  timing: Pick<Timing, 'tokenLifeSeconds' | 'leewaySeconds' | 'visibilitySeconds' | 'orderVisibilitySeconds'>,
  slackMs = DATING_SLACK_MS,
): AuditWindow {
  const settledAfterMs = longestFenceSeconds(timing) * 1000 + SETTLING_MS
  const youngSinceMs = nowMs - settledAfterMs
  const sinceMs = from === undefined ? nowMs - FIRST_LOOK_MS : Date.parse(from)
  const throughMs = Math.max(sinceMs, Math.min(youngSinceMs, sinceMs + LONGEST_MS))
  return { againFromMs: sinceMs - slackMs, sinceMs, throughMs, youngSinceMs, allFromMs: nowMs + settledAfterMs }
}

/** Half of a window with too many movements; `undefined` when it cannot be halved further. */
export function halfOf(window: AuditWindow): AuditWindow | undefined {
  const { againFromMs, sinceMs, throughMs } = window
  const againMs = Math.floor((sinceMs - againFromMs) / 2)
  const stretchMs = Math.floor((throughMs - sinceMs) / 2)
  // New movements have precedence, because the audits must catch up with the present.
  const isAgainFirst = againMs >= stretchMs || stretchMs < USUAL_STRETCH_MS
  if (isAgainFirst && againMs >= SHORTEST_MS) return { ...window, againFromMs: sinceMs - againMs }
  return stretchMs < SHORTEST_MS ? undefined : { ...window, throughMs: sinceMs + stretchMs }
}

/** Whether a time is in the stretch or in the part that is judged again. */
export function isJudged({ againFromMs, throughMs }: AuditWindow, time: string): boolean {
  return isWithin({ sinceMs: againFromMs, throughMs }, time)
}

/** An unreadable time counts as inside: better judged twice than never. */
export function isWithin({ sinceMs, throughMs }: Pick<AuditWindow, 'sinceMs' | 'throughMs'>, time: string): boolean {
  const atMs = Date.parse(time)
  return Number.isNaN(atMs) || (atMs > sinceMs && atMs <= throughMs)
}

export function spanOf({ againFromMs, throughMs }: AuditWindow): { startDate: string; endDate: string } {
  return {
    startDate: new Date(againFromMs - SLACK_MS).toISOString(),
    endDate: new Date(throughMs + SLACK_MS).toISOString(),
  }
}

// Decides which movements an audit judges. It judges the stretch since the last audit, as far as its movements are old
// enough to have their claims and their places in lists. It judges again movements dated in the two days before this
// stretch, because a service may date new movements that far back.
import { SETTLING_MS } from '../../core/audit/judge-movement.ts'
import { longestFenceSeconds, type Timing } from '../../core/contract/timing.ts'
import { DATING_SLACK_MS } from '../../core/movements/withdrawal/known-rows.ts'

/** How far a first audit looks back, in milliseconds. No audit judges earlier movements. */
export const FIRST_LOOK_MS = 24 * 3_600_000
/**
 * Milliseconds by which a watermark may be ahead of the clock. A watermark further ahead was written by a clock that
 * ran ahead.
 */
const SET_BACK_MS = 60_000
/** Milliseconds added at both ends of a list's span, because the service does not say whether ends are inclusive. */
export const SLACK_MS = 1_000

/** A span of service time in epoch ms: after `sinceMs`, up to and including `throughMs`. */
export interface Stretch {
  readonly sinceMs: number
  readonly throughMs: number
}

/** The stretch begins where the last audit ended. `throughMs` is at least `sinceMs`. */
export interface AuditWindow extends Stretch {
  /** Epoch ms. Movements dated after this, up to `sinceMs`, are judged again. At most `sinceMs`. */
  readonly againFromMs: number
  /** Movements after this are too young to be judged. */
  readonly youngSinceMs: number
  /** An audit at this time or later judges all movements until now. */
  readonly allFromMs: number
}

/** Whether a watermark (ISO-8601) was written by a clock that ran ahead and has been set back since. */
export function isAhead(from: string | undefined, nowMs: number): from is string {
  return from !== undefined && Date.parse(from) > nowMs + SET_BACK_MS
}

export interface LastAudit {
  /** ISO-8601, the end of the last audit. */
  readonly through?: string | undefined
  /** ISO-8601, the end of what was judged again last. Absent: `through`. */
  readonly againThrough?: string | undefined
  /** How far back movements may be dated, in milliseconds. Default: DATING_SLACK_MS. */
  readonly slackMs?: number | undefined
}

export function auditWindow(
  nowMs: number,
  { through, againThrough, slackMs = DATING_SLACK_MS }: LastAudit,
  timing: Timing,
): AuditWindow {
  const settledAfterMs = longestFenceSeconds(timing) * 1000 + SETTLING_MS
  const youngSinceMs = nowMs - settledAfterMs
  const sinceMs = through === undefined ? nowMs - FIRST_LOOK_MS : Date.parse(through)
  const againToMs = againThrough === undefined ? sinceMs : Math.min(sinceMs, Date.parse(againThrough))
  return {
    againFromMs: againToMs - slackMs,
    sinceMs,
    throughMs: Math.max(sinceMs, youngSinceMs),
    youngSinceMs,
    allFromMs: nowMs + settledAfterMs,
  }
}

/** An unreadable time counts as inside: better judged twice than never. */
export function isWithin({ sinceMs, throughMs }: Stretch, time: string): boolean {
  const atMs = Date.parse(time)
  return Number.isNaN(atMs) || (atMs > sinceMs && atMs <= throughMs)
}

/** Whether a time is in the stretch or in the part that is judged again. */
export function isJudged({ againFromMs, throughMs }: AuditWindow, time: string): boolean {
  return isWithin({ sinceMs: againFromMs, throughMs }, time)
}

export function spanOf({ sinceMs, throughMs }: Stretch): { startDate: string; endDate: string } {
  return { startDate: iso(sinceMs - SLACK_MS), endDate: iso(throughMs + SLACK_MS) }
}

export function iso(atMs: number): string {
  return new Date(atMs).toISOString()
}

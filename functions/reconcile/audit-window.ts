// Which movements an audit judges: those of the stretch since the last one, once they are old enough that a claim, or a
// place in the lists, cannot be missing for want of time; and again those that are dated before it, because a service may
// date a movement of the stretch as far back as that.
import { SETTLING_MS } from '../../core/audit/judge-intent.ts'
import { longestFenceSeconds, type Timing } from '../../core/contract/timing.ts'
import { DATING_SLACK_MS } from '../../core/movements/withdrawal/known-rows.ts'

/** A first audit looks back so far; what moved before is nobody's to account for. */
const FIRST_LOOK_MS = 24 * 3_600_000
/** What one audit takes on; the next goes on from there. */
const LONGEST_MS = 7 * 24 * 3_600_000
/** A walk never comes further than its present. A watermark that is ahead by more is of a clock that was ahead. */
const SET_BACK_MS = 60_000
/** Somewhat more than audits are apart, where none was left out. */
const USUAL_STRETCH_MS = 2 * 3_600_000
/** A window that has too many movements is halved until each of its parts is as short as this. */
const SHORTEST_MS = 60_000
/** Lists do not say whether their ends are inclusive, so they are asked for somewhat more. */
export const SLACK_MS = 1_000

export interface AuditWindow {
  /** Epoch ms: movements that are dated after this, up to `sinceMs`, are judged again. Never after `sinceMs`. */
  readonly againFromMs: number
  /** Service time: movements after this … */
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

/** `from`: ISO-8601, where the last audit ended. `slackMs`: how far back rows may be dated. */
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

/** Half of the window, for where it has too many movements; undefined where it is as short as may be. */
export function halfOf(window: AuditWindow): AuditWindow | undefined {
  const { againFromMs, sinceMs, throughMs } = window
  const againMs = Math.floor((sinceMs - againFromMs) / 2)
  const stretchMs = Math.floor((throughMs - sinceMs) / 2)
  // What is new comes first: the audits must come to the present.
  const isAgainFirst = againMs >= stretchMs || stretchMs < USUAL_STRETCH_MS
  if (isAgainFirst && againMs >= SHORTEST_MS) return { ...window, againFromMs: sinceMs - againMs }
  return stretchMs < SHORTEST_MS ? undefined : { ...window, throughMs: sinceMs + stretchMs }
}

/** Whether a time is of the stretch or of what is judged again. */
export function isJudged({ againFromMs, throughMs }: AuditWindow, time: string): boolean {
  return isWithin({ sinceMs: againFromMs, throughMs }, time)
}

/** A time that cannot be read is of the stretch: better looked at twice than never. */
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

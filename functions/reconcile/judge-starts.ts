// Checks that policies started when their schedules were due: each due time must have a run in the journal, with any
// outcome. It uses records, not a service's claim of a delivery. So it notices a schedule that is switched off or gone,
// a failed start, and a run that never reached its plan. Starts nothing.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import type { Schedule } from '../../core/contract/policies.ts'
import { nextDueMs } from '../../core/treasury/due-times.ts'
import { scheduledName } from '../../core/triggers/scheduled-name.ts'
import { type AuditWindow, iso } from './audit-window.ts'

export interface StartsPorts {
  /** Policies with a schedule, by name. */
  readonly schedules: readonly (readonly [policy: string, schedule: Schedule])[]
  /** Whether the journal has a run of this id. @throws Transient */
  readonly hasRun: (runId: string) => Promise<boolean>
  readonly tellLate: (late: LateStart) => void
}

interface LateStart {
  readonly policy: string
  readonly message: string
}

const HOUR_MS = 3_600_000
/**
 * Maximum number of due times of one policy in one audit: all of a minutely schedule's last 100 minutes, and more than
 * an hour of any other.
 */
const MOST_DUE = 100
/** How far back the previous due time is searched, in milliseconds, nearest first. */
const LOOKS_BACK_MS = [1, 24, 8 * 24, 35 * 24, 370 * 24].map((hours) => hours * HOUR_MS)
/** Maximum number of steps between due times in one search. */
const MOST_STEPS = 10_000

/** @throws Transient */
export async function judgeStarts(
  window: Pick<AuditWindow, 'sinceMs' | 'throughMs'>,
  { schedules, hasRun, tellLate }: StartsPorts,
): Promise<void> {
  for (const [policy, schedule] of schedules) {
    const due = dueWithin(schedule, window)
    const [first] = due
    const before = first === undefined ? undefined : dueBefore(schedule, first)
    if (before === undefined) continue
    const [wasStarted, ...started] = await mapBounded([before, ...due], READS_AT_ONCE, (dueMs) =>
      hasRun(scheduledName(policy, iso(dueMs))),
    )
    const missed = missedAfter(wasStarted === true, due, started)
    if (missed.length > 0) tellLate({ policy, message: messageOf(policy, missed, due.length) })
  }
}

/**
 * The missed due times: those without a run after a due time with a run. A new policy, or a schedule changed by a
 * deployment, has due times at which nobody could have started it. A miss that continues is reported once.
 */
function missedAfter(wasStarted: boolean, due: readonly number[], started: readonly boolean[]): readonly number[] {
  let isExpected = wasStarted
  return due.filter((_dueMs, at) => {
    const isStarted = started[at] === true
    const isMissed = isExpected && !isStarted
    isExpected ||= isStarted
    return isMissed
  })
}

/** The last due times in the window, oldest first. */
function dueWithin(schedule: Schedule, { sinceMs, throughMs }: Pick<AuditWindow, 'sinceMs' | 'throughMs'>): number[] {
  const due: number[] = []
  let dueMs = nextDueMs(schedule, sinceMs)
  for (let step = 0; step < MOST_STEPS && dueMs !== undefined && dueMs <= throughMs; step += 1) {
    due.push(dueMs)
    dueMs = nextDueMs(schedule, dueMs)
  }
  return due.slice(-MOST_DUE)
}

function dueBefore(schedule: Schedule, beforeMs: number): number | undefined {
  for (const backMs of LOOKS_BACK_MS) {
    const [last] = dueWithin(schedule, { sinceMs: beforeMs - backMs, throughMs: beforeMs - 1 }).slice(-1)
    if (last !== undefined) return last
  }
  return undefined
}

function messageOf(policy: string, missed: readonly number[], dueCount: number): string {
  const [first = 0] = missed
  const times =
    missed.length === 1 ? `at ${iso(first)}` : `${missed.length} times of ${dueCount}, first at ${iso(first)}`
  return `the policy ${policy} was due ${times}, and no run of it began`
}

// How far a schedule has come: which of its times are done. It knows stretches of time, because a clock may be set back:
// what was done while it was ahead must not be done twice, and what was not must not be left out. Pure.

/** Times after `afterMs`, up to and with `throughMs`. */
export interface Stretch {
  readonly afterMs: number
  readonly throughMs: number
}

/** What is remembered of a schedule, by its ARN. */
export interface Progress {
  /** Of the expression and its zone: a changed schedule begins anew. Its dates may go when they have passed. */
  readonly hash: string
  /** When it began to be here: nothing before that was missed. A rate counts from it. */
  readonly createdMs: number
  /** The last time that was owed. */
  readonly lastMs?: number
  /** Every time after this one and up to `lastMs` is done. */
  readonly sinceMs: number
  /** Stretches that are done, too, the latest that was begun last. */
  readonly done?: readonly Stretch[]
}

/** A clock is corrected by less all the time. */
export const SET_BACK_MS = 60_000
/** A stretch ends where times were too old to be owed, or where the clock was set back. */
const MOST_STRETCHES = 10

/** Times after it, and up to now, were missed. */
export function reachedMs({ createdMs, lastMs }: Progress): number {
  return lastMs ?? createdMs - 1
}

/** Whether it was done before the clock was set back. */
export function isDone({ done = [] }: Progress, dueMs: number): boolean {
  return done.some(({ afterMs, throughMs }) => afterMs < dueMs && dueMs <= throughMs)
}

export function isSetBack(progress: Progress, nowMs: number): boolean {
  return Math.max(progress.createdMs, reachedMs(progress)) > nowMs + SET_BACK_MS
}

/** What comes up to now was too old to be owed, and is not done. */
export function skippedTo(progress: Progress, afterMs: number): Progress {
  return { ...progress, done: closed(progress), sinceMs: afterMs, lastMs: afterMs }
}

/** Goes on from the last time that was done before `nowMs`. */
export function setBackTo(progress: Progress, nowMs: number): Progress {
  const { createdMs } = progress
  const done = closed(progress)
  const past = done.filter(({ afterMs }) => afterMs <= nowMs).map(({ throughMs }) => Math.min(throughMs, nowMs))
  const fromMs = Math.max(createdMs > nowMs ? nowMs : createdMs - 1, ...past)
  return { ...progress, createdMs: Math.min(createdMs, nowMs), done, sinceMs: fromMs, lastMs: fromMs }
}

function closed({ done = [], lastMs, sinceMs }: Progress): readonly Stretch[] {
  if (lastMs === undefined || lastMs <= sinceMs) return done
  return [...done, { afterMs: sinceMs, throughMs: lastMs }].slice(-MOST_STRETCHES)
}

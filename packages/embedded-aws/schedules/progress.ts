// Records the progress of a schedule: which of its times are done. It keeps stretches of time, because a clock may be
// set back. Times that were done while the clock was ahead must not be done again, and no other time may be skipped.
// Pure.

/** The times after `afterMs`, up to and including `throughMs`. */
export interface Stretch {
  readonly afterMs: number
  readonly throughMs: number
}

/** The stored state of a schedule, by its ARN. */
export interface Progress {
  /** Hash of the expression and zone. A schedule whose hash changes starts again. */
  readonly hash: string
  /** When the schedule first existed here. Earlier times were not missed. A rate counts from it. */
  readonly createdMs: number
  /** The last time that was accepted for delivery. */
  readonly lastMs?: number
  /** Every time after this and up to `lastMs` is done. */
  readonly sinceMs: number
  /** Other stretches that are done, in the order of their start. */
  readonly done?: readonly Stretch[]
}

/** Smaller corrections of a clock are common, so a smaller set-back is ignored. */
export const SET_BACK_MS = 60_000
/** Maximum stretches kept. A stretch ends at times that were too old to deliver, or when the clock was set back. */
const MOST_STRETCHES = 10

/** Returns the last time that is done. Later times, up to now, were missed. */
export function reachedMs({ createdMs, lastMs }: Progress): number {
  return lastMs ?? createdMs - 1
}

/** Whether the time was done before the clock was set back. */
export function isDone({ done = [] }: Progress, dueMs: number): boolean {
  return done.some(({ afterMs, throughMs }) => afterMs < dueMs && dueMs <= throughMs)
}

export function isSetBack(progress: Progress, nowMs: number): boolean {
  return Math.max(progress.createdMs, reachedMs(progress)) > nowMs + SET_BACK_MS
}

/** Skips the times up to `afterMs`, which were too old to deliver and are not done. */
export function skippedTo(progress: Progress, afterMs: number): Progress {
  return { ...progress, done: closed(progress), sinceMs: afterMs, lastMs: afterMs }
}

/** Continues from the last time before `nowMs` that was done. */
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

// Defines time and chance as arguments, so that a simulation can control them. Has the real ones too, which read the machine.

export interface Clock {
  /** Milliseconds since the epoch, by this machine. Somebody may set this clock forward or back at any time. */
  nowMs(): number
  /**
   * Milliseconds since some moment, for measuring durations: nobody can set this clock. It may stop while the machine
   * sleeps. Absent where nobody can set `nowMs` either.
   */
  monotonicMs?(): number
  /** Resolves after about `durationMs`. */
  sleep(durationMs: number): Promise<void>
}

/** Time of the clock that nobody can set, in ms. Only differences mean anything. */
export function steadyMs(clock: Clock): number {
  return clock.monotonicMs?.() ?? clock.nowMs()
}

/** Makes an unguessable id, such as a nonce. */
export type NewId = () => string

/** Random number from 0 up to 1, for jitter. */
export type Random = () => number

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (durationMs) => new Promise((resolve) => setTimeout(resolve, durationMs)),
}

export const systemRandom: Random = () => Math.random()

/** Seconds, to the millisecond. At least 0: clocks differ, and nothing ends before it began. */
export function secondsSince(thenMs: number, nowMs: number): number {
  return Math.max(0, Math.round(nowMs - thenMs) / 1000)
}

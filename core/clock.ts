// Time and chance as arguments, so that a simulation can own them.

export interface Clock {
  /** Milliseconds since the epoch, by this machine. It may be set, forward or back, at any time. */
  nowMs(): number
  /**
   * Milliseconds since some moment, never set: for how long something took. It may stand still
   * while the machine sleeps. Left out where `nowMs` itself is never set.
   */
  monotonicMs?(): number
  /** Resolves after about `durationMs`. */
  sleep(durationMs: number): Promise<void>
}

/** What a clock shows that is never set. Only differences mean anything. */
export function steadyMs(clock: Clock): number {
  return clock.monotonicMs?.() ?? clock.nowMs()
}

/** Makes an unguessable id: a nonce, an owner. */
export type NewId = () => string

/** A number from 0 up to 1, by chance: for jitter. */
export type Random = () => number

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (durationMs) => new Promise((resolve) => setTimeout(resolve, durationMs)),
}

export const systemRandom: Random = () => Math.random()

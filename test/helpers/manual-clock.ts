// Provides a clock that a test moves by hand.
import type { Clock } from '../../core/clock.ts'

export interface ManualClock extends Clock {
  monotonicMs(): number
  advance(durationMs: number): void
  /** Sets this machine's clock, forward or back, without passing time. */
  set(byMs: number): void
}

export function manualClock(startMs = Date.UTC(2026, 0, 31, 9)): ManualClock {
  let nowMs = startMs
  let passedMs = 0
  const advance = (durationMs: number) => {
    nowMs += durationMs
    passedMs += durationMs
  }
  return {
    nowMs: () => nowMs,
    monotonicMs: () => passedMs,
    sleep: async (durationMs) => advance(durationMs),
    advance,
    set: (byMs) => {
      nowMs += byMs
    },
  }
}

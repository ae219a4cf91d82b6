// A clock that a test moves by hand.
import type { Clock } from '../../functions/shared/clock.ts'

export interface ManualClock extends Clock {
  advance(durationMs: number): void
}

export function manualClock(startMs = Date.UTC(2026, 0, 31, 9)): ManualClock {
  let nowMs = startMs
  return {
    nowMs: () => nowMs,
    sleep: async (durationMs) => {
      nowMs += durationMs
    },
    advance: (durationMs) => {
      nowMs += durationMs
    },
  }
}

// A clock for many waiters at once: time passes only when everybody sleeps, up to the next wake-up.
import type { Clock } from '../../core/clock.ts'

export interface TurnClock extends Clock {
  monotonicMs(): number
  /** Lets time pass until nobody sleeps. */
  untilQuiet(): Promise<void>
}

export function turnClock(startMs = Date.UTC(2026, 0, 31, 9)): TurnClock {
  let passedMs = 0
  const sleepers: { readonly atMs: number; readonly wake: () => void }[] = []
  return {
    nowMs: () => startMs + passedMs,
    monotonicMs: () => passedMs,
    sleep: (durationMs) => new Promise((wake) => sleepers.push({ atMs: passedMs + durationMs, wake })),
    untilQuiet: async () => {
      for (;;) {
        // Work that needs no time runs first.
        await new Promise((resolve) => setImmediate(resolve))
        const next = sleepers.toSorted((left, right) => left.atMs - right.atMs)[0]
        if (next === undefined) return
        sleepers.splice(sleepers.indexOf(next), 1)
        passedMs = Math.max(passedMs, next.atMs)
        next.wake()
      }
    },
  }
}

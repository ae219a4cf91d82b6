// A clock for many that wait at once: time passes only when everybody sleeps, and then to the
// moment at which the next one wakes.
import type { Clock } from '../../core/clock.ts'

export interface TurnClock extends Clock {
  monotonicMs(): number
  /** Lets time pass until nobody sleeps any more. */
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
        // Whoever can go on without time passing does so first.
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

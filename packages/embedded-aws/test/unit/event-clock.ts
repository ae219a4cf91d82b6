// Simulates the clock of the embedded AWS for many waiters. Time passes only when no work is left, and then jumps to
// the moment at which the next waiter wakes.
import type { AwsClock } from '../../clock.ts'

export interface EventClock extends AwsClock {
  /** Lets time pass until nothing sleeps, or until `untilMs`. */
  untilQuiet(untilMs?: number): Promise<void>
  /** Sets the clock, as a person or NTP does. Each sleep keeps its length. */
  set(ms: number): void
}

export function eventClock(startMs: number): EventClock {
  let nowMs = startMs
  const sleepers: { atMs: number; readonly wake: () => void }[] = []
  return {
    nowMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason)
          return
        }
        const sleeper = { atMs: nowMs + ms, wake: resolve }
        sleepers.push(sleeper)
        signal?.addEventListener('abort', () => {
          const index = sleepers.indexOf(sleeper)
          if (index >= 0) sleepers.splice(index, 1)
          reject(signal.reason)
        })
      }),
    set(ms) {
      for (const sleeper of sleepers) sleeper.atMs += ms - nowMs
      nowMs = ms
    },
    async untilQuiet(untilMs = Number.POSITIVE_INFINITY) {
      for (;;) {
        // Work that needs no time runs first.
        await new Promise((resolve) => setImmediate(resolve))
        const next = sleepers.toSorted((left, right) => left.atMs - right.atMs)[0]
        if (next === undefined || next.atMs > untilMs) break
        sleepers.splice(sleepers.indexOf(next), 1)
        nowMs = Math.max(nowMs, next.atMs)
        next.wake()
      }
      if (Number.isFinite(untilMs)) nowMs = Math.max(nowMs, untilMs)
    },
  }
}

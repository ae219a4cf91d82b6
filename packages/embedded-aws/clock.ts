// Defines the clock of everything that AWS would time: waits and time-outs of executions, schedules, queues and deliveries.
// Time inside a function is the host's own.

export interface AwsClock {
  /** Milliseconds since the epoch. */
  nowMs(): number
  /** Resolves after about `ms`. Rejects with the signal's reason when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Maximum delay of Node's timers. Above it they overflow and fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: AwsClock = {
  nowMs: () => Date.now(),
  async sleep(ms, signal) {
    const untilMs = performance.now() + ms
    for (;;) {
      const leftMs = untilMs - performance.now()
      if (leftMs <= 0) return
      await timer(Math.min(leftMs, LONGEST_TIMER_MS), signal)
    }
  },
}

function timer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    const onAbort = () => {
      clearTimeout(handle)
      reject(signal?.reason)
    }
    const handle = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

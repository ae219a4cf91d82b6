// One environment of a function: its process, and a clock of its own, which may be set back or on
// at any moment when the process waits for somebody.
import type { Clock } from '../../functions/shared/clock.ts'
import type { Scheduler } from './scheduler.ts'

export interface Machine extends Clock {
  readonly scheduler: Scheduler
  /** Before and after every effect: here the process may crash, freeze, or find its clock changed. */
  pause(): Promise<void>
}

const CHANGES_MS = [-3_600_000, -20_000, 20_000, 3_600_000]

export function createMachine(scheduler: Scheduler, process: string): Machine {
  let aheadMs = 0
  return {
    scheduler,
    nowMs: () => scheduler.nowMs + aheadMs,
    sleep: (durationMs) => scheduler.park(process, durationMs),
    pause() {
      if (scheduler.takeFault('clock', 0.02, ['clock set'])) aheadMs += scheduler.pick(CHANGES_MS)
      return scheduler.park(process)
    },
  }
}

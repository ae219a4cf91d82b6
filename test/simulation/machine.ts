// One environment of a function: its process, and a clock of its own, which may be set back or on
// at any moment when the process waits for somebody.
import type { Clock } from '../../functions/shared/clock.ts'
import type { Scheduler } from './scheduler.ts'

export interface Machine extends Clock {
  readonly scheduler: Scheduler
  /** Before and after every effect: here the process may crash, freeze, or find its clock changed. */
  pause(): Promise<void>
}

export function createMachine(scheduler: Scheduler, process: string): Machine {
  let aheadMs = 0
  return {
    scheduler,
    nowMs: () => scheduler.nowMs + aheadMs,
    sleep: (durationMs) => scheduler.park(process, durationMs),
    async pause() {
      await scheduler.park(process)
      if (scheduler.takeFault(0.02)) aheadMs += scheduler.pick([-3_600_000, -20_000, 20_000, 3_600_000])
    },
  }
}

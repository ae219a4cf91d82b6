// One environment of a function: its process, what it remembers between calls, and a clock of its
// own, which may be set back or on at any moment when the process waits for somebody.
import type { Clock } from '../../functions/shared/clock.ts'
import type { Scheduler } from './scheduler.ts'
import { Trace, textOf } from './trace.ts'

/** What outlives a call in a warm environment; all of it, so that a world's state can be told. */
export interface Memory {
  /** How far its clock has been set on. */
  aheadMs: number
  /** The last answer of `/v2/time`, and when it was asked for and heard, by its own clock. */
  time?: { readonly askedMs: number; readonly answeredMs: number; readonly told: unknown }
  /** The signing key, read once. */
  keyNumber?: number | undefined
  /** The switch as it was last read; `undefined` when that was before the last ARM. */
  sawHalt?: boolean | undefined
}

export interface Machine extends Clock {
  readonly scheduler: Scheduler
  readonly process: string
  readonly memory: Memory
  /** What its present call has observed. */
  readonly trace: Trace
  /** Before every effect: here, and in `hear`, the process may crash, freeze, or find its clock changed. */
  pause(): Promise<void>
  /** After an effect, before its answer is heard. */
  hear(): Promise<void>
  readonly looks: number
  /** What is remembered, and what its present call has observed. */
  text(): string
}

const CHANGES_MS = [-3_600_000, -20_000, 20_000, 3_600_000]

/** `process`: its name, different for each. */
export function createMachine(scheduler: Scheduler, process: string): Machine {
  const memory: Memory = { aheadMs: 0 }
  const trace = new Trace()
  let looks = 0
  const pauseThere = (hears: boolean): Promise<void> => {
    if (scheduler.takeFault('clock', 0.02, ['clock set'])) memory.aheadMs += scheduler.pick(CHANGES_MS)
    return scheduler.park(process, 0, machine, hears)
  }
  const machine: Machine = {
    scheduler,
    process,
    memory,
    trace,
    nowMs() {
      const nowMs = scheduler.nowMs + memory.aheadMs
      trace.note(nowMs)
      looks += 1
      return nowMs
    },
    get looks() {
      return looks
    },
    sleep: (durationMs) => scheduler.park(process, durationMs, machine),
    pause: () => pauseThere(false),
    hear: () => pauseThere(true),
    text: () => `${process} ${textOf(memory)} ${trace.text()}`,
  }
  return machine
}

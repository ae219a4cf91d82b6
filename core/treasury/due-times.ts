// Computes when a policy's schedule is due, and the simpler schedule that EventBridge Scheduler gets. Scheduler gets no
// start, no end and no rate: a deployment or a rollback would shift a rate, or fail on a past time. So StartRun
// receives every tick, and starts only what is due. Times are whole minutes, as in the service. Pure.
import { parseExpression, tickOf } from '@sluice/schedules'
import type { Schedule } from '../contract/policies.ts'

const MINUTE_MS = 60_000

/** The expression and the time zone for EventBridge Scheduler. */
export function scheduledTick(schedule: Schedule): { readonly expression: string; readonly timeZone: string } {
  const { expression, timeZone } = tickFor(schedule)
  return { expression, timeZone }
}

/** Whether a tick at this time is due: not before the start, and not after the end. */
export function isDue(schedule: Schedule, atMs: number): boolean {
  const { endMs, startMs } = datesOf(schedule)
  return startMs <= atMs && atMs <= endMs && tickFor(schedule).isDue(atMs)
}

/** Returns the first due time after `afterMs`, in epoch ms, or undefined. */
export function nextDueMs(schedule: Schedule, afterMs: number): number | undefined {
  const { endMs, startMs } = datesOf(schedule)
  const timing = parseExpression(schedule.expression, schedule.timeZone)
  const nextMs = timing.nextMs(Math.max(afterMs, startMs - 1), anchorOf(schedule))
  if (nextMs === undefined) return undefined
  const dueMs = toMinute(nextMs)
  return dueMs > endMs ? undefined : dueMs
}

function tickFor(schedule: Schedule) {
  return tickOf(schedule.expression, schedule.timeZone, anchorOf(schedule))
}

/** A rate without a start counts from the Unix epoch, so that no deployment shifts it. */
function anchorOf({ start }: Schedule): number {
  return start === undefined ? 0 : toMinute(Date.parse(start))
}

function datesOf({ end, start }: Schedule) {
  return {
    startMs: start === undefined ? Number.NEGATIVE_INFINITY : toMinute(Date.parse(start)),
    endMs: end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end),
  }
}

function toMinute(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS
}

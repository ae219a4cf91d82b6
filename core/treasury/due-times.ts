// When a policy's schedule is due, and what EventBridge Scheduler is given in its place. The service is told no start and no
// end, and no rate: a deployment or a rollback would move a rate, or fail on a time that has passed. So StartRun is told of
// every tick, and starts what is due. Everything here goes by whole minutes, as the service does. Pure.
import { parseExpression, tickOf } from '@sluice/schedules'
import type { Schedule } from '../contract/policies.ts'

const MINUTE_MS = 60_000

/** The expression and the time zone that EventBridge Scheduler is given. */
export function scheduledTick(schedule: Schedule): { readonly expression: string; readonly timeZone: string } {
  const { expression, timeZone } = tickFor(schedule)
  return { expression, timeZone }
}

/** Whether a tick at this moment is due: no sooner than the start, and no later than the end. */
export function isDue(schedule: Schedule, atMs: number): boolean {
  const { endMs, startMs } = datesOf(schedule)
  return startMs <= atMs && atMs <= endMs && tickFor(schedule).isDue(atMs)
}

/** The first due time after `afterMs`; undefined where there is none. Milliseconds since the epoch. */
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

/** A rate without a start counts from the midnight that all clocks count from, so that no deployment moves it. */
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

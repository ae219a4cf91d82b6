// Service time: read it, set it off from the machine's clock, move it on.
import * as z from 'zod/mini'
import { integer, optional } from '../fields.ts'
import { readFields } from '../read-fields.ts'
import { showTime } from '../representation.ts'
import type { World } from '../world.ts'

/** How far service time may be off: a hundred years. */
const FURTHEST_MS = 3_155_760_000_000

const fields = z.strictObject({
  /** Added to the machine's clock, in place of what was added before. */
  offsetMs: optional(integer(-FURTHEST_MS, FURTHEST_MS)),
  /** Added on top. */
  advanceMs: optional(integer(0, FURTHEST_MS)),
})

export function showClock(world: World): unknown {
  return { now: showTime(world.nowMs()), epochMs: world.nowMs(), offsetMs: world.clockOffsetMs }
}

/** Moves the clock, and lets happen what has fallen due by then. */
export function moveClock(world: World, body: Record<string, unknown>): unknown {
  const { offsetMs = world.clockOffsetMs, advanceMs = 0 } = readFields(fields, body)
  const total = Math.max(-FURTHEST_MS, Math.min(FURTHEST_MS, offsetMs + advanceMs))
  world.commit({ kind: 'clock.moved', offsetMs: total })
  world.settleDue(world.nowMs())
  return showClock(world)
}

// Service time: shows it, sets its offset from the machine's clock, and advances it.
import * as z from 'zod/mini'
import { integer, optional } from '../fields.ts'
import { readFields } from '../read-fields.ts'
import { showTime } from '../representation.ts'
import type { World } from '../world.ts'

/** Maximum offset of service time: a hundred years. */
const FURTHEST_MS = 3_155_760_000_000

const fields = z.strictObject({
  /** Replaces the offset from the machine's clock. */
  offsetMs: optional(integer(-FURTHEST_MS, FURTHEST_MS)),
  /** Added to the offset. */
  advanceMs: optional(integer(0, FURTHEST_MS)),
})

export function showClock(world: World): unknown {
  return { now: showTime(world.nowMs()), epochMs: world.nowMs(), offsetMs: world.clockOffsetMs }
}

/** Moves the clock, and applies everything that falls due. */
export function moveClock(world: World, body: Record<string, unknown>): unknown {
  const { offsetMs = world.clockOffsetMs, advanceMs = 0 } = readFields(fields, body)
  const total = Math.max(-FURTHEST_MS, Math.min(FURTHEST_MS, offsetMs + advanceMs))
  world.commit({ kind: 'clock.moved', offsetMs: total })
  world.settleDue(world.nowMs())
  return showClock(world)
}

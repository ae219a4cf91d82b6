// Delays an answer until a service time. Machine time may pass, or a control call may move the clock. Ends early when
// the caller has gone or when a gateway would hang up; the service's work continues either way.
import type { World } from './world.ts'

/** Time between checks of the clock, which control calls may move. */
const CHECK_EVERY_MS = 20

export interface Held {
  /** Service time of the answer. */
  readonly atMs: number
  /** Machine time left until the connection is closed without an answer. Undefined: it is never closed. */
  readonly patienceMs: number | undefined
  readonly hasGone: () => boolean
  readonly answer: () => void
  readonly giveUp: () => void
}

export function holdAnswer(world: World, held: Held): void {
  const leftMs = held.atMs - world.nowMs()
  if (leftMs <= 0) held.answer()
  else if (held.hasGone() || held.patienceMs === 0) held.giveUp()
  else {
    const waitMs = Math.min(leftMs, CHECK_EVERY_MS, held.patienceMs ?? CHECK_EVERY_MS)
    const patienceMs = held.patienceMs === undefined ? undefined : held.patienceMs - waitMs
    setTimeout(() => holdAnswer(world, { ...held, patienceMs }), waitMs).unref()
  }
}

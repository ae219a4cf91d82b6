// Waits with an answer until service time is there: the machine's time may pass, or a control call may move the clock.
// Ends when the caller has gone, or when a gateway in between has had enough; the service's work goes on either way.
import type { World } from './world.ts'

/** Between looks at the clock, which control calls may move. */
const LOOK_AGAIN_MS = 20

export interface Held {
  /** Service time of the answer. */
  readonly atMs: number
  /** Machine time that is left until the connection is closed without an answer; undefined: it never is. */
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
    const waitMs = Math.min(leftMs, LOOK_AGAIN_MS, held.patienceMs ?? LOOK_AGAIN_MS)
    const patienceMs = held.patienceMs === undefined ? undefined : held.patienceMs - waitMs
    setTimeout(() => holdAnswer(world, { ...held, patienceMs }), waitMs).unref()
  }
}

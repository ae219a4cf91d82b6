// The network between a send and the service: loses, delays, doubles, and lets an intermediary
// answer for a copy that is still on its way.
import type { Machine } from './machine.ts'

/** The longest that a copy is under way: beyond any token's life and leeway. */
const LATEST_MS = 150_000

/** `arrive`: one copy reaches the service. `unproven`: an answer that is not the service's yes. */
export async function deliver<Answer>(
  machine: Machine,
  arrive: () => Answer,
  unproven: (code: string, status: number | undefined, business: boolean) => Answer,
): Promise<Answer> {
  const { scheduler } = machine
  if (!scheduler.takeFault(0.5)) {
    const answer = arrive()
    await machine.pause()
    return answer
  }
  const lost = unproven('no_answer', undefined, false)
  const arriveLate = () => scheduler.later(Math.floor(scheduler.random() * LATEST_MS), arrive)
  switch (
    scheduler.pick([
      ...(['request lost', 'answer lost', 'error after', 'late'] as const),
      ...(['refused, then late', 'throttled, then late', 'doubled', 'doubled late'] as const),
    ])
  ) {
    case 'request lost':
      return lost
    case 'answer lost':
      arrive()
      return lost
    case 'error after':
      arrive()
      return unproven('internal_error', 500, false)
    case 'late':
      arriveLate()
      return lost
    case 'refused, then late':
      // An intermediary said no, to a copy that is still on its way.
      arriveLate()
      return unproven('validation_error', 400, true)
    case 'throttled, then late':
      arriveLate()
      return unproven('rate_limited', 429, false)
    case 'doubled': {
      const first = arrive()
      const second = arrive()
      return scheduler.chance(0.5) ? first : second
    }
    case 'doubled late': {
      const first = arrive()
      arriveLate()
      return first
    }
  }
}

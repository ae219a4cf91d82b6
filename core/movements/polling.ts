// Reads a movement under way again and again for some seconds inside a function, and says the growing waits between functions.
// Holds the numbers of waits. Decides only which faults of a read lead to another read.

import { type Clock, steadyMs } from '../clock.ts'
import type { Timing } from '../contract/timing.ts'
import { KeyFault, RateLimited, Transient } from '../errors.ts'

/** Milliseconds. A step that starts measures the service's time again when the last measurement is older than this. */
export const CLOCK_AGE_LIMIT_MS = 60_000

/** Milliseconds. Pauses between reads within one invocation: 0.2, 0.4, 0.8, then 1.6 s each, with a last read at the end. */
const FIRST_LOOK_MS = 200
const LONGEST_LOOK_MS = 1600

/**
 * Number of waits while one send is in doubt. Two usually reach its fence; the others bridge a service that cannot be read.
 * In all 5 + 10 + 20 + 40 + 16 x 60 s = 17 min of an outage heal without a person.
 */
export const DOUBT_WAITS = 20
export const UNREAD_WAITS = { pollFirstWaitSeconds: 5, pollLongestWaitSeconds: 60 }

/** Number of waits for a lane or for the end of a halt: 15 + 30 + … + 300 s, about eight hours in all. */
export const HELD_WAITS = 100
export const HELD_WAIT = { pollFirstWaitSeconds: 15, pollLongestWaitSeconds: 300 }

export interface Polling {
  readonly clock: Clock
  readonly timing: Pick<Timing, 'pollInsideSeconds'>
  /** False while others need the rest of the service's rate limit: then the first read is the only one. */
  readonly mayLookOn?: () => boolean
}

/**
 * Part of what a read returns. `keyAtFault` rings an alarm: nothing else reports the key's fault before the key is used again.
 */
interface KeySeen {
  readonly keyAtFault?: true | undefined
}

/**
 * Reads until the movement has settled, or until `pollInsideSeconds` have passed, and returns what it read last. A fault that
 * may pass, or a fault of the key, only leads to a later read. The first read throws it. After that the fault ends the reading,
 * and what was read before stays true.
 */
export async function pollUntilSettled<Seen extends KeySeen>(
  look: () => Promise<Seen>,
  isMoving: (seen: Seen) => boolean,
  { clock, timing, mayLookOn = () => true }: Polling,
): Promise<Seen> {
  const endMs = steadyMs(clock) + timing.pollInsideSeconds * 1000
  let seen = await look()
  for (let pauseMs = FIRST_LOOK_MS; isMoving(seen); pauseMs = Math.min(pauseMs * 2, LONGEST_LOOK_MS)) {
    const leftMs = endMs - steadyMs(clock)
    if (leftMs <= 0 || !mayLookOn()) break
    await clock.sleep(Math.min(pauseMs, Math.ceil(leftMs)))
    try {
      seen = await look()
    } catch (error) {
      if (error instanceof Transient) break
      // Another step may make the next read, with another key.
      if (error instanceof KeyFault) return { ...seen, keyAtFault: true }
      throw error
    }
  }
  return seen
}

/** Says why a proven movement could not be read. */
interface Unseen extends KeySeen {
  readonly why: string
}

/**
 * Returns what `look` reads, or `unseen` where a passing fault, or a fault of the key, hides the movement. The movement is proven
 * all the same, so an outage only delays the next read, which another step may make with another key. RateLimited is thrown,
 * because its retries keep to the time that the service names.
 * @throws RateLimited, Refused, Defect
 */
export async function readOrUnseen<Seen>(look: () => Promise<Seen>, unseen: (left: Unseen) => Seen): Promise<Seen> {
  try {
    return await look()
  } catch (error) {
    const mayPass = error instanceof Transient && !(error instanceof RateLimited)
    if (!(mayPass || error instanceof KeyFault)) throw error
    return unseen({
      why: `accepted, and could not be looked at: ${error.message}`,
      ...(error instanceof KeyFault && { keyAtFault: true }),
    })
  }
}

/** Seconds to wait after `waits` waits: doubles from the first to the longest. */
export function waitAfter(
  waits: number,
  timing: Pick<Timing, 'pollFirstWaitSeconds' | 'pollLongestWaitSeconds'>,
): number {
  return Math.min(timing.pollFirstWaitSeconds * 2 ** Math.min(waits, 12), timing.pollLongestWaitSeconds)
}

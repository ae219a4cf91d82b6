// How often to look at what is under way: for some seconds inside a function, and then with growing waits between
// functions. Holds the numbers of waits, and says which faults of a look lead to another one; it decides nothing else.

import { type Clock, steadyMs } from '../clock.ts'
import type { Timing } from '../contract/timing.ts'
import { KeyFault, RateLimited, Transient } from '../errors.ts'

/** Service time is measured anew when older than this, where a step begins. */
export const CLOCK_AGE_LIMIT_MS = 60_000

/** Looks within one invocation: after 0.2, 0.4, 0.8, then every 1.6 s, and at the end. */
const FIRST_LOOK_MS = 200
const LONGEST_LOOK_MS = 1600

/**
 * Waits while one send is in doubt: for its fence (two are usual), and for a service that cannot be
 * read. 5 + 10 + 20 + 40 + 16 x 60 s = 17 min of an outage heal without a person.
 */
export const DOUBT_WAITS = 20
export const UNREAD_WAITS = { pollFirstWaitSeconds: 5, pollLongestWaitSeconds: 60 }

/** Waits for a lane or for the end of a halt: 15 + 30 + … + 300 s, about eight hours in all. */
export const HELD_WAITS = 100
export const HELD_WAIT = { pollFirstWaitSeconds: 15, pollLongestWaitSeconds: 300 }

export interface Looking {
  readonly clock: Clock
  readonly timing: Pick<Timing, 'pollInsideSeconds'>
  /** False while others need what is left of the service's rate limit: then the first look is the only one. */
  readonly mayLookOn?: () => boolean
}

/** Of a look. With `keyAtFault` an alarm rings: nothing else tells of it before that key is used again. */
export interface KeySeen {
  readonly keyAtFault?: true | undefined
}

/**
 * Looks until it has settled, or until `pollInsideSeconds` are over; gives what it saw last. A fault that passes, or is of
 * the key, leads to another look, and to nothing else: before anything was seen it is thrown; after that it ends the looking,
 * and what was seen stays true.
 */
export async function lookUntilSettled<Seen extends KeySeen>(
  look: () => Promise<Seen>,
  isMoving: (seen: Seen) => boolean,
  { clock, timing, mayLookOn = () => true }: Looking,
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
      // The next look may be another step's, with another key.
      if (error instanceof KeyFault) return { ...seen, keyAtFault: true }
      throw error
    }
  }
  return seen
}

/** What the step that has sent says of a movement that it could not look at. */
export interface Unseen extends KeySeen {
  readonly waits: number
  readonly waitSeconds: number
  readonly why: string
}

/**
 * For the step that has sent: what it sees, or `unseen` where a fault that passes, or is of its key, hides it. The movement is
 * proven all the same, and the step that looks later may have another key. @throws RateLimited: this step may use more of the
 * limit than that one, and is tried again for longer
 */
export async function seenOr<Seen>(look: () => Promise<Seen>, unseen: (left: Unseen) => Seen): Promise<Seen> {
  try {
    return await look()
  } catch (error) {
    const mayPass = error instanceof Transient && !(error instanceof RateLimited)
    if (!(mayPass || error instanceof KeyFault)) throw error
    return unseen({
      ...{ waits: 1, waitSeconds: waitAfter(0, UNREAD_WAITS) },
      why: `accepted, and could not be looked at: ${error.message}`,
      ...(error instanceof KeyFault && { keyAtFault: true }),
    })
  }
}

/** Seconds to wait after so many waits: doubles from the first to the longest. */
export function waitAfter(
  waits: number,
  timing: Pick<Timing, 'pollFirstWaitSeconds' | 'pollLongestWaitSeconds'>,
): number {
  return Math.min(timing.pollFirstWaitSeconds * 2 ** Math.min(waits, 12), timing.pollLongestWaitSeconds)
}

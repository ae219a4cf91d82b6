// Waits until an event that was put has begun its execution or was refused. The name of the execution is known in
// advance. A late refusal is read from the queue of dead letters, where it arrives after three minutes.
import type { Clock } from '../../core/clock.ts'
import { ID_TAKEN } from '../../core/triggers/requested-start.ts'
import type { Start } from '../../core/triggers/starter.ts'
import { type DeadLetters, MOST_LETTERS } from '../../place/events/dead-letter-queue.ts'
import type { EventConnection } from '../../place/events/event-connection.ts'
import type { DescribedExecution } from '../../place/executions/executions.ts'

export type Followed =
  | { readonly kind: 'begun'; readonly execution: DescribedExecution }
  | { readonly kind: 'refused'; readonly reason: string; readonly letterId?: string }
  | { readonly kind: 'unknown' }

interface FollowedConnection {
  readonly find: EventConnection['find']
  readonly deadLetters: { look(most: number): Promise<Pick<DeadLetters, 'letters'>> }
}

interface FollowOptions {
  readonly connection: FollowedConnection
  readonly start: Start
  /** EventBridge's id of this put. */
  readonly eventId: string
  readonly clock: Clock
  readonly waitMs: number
}

/** Pause between two reads of the execution, in ms. It grows from the first to the longest. */
const FIRST_MS = 50
const LONGEST_MS = 2_000
/** Each read of the queue hides its letters from others for a moment. */
const BETWEEN_LETTERS_MS = 10_000

export async function followStart({ connection, start, eventId, clock, waitMs }: FollowOptions): Promise<Followed> {
  const untilMs = clock.nowMs() + waitMs
  let lettersAtMs = clock.nowMs() + BETWEEN_LETTERS_MS
  for (let pauseMs = FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_MS)) {
    const found = await findStarted(connection, start)
    if (found === 'other') return { kind: 'refused', reason: ID_TAKEN }
    if (found !== undefined) return { kind: 'begun', execution: found }
    if (clock.nowMs() >= lettersAtMs) {
      const { letters } = await connection.deadLetters.look(MOST_LETTERS)
      const letter = letters.find(({ asked }) => asked.eventId === eventId)
      if (letter !== undefined) return { kind: 'refused', reason: letter.reason, letterId: letter.letterId }
      lettersAtMs = clock.nowMs() + BETWEEN_LETTERS_MS
    }
    if (clock.nowMs() >= untilMs) return { kind: 'unknown' }
    await clock.sleep(Math.min(pauseMs, Math.max(1, untilMs - clock.nowMs())))
  }
}

/** `other`: the name belongs to another request. */
export async function findStarted(
  { find }: Pick<EventConnection, 'find'>,
  { stateMachine, name, input }: Start,
): Promise<DescribedExecution | 'other' | undefined> {
  const found = await find(stateMachine, name)
  return found === undefined || found.input === JSON.stringify(input) ? found : 'other'
}

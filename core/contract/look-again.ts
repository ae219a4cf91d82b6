// Defines the input and the report of LookAgain, the function that re-enters executions that stopped in doubt. Also computes
// how long each entry waits for the next.
import * as z from 'zod/mini'
import { executionName } from './fields.ts'
import { StateMachine } from './states.ts'

/** The input names no execution: LookAgain reads from the journal what waits. */
export const lookAgainInput = z.object({
  /**
   * True right after people resumed sending. A run whose plan was decided then continues at once, without the wait between
   * two entries.
   */
  resumed: z.optional(z.boolean()),
})
export type LookAgainInput = z.infer<typeof lookAgainInput>

export const LookAgainOutcome = {
  /** The journal has nothing open that LookAgain could enter. */
  NothingOpen: 'NOTHING_OPEN',
  /** The service does not answer, so everything keeps waiting. */
  NoAnswer: 'NO_ANSWER',
  /** LookAgain examined what is open, and entered what was due, possibly nothing. */
  Looked: 'LOOKED',
} as const
export type LookAgainOutcome = (typeof LookAgainOutcome)[keyof typeof LookAgainOutcome]

const count = z.int().check(z.gte(0))

export const lookAgainReport = z.object({
  outcome: z.enum(LookAgainOutcome),
  /** Executions that this call, or another at the same moment, started. */
  entered: z.array(z.object({ stateMachine: z.enum(StateMachine), execution: executionName })),
  /** Executions that Step Functions refused, and why. Each call tries them again. */
  refused: z.array(z.object({ stateMachine: z.enum(StateMachine), execution: executionName, why: z.string() })),
  /** Number of executions that are due and left for the next call. */
  left: count,
  /** Number of executions that are not due yet. Each wait is twice as long as the previous wait. */
  waiting: count,
  /**
   * Number of executions that need a person: at the maximum of automatic entries, stopped by somebody, or without a known
   * execution.
   */
  forPeople: count,
  /** More is open than was examined. */
  isCutOff: z.boolean(),
  why: z.optional(z.string()),
})
export type LookAgainReport = z.infer<typeof lookAgainReport>

/** Number of the last automatic entry, of at most 99. The rest are reserved for people. */
export const LAST_AUTOMATIC_ENTRY = 20

/** Wait after the end of the first entry. Each further wait is twice as long, up to the longest. */
export const FIRST_ENTRY_WAIT_SECONDS = 300
export const LONGEST_ENTRY_WAIT_SECONDS = 6 * 3_600

/** Seconds between the end of the `entry`-th entry, counted from 1, and the next automatic entry. */
export function waitAfterEntry(entry: number): number {
  return Math.min(FIRST_ENTRY_WAIT_SECONDS * 2 ** Math.min(entry - 1, 12), LONGEST_ENTRY_WAIT_SECONDS)
}

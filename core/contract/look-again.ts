// Input and report of LookAgain, which enters again by itself what stopped in doubt. Shapes and bounds only.
import * as z from 'zod/mini'
import { executionName } from './fields.ts'
import { StateMachine } from './states.ts'

/** Nothing is asked of it: the journal says what waits. */
export const lookAgainInput = z.object({})
export type LookAgainInput = z.infer<typeof lookAgainInput>

export const LookAgainOutcome = {
  /** Nothing that it could enter is open. */
  NothingOpen: 'NOTHING_OPEN',
  /** The service does not answer: what waits goes on waiting. */
  NoAnswer: 'NO_ANSWER',
  /** It looked, and entered what was due: perhaps nothing. */
  Looked: 'LOOKED',
} as const
export type LookAgainOutcome = (typeof LookAgainOutcome)[keyof typeof LookAgainOutcome]

const count = z.int().check(z.gte(0))

export const lookAgainReport = z.object({
  outcome: z.enum(LookAgainOutcome),
  /** Executions that this look, or another at the same moment, has started. */
  entered: z.array(z.object({ stateMachine: z.enum(StateMachine), execution: executionName })),
  /** Those that Step Functions did not take, and why: each look tries them once more. */
  refused: z.array(z.object({ stateMachine: z.enum(StateMachine), execution: executionName, why: z.string() })),
  /** Due, and left for the next look. */
  left: count,
  /** Not due yet: each wait is twice as long as the one before it. */
  waiting: count,
  /** Entered as often as it may be by itself, stopped by somebody, or without an execution that is known. */
  forPeople: count,
  /** More is open than was looked at. */
  isCutOff: z.boolean(),
  why: z.optional(z.string()),
})
export type LookAgainReport = z.infer<typeof lookAgainReport>

/** The last entry that is made by itself, of the 99 that there may be: the others are people's. */
export const LAST_ENTRY_BY_ITSELF = 20

/** After the first entry's end; each further wait is twice as long, up to the longest. */
export const FIRST_ENTRY_WAIT_SECONDS = 300
export const LONGEST_ENTRY_WAIT_SECONDS = 6 * 3_600

/** Seconds that something waits after its `entry`-th entry, counting from 1, before it is entered again by itself. */
export function waitAfterEntry(entry: number): number {
  return Math.min(FIRST_ENTRY_WAIT_SECONDS * 2 ** Math.min(entry - 1, 12), LONGEST_ENTRY_WAIT_SECONDS)
}

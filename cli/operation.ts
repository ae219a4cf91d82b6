// What `sluice run` has to know of an operation: its request, its state machine, and the words in
// which a person is told of it. One of these stands for each verb.
import type * as z from 'zod/mini'
import type { StateMachine } from '../functions/contract/states.ts'
import type { KeyRole } from '../functions/contract/treasury.ts'
import type { ExitCode } from './exit-code.ts'
import type { RunVerb } from './intent-id.ts'
import type { Narration } from './progress/event-lines.ts'

/** What every result has: callers branch on the outcome. */
export interface RunResult {
  readonly outcome: string
  readonly intentId: string
  readonly why?: string | undefined
}

/** The part of a DescribeExecution answer that is read here. */
export interface FinishedExecution {
  readonly name: string
  readonly status: string
  readonly output?: string | undefined
  readonly error?: string | undefined
  readonly cause?: string | undefined
}

export interface Operation<Request extends object = object, Result extends RunResult = RunResult> {
  readonly verb: RunVerb
  readonly stateMachine: StateMachine
  /** Whose key sends. */
  readonly keyRole: KeyRole
  readonly schema: z.ZodMiniType<Request>
  /** What one of it is called. */
  readonly noun: string
  /** What a fault after the start leaves in doubt. */
  readonly doubt: string
  readonly narration: Narration<Request>
  /** What is asked for, in a few words. */
  ask(request: Request): string
  /** An execution that ended without a report is in doubt, and says so: NEEDS_ATTENTION. */
  resultOf(execution: FinishedExecution): Result
  exitCode(outcome: string): ExitCode
  /** One sentence for a person. */
  describe(result: Result, request: Request): string
  /** What a person looks at who has to decide. */
  movementOf(result: Result): string
}

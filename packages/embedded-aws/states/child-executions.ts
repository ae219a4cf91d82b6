// What a Task may do with other executions in the name of its machine's role. Types only; behind
// them are executions.ts and the role's permissions (child-access.ts).
import type { ExecutionDescription } from './execution-description.ts'
import type { StartedBy } from './execution-log.ts'

export interface ChildExecutions {
  /** The same attempt is given the execution that it started before. Throws AwsError. */
  start(request: StartChild): StartedChild
  /** Resolves at its end; rejects with the signal's reason. Throws AwsError. */
  untilEnded(executionArn: string, signal: AbortSignal): Promise<ExecutionDescription>
  /** As far as the role may: AWS does its best, too. */
  stop(executionArn: string, cause: string): void
}

export interface StartChild {
  readonly stateMachineArn: string
  readonly name: string
  /** JSON text. */
  readonly input: string
  readonly startedBy: StartedBy
}

export interface StartedChild {
  readonly executionArn: string
  readonly startDate: Date
  readonly requestId: string
}

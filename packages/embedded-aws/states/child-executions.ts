// Operations of a Task on other executions, with its machine's role. Types only; executions.ts and child-access.ts
// implement them.
import type { ExecutionDescription } from './execution-description.ts'
import type { StartedBy } from './execution-log.ts'

export interface ChildExecutions {
  /** Starts an execution, or returns the one that the same attempt started before. Throws AwsError. */
  start(request: StartChild): StartedChild
  /** Resolves when the execution ends. Rejects with the signal's reason. Throws AwsError. */
  untilEnded(executionArn: string, signal: AbortSignal): Promise<ExecutionDescription>
  /** Stops the execution if the role may. Without the permission it does nothing, as on AWS. */
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

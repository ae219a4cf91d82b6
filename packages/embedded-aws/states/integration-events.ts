// Defines a Task's call, and the events of a call through one of Step Functions' service integrations.
// Source: AWS Step Functions API, HistoryEvent.
import { type EventDraft, failureDetails, type Integration } from './history.ts'
import { type Json, StatesError } from './json.ts'
import type { Run } from './run.ts'
import type { TokenAnswer } from './task-tokens.ts'

export type TaskOutcome =
  /** `isRecorded`: its event is in the log already. */
  | { readonly kind: 'answered'; readonly result: Json; readonly isRecorded?: true }
  | {
      readonly kind: 'failed'
      readonly error: string
      readonly cause: string | undefined
      readonly isRecorded?: true
    }
  /** `isLateBeat`: a heartbeat was missing, and not the time itself over. */
  | { readonly kind: 'timed-out'; readonly isLateBeat?: boolean }

/** One call, and the events that describe it. */
export interface TaskCall {
  /** Name of the call in the failure of a too large result. */
  readonly owner: string
  /**
   * Makes the call. `scheduled` has been written before. Rejects with the signal's reason, or for a bug of this
   * program.
   */
  perform(timeoutMs: number | undefined): Promise<TaskOutcome>
  scheduled(timeoutSeconds: number | undefined): readonly EventDraft[]
  succeeded(output: string): EventDraft
  failed(error: string, cause: string | undefined): EventDraft
  timedOut(): EventDraft
}

/** The attempt of a state, and the time since which its job is running. */
export interface TaskAttempt {
  readonly enteredId: number
  readonly retryCount: number
  readonly submittedMs: number | undefined
  /** Set where the Task waits for its token. */
  readonly token?: string
  readonly heartbeatSeconds?: number | undefined
  /** The answer of the token's holder, where it was written before a restart of the process. */
  readonly answered?: TokenAnswer | undefined
}

export function integrationEvents(
  integration: Integration,
  run: Run,
  parameters: Json,
  heartbeatSeconds?: number,
): Omit<TaskCall, 'perform'> {
  const region = run.execution.arn.split(':')[3] ?? ''
  return {
    owner: integration.resourceType,
    scheduled: (timeoutSeconds) => [
      {
        type: 'TaskScheduled',
        taskScheduledEventDetails: {
          ...integration,
          region,
          parameters: JSON.stringify(parameters),
          ...within(timeoutSeconds),
          ...(heartbeatSeconds !== undefined && { heartbeatInSeconds: heartbeatSeconds }),
        },
      },
      { type: 'TaskStarted', taskStartedEventDetails: integration },
    ],
    succeeded: (text) => ({ type: 'TaskSucceeded', taskSucceededEventDetails: { ...integration, output: text } }),
    failed: (error, cause) => ({
      type: 'TaskFailed',
      taskFailedEventDetails: { ...integration, ...failureDetails(error, cause) },
    }),
    timedOut: () => ({
      type: 'TaskTimedOut',
      taskTimedOutEventDetails: { ...integration, error: StatesError.Timeout },
    }),
  }
}

export function submitted(integration: Integration, output: string): EventDraft {
  return { type: 'TaskSubmitted', taskSubmittedEventDetails: { ...integration, output } }
}

export function within(timeoutInSeconds: number | undefined): { readonly timeoutInSeconds?: number } {
  return timeoutInSeconds === undefined ? {} : { timeoutInSeconds }
}

// Defines a Task's call, and the events of a call through one of Step Functions' service integrations.
// Source: AWS Step Functions API, HistoryEvent.
import { type EventDraft, failureDetails, type Integration } from './history.ts'
import { type Json, StatesError } from './json.ts'
import type { Run } from './run.ts'

export type TaskOutcome =
  | { readonly kind: 'answered'; readonly result: Json }
  | { readonly kind: 'failed'; readonly error: string; readonly cause: string }
  | { readonly kind: 'timed-out' }

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
}

export function integrationEvents(integration: Integration, run: Run, parameters: Json): Omit<TaskCall, 'perform'> {
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

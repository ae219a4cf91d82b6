// A call of a Task, and the events of one that calls a service's API through one of Step Functions' integrations.
// Source: AWS Step Functions API, HistoryEvent.
import { type EventDraft, failureDetails, type Integration } from './history.ts'
import { type Json, StatesError } from './json.ts'
import type { Run } from './run.ts'

export type TaskOutcome =
  | { readonly kind: 'answered'; readonly result: Json }
  | { readonly kind: 'failed'; readonly error: string; readonly cause: string }
  | { readonly kind: 'timed-out' }

/** One call, and the events that tell of it. */
export interface TaskCall {
  /** Names the call in the failure of a result that is too large. */
  readonly owner: string
  /** After `scheduled` is written, unless it was before. Rejects with the signal's reason, or where this program is wrong. */
  perform(timeoutMs: number | undefined): Promise<TaskOutcome>
  scheduled(timeoutSeconds: number | undefined): readonly EventDraft[]
  succeeded(output: string): EventDraft
  failed(error: string, cause: string | undefined): EventDraft
  timedOut(): EventDraft
}

/** Which attempt of which state it is, and since when its job is under way. */
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

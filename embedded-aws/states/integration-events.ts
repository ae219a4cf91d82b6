// The events of a Task that calls a service's API through one of Step Functions' integrations.
// Source: AWS Step Functions API, HistoryEvent.
import { type EventDraft, failureDetails, type Integration } from './history.ts'
import { type Json, StatesError } from './json.ts'
import type { Run } from './run.ts'
import type { TaskCall } from './task-call.ts'

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

// Events of an execution's history, in the shape of Step Functions' GetExecutionHistory.
// Types and their constructors; who writes them where is execution-log.ts.
// Source: AWS Step Functions API, HistoryEvent.
import type { StateType } from './definition.ts'

export type HistoryEventType =
  | 'ExecutionStarted'
  | 'ExecutionSucceeded'
  | 'ExecutionFailed'
  | 'ExecutionAborted'
  | 'ExecutionTimedOut'
  | 'ExecutionRedriven'
  | 'FailStateEntered'
  | `${StateType}StateEntered`
  | `${StateType}StateExited`
  | `LambdaFunction${'Scheduled' | 'Started' | 'Succeeded' | 'Failed' | 'TimedOut'}`
  | `Task${'Scheduled' | 'Started' | 'Succeeded' | 'Failed' | 'TimedOut'}`

/** Error and cause of a failure; a time-out has no cause. */
export interface FailureDetails {
  readonly error?: string
  readonly cause?: string
}

/** Inputs and outputs are JSON texts. */
export interface HistoryEventDetails {
  readonly executionStartedEventDetails?: { readonly input: string; readonly roleArn: string }
  readonly executionSucceededEventDetails?: { readonly output: string }
  readonly executionFailedEventDetails?: FailureDetails
  readonly executionAbortedEventDetails?: FailureDetails
  readonly executionTimedOutEventDetails?: FailureDetails
  readonly executionRedrivenEventDetails?: { readonly redriveCount: number }
  readonly stateEnteredEventDetails?: { readonly name: string; readonly input: string }
  readonly stateExitedEventDetails?: { readonly name: string; readonly output: string }
  readonly lambdaFunctionScheduledEventDetails?: {
    readonly resource: string
    readonly input: string
    readonly timeoutInSeconds?: number
  }
  readonly lambdaFunctionSucceededEventDetails?: { readonly output: string }
  readonly lambdaFunctionFailedEventDetails?: FailureDetails
  readonly lambdaFunctionTimedOutEventDetails?: FailureDetails
  readonly taskScheduledEventDetails?: LambdaIntegration & {
    readonly region: string
    readonly parameters: string
    readonly timeoutInSeconds?: number
  }
  readonly taskStartedEventDetails?: LambdaIntegration
  readonly taskSucceededEventDetails?: LambdaIntegration & { readonly output: string }
  readonly taskFailedEventDetails?: LambdaIntegration & FailureDetails
  readonly taskTimedOutEventDetails?: LambdaIntegration & FailureDetails
}

export interface LambdaIntegration {
  readonly resourceType: 'lambda'
  readonly resource: 'invoke'
}

export interface HistoryEvent extends HistoryEventDetails {
  readonly id: number
  readonly previousEventId: number
  readonly timestamp: Date
  readonly type: HistoryEventType
}

/** An event before it has its place and its time. */
export type EventDraft = HistoryEventDetails & { readonly type: HistoryEventType }

/** AWS: Quotas, "Maximum execution history size". */
export const HISTORY_LIMIT = 25_000

export type ExecutionStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED'

/** The status in which an event leaves its execution; undefined for events that do not change it. */
export function statusAfter(event: Pick<HistoryEvent, 'type'>): ExecutionStatus | undefined {
  switch (event.type) {
    case 'ExecutionStarted':
    case 'ExecutionRedriven':
      return 'RUNNING'
    case 'ExecutionSucceeded':
      return 'SUCCEEDED'
    case 'ExecutionFailed':
      return 'FAILED'
    case 'ExecutionTimedOut':
      return 'TIMED_OUT'
    case 'ExecutionAborted':
      return 'ABORTED'
    default:
      return undefined
  }
}

export function failureDetails(error: string | undefined, cause: string | undefined): FailureDetails {
  return { ...(error !== undefined && { error }), ...(cause !== undefined && { cause }) }
}

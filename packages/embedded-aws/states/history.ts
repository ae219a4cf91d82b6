// Defines the events of an execution's history, in the form of Step Functions' GetExecutionHistory. It has types and
// constructors; execution-log.ts writes them.
// Source: AWS Step Functions API, HistoryEvent.

import type { Branch } from './branch.ts'
import type { State, StateType } from './definition.ts'

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
  | `Task${'Scheduled' | 'Started' | 'Submitted' | 'Succeeded' | 'Failed' | 'TimedOut'}`
  | `MapState${'Started' | 'Succeeded' | 'Failed'}`
  | `MapIteration${'Started' | 'Succeeded' | 'Failed' | 'Aborted'}`
  | `${Abortable}StateAborted`

/** Lasting states. For these AWS records that a failed Map aborted them. */
export type Abortable = Extract<StateType, 'Task' | 'Wait' | 'Map'>

/** Error and cause of a failure. A time-out has no cause here; its catcher gets an empty one. */
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
  readonly taskScheduledEventDetails?: Integration & {
    readonly region: string
    readonly parameters: string
    readonly timeoutInSeconds?: number
    readonly heartbeatInSeconds?: number
  }
  readonly taskStartedEventDetails?: Integration
  readonly taskSubmittedEventDetails?: Integration & { readonly output: string }
  readonly taskSucceededEventDetails?: Integration & { readonly output: string }
  readonly taskFailedEventDetails?: Integration & FailureDetails
  readonly taskTimedOutEventDetails?: Integration & FailureDetails
  readonly mapStateStartedEventDetails?: { readonly length: number }
  readonly mapIterationStartedEventDetails?: IterationDetails
  readonly mapIterationSucceededEventDetails?: IterationDetails
  readonly mapIterationFailedEventDetails?: IterationDetails
  readonly mapIterationAbortedEventDetails?: IterationDetails
}

/** A service that a Task calls, and the operation, such as `lambda` and `invoke`. */
export interface Integration {
  readonly resourceType: string
  readonly resource: string
}

/** The Map state's name, and the item's index. The API shows no output here; the previous StateExited has it. */
export interface IterationDetails {
  readonly name: string
  readonly index: number
}

export interface HistoryEvent extends HistoryEventDetails {
  readonly id: number
  readonly previousEventId: number
  readonly timestamp: Date
  readonly type: HistoryEventType
}

/** An event before it gets its number and time. */
export type EventDraft = HistoryEventDetails & { readonly type: HistoryEventType }

/** An event of one branch of an execution (see branch.ts). */
export interface BranchEvent<Event = EventDraft> {
  readonly branch: Branch
  readonly event: Event
  /** The branch whose last event led to this one, where it is another branch. */
  readonly after?: Branch | undefined
  /** How an iteration failed. The Map needs it after a restart of the process; the history does not show it. */
  readonly failure?: FailureDetails
}

/** Maximum events of an execution. AWS: Quotas, "Maximum execution history size". */
export const HISTORY_LIMIT = 25_000

export type ExecutionStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED'

/** Returns the status after an event; undefined for an event that does not change it. */
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

/** `input` is JSON text. */
export function entered(state: State, input: string): EventDraft {
  return { type: `${state.type}StateEntered`, stateEnteredEventDetails: { name: state.name, input } }
}

/** `output` is JSON text. */
export function exited(state: State, output: string): EventDraft {
  return { type: `${state.type}StateExited`, stateExitedEventDetails: { name: state.name, output } }
}

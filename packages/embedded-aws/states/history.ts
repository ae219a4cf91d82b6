// Events of an execution's history, in the shape of Step Functions' GetExecutionHistory.
// Types and their constructors; who writes them where is execution-log.ts.
// Source: AWS Step Functions API, HistoryEvent.
import type { Branch } from './branch.ts'
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
  | `Task${'Scheduled' | 'Started' | 'Submitted' | 'Succeeded' | 'Failed' | 'TimedOut'}`
  | `MapState${'Started' | 'Succeeded' | 'Failed'}`
  | `MapIteration${'Started' | 'Succeeded' | 'Failed' | 'Aborted'}`
  | `${Abortable}StateAborted`

/** States that last, of which AWS tells that a failed Map ended them. */
export type Abortable = Extract<StateType, 'Task' | 'Wait' | 'Map'>

/** Error and cause of a failure. A time-out has no cause here; who catches it is given an empty one. */
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

/** A service that a Task calls, and what it asks of it: `lambda` and `invoke`, say. */
export interface Integration {
  readonly resourceType: string
  readonly resource: string
}

/** The Map state's name, and which of its items; the API has no output here (see the StateExited before it). */
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

/** An event before it has its place and its time. */
export type EventDraft = HistoryEventDetails & { readonly type: HistoryEventType }

/** An event of one branch of an execution (see branch.ts). */
export interface BranchEvent<Event = EventDraft> {
  readonly branch: Branch
  readonly event: Event
  /** The branch whose last event led to this one, where it is another one. */
  readonly after?: Branch | undefined
  /** How an iteration failed, for the Map to go by after a start of the process. It is not told. */
  readonly failure?: FailureDetails
}

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

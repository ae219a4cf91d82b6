// Defines the events of executions (Step Functions API, HistoryEvent), and makes the history of one execution of them:
// which states were left with which output, and what failed. It keeps no inputs. Pure.
import { fieldsOf, findJson } from '../../core/contract/find-json.ts'

/** One event of the history, in order. */
export type HistoryStep =
  | { readonly did: 'entered'; readonly at: string; readonly state: string }
  | {
      readonly did: 'left'
      readonly at: string
      readonly state: string
      /** The output of the step; empty where it is not an object. */
      readonly output: Readonly<Record<string, unknown>>
    }
  | {
      readonly did: 'failed'
      readonly at: string
      readonly state: string
      readonly error: string
      readonly message: string
    }

export interface ExecutionHistory {
  readonly name: string
  readonly executionArn?: string
  /** The status that Step Functions gives, or `UNREADABLE`. */
  readonly status: string
  readonly error?: string
  /** ISO-8601, by the clock of the machine. */
  readonly startedAt?: string
  readonly endedAt?: string
  readonly steps: readonly HistoryStep[]
  /** Whether more steps exist that were not read. */
  readonly isCutOff?: boolean
}

interface Failure {
  readonly error?: string | undefined
  readonly cause?: string | undefined
}

/** The part of a history event that is read (Step Functions API, HistoryEvent). The SDK has `undefined` for what is absent. */
interface EventOfHistory {
  readonly timestamp?: Date | undefined
  readonly stateEnteredEventDetails?: { readonly name?: string | undefined } | undefined
  readonly stateExitedEventDetails?:
    | { readonly name?: string | undefined; readonly output?: string | undefined }
    | undefined
  readonly lambdaFunctionFailedEventDetails?: Failure | undefined
  readonly lambdaFunctionTimedOutEventDetails?: Failure | undefined
  readonly taskFailedEventDetails?: Failure | undefined
  readonly taskTimedOutEventDetails?: Failure | undefined
}

type Failures = Pick<
  EventOfHistory,
  `${'lambdaFunctionFailed' | 'lambdaFunctionTimedOut' | 'taskFailed' | 'taskTimedOut'}EventDetails`
>

/** The same part, as JSON. */
export interface WatchedEvent extends Failures {
  readonly type: string
  readonly executionStartedEventDetails?: { readonly input: string }
  readonly stateEnteredEventDetails?: { readonly name: string; readonly input?: string }
  readonly stateExitedEventDetails?: { readonly name: string; readonly output?: string }
}

export interface ServedEvent extends WatchedEvent {
  /** Epoch seconds, as in the API of Step Functions. Absent in tests. */
  readonly timestamp?: number | Date
  readonly executionSucceededEventDetails?: { readonly output: string }
  readonly executionFailedEventDetails?: { readonly error?: string }
}

interface Described {
  readonly name: string
  readonly executionArn?: string | undefined
  readonly status?: string | undefined
  readonly error?: string | undefined
  readonly startDate?: Date | undefined
  readonly stopDate?: Date | undefined
  readonly events: readonly EventOfHistory[]
}

export function historyOf(described: Described): ExecutionHistory {
  const { name, executionArn, status = 'UNKNOWN', error, startDate, stopDate, events } = described
  return {
    name,
    ...(executionArn !== undefined && { executionArn }),
    status,
    ...(error !== undefined && { error }),
    ...(startDate !== undefined && { startedAt: startDate.toISOString() }),
    ...(stopDate !== undefined && { endedAt: stopDate.toISOString() }),
    steps: stepsIn(events),
  }
}

function stepsIn(events: readonly EventOfHistory[]): HistoryStep[] {
  const steps: HistoryStep[] = []
  let state = ''
  for (const event of events) {
    const at = event.timestamp?.toISOString() ?? ''
    const { stateEnteredEventDetails: entered, stateExitedEventDetails: left } = event
    const failure = failureOf(event)
    if (entered !== undefined) {
      state = entered.name ?? ''
      steps.push({ did: 'entered', at, state })
    } else if (left !== undefined) {
      steps.push({ did: 'left', at, state: left.name ?? '', output: objectIn(left.output) })
    } else if (failure !== undefined) {
      const { error = 'unknown', cause } = failure
      const { errorMessage } = objectIn(cause)
      steps.push({ did: 'failed', at, state, error, message: typeof errorMessage === 'string' ? errorMessage : '' })
    }
  }
  return steps
}

/** When a step reported this: waits and choices pass a report on, and leave later. */
export function reportedAt(steps: readonly HistoryStep[], output: object): string {
  const text = JSON.stringify(output)
  return steps.find((step) => step.did === 'left' && JSON.stringify(step.output) === text)?.at ?? ''
}

export function failureOf(event: Failures): Failure | undefined {
  return (
    event.lambdaFunctionFailedEventDetails ??
    event.lambdaFunctionTimedOutEventDetails ??
    event.taskFailedEventDetails ??
    event.taskTimedOutEventDetails
  )
}

function objectIn(text: string | undefined): Readonly<Record<string, unknown>> {
  const value = findJson(text)
  return Array.isArray(value) ? {} : fieldsOf(value)
}

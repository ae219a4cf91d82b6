// What the log of executions is read from: Step Functions on AWS or at a desk, or the files of a state directory. Only
// types. Every source tells of the same execution by the same ARN, so that a reader may change from one to another.

import type { StateMachine } from '../../core/contract/states.ts'
import type { ServedEvent } from '../runs/execution-events.ts'
import type { FollowPace } from '../runs/follow-events.ts'

export interface ListedExecution {
  readonly executionArn: string
  readonly startedMs: number
  /** Absent while it runs. */
  readonly endedMs?: number | undefined
  /** How often it was let go on after its end. */
  readonly redrives: number
}

export interface LoggedEvent {
  readonly atMs: number
  readonly event: ServedEvent
  /** ARNs of executions that it started. */
  readonly started: readonly string[]
}

/** How far a history has been read. A source moves it on. */
export interface HistoryCursor {
  readonly executionArn: string
  /** Of the API: where it goes on. */
  token?: string | undefined
  lastId: number
  isOver: boolean
}

interface ListOptions {
  readonly pageSize: number
  /** Only those that may not have ended. */
  readonly isRunning?: true
}

export interface LogSource {
  /** Latest started first. Whoever asks stops when it has enough: pages are read one by one. */
  list(stateMachine: StateMachine, options: ListOptions): AsyncIterable<ListedExecution>
  /** Its ARN; `undefined` where there is no execution of this name. */
  find(stateMachine: StateMachine, name: string): Promise<string | undefined>
  /** What the history has beyond the cursor. */
  events(cursor: HistoryCursor): AsyncIterable<LoggedEvent>
  /** The AWS account of the state machines; `undefined` where there are none. */
  account(): Promise<string | undefined>
}

/** Where the log is read now. */
export interface LogPlace {
  /** Another text for another place. */
  readonly key: string
  /** For a person who follows the log. */
  readonly words: string
  readonly source: LogSource
  /** Whether executions may go on there. */
  readonly isLive: boolean
  /** Between two looks at the histories. */
  readonly pace: FollowPace
  /** Between two looks for new executions. */
  readonly listMs: number
}

/** A place that may change, because the process that serves a state directory ends and another one comes. */
export interface LogPlaces {
  current(): LogPlace
  /**
   * Whether it is worth another try after this failure: where it happened there may be nobody any more.
   * @throws OperationError where somebody is there, and answers nobody
   */
  isPassing(error: unknown): Promise<boolean>
  /** How the command ends where such a failure repeats itself. */
  failureOf(error: unknown): unknown
  destroy(): void
}

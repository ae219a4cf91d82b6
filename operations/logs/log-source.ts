// Defines the sources of the log of executions: Step Functions on AWS or at a desk, or the files of a state directory.
// Only types. Every source names an execution by the same ARN, so that a reader may change between sources.

import type { StateMachine } from '../../core/contract/states.ts'
import type { ServedEvent } from '../runs/execution-events.ts'
import type { FollowPace } from '../runs/follow-events.ts'

export interface ListedExecution {
  readonly executionArn: string
  readonly startedMs: number
  /** Absent while it runs. */
  readonly endedMs?: number | undefined
  /** How often it was redriven after its end. */
  readonly redrives: number
}

export interface LoggedEvent {
  readonly atMs: number
  readonly event: ServedEvent
  /** ARNs of executions that it started. */
  readonly started: readonly string[]
}

/** How far a history has been read. A source advances it. */
export interface HistoryCursor {
  readonly executionArn: string
  /** The API's token for the next page. */
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
  /** Latest started first. Pages are read one by one, so the caller may stop early. */
  list(stateMachine: StateMachine, options: ListOptions): AsyncIterable<ListedExecution>
  /** Its ARN; undefined where no execution has this name. */
  find(stateMachine: StateMachine, name: string): Promise<string | undefined>
  /** The events beyond the cursor. */
  events(cursor: HistoryCursor): AsyncIterable<LoggedEvent>
  /** The AWS account of the state machines; undefined where none are deployed. */
  account(): Promise<string | undefined>
}

/** The place where the log is read now. */
export interface LogPlace {
  /** A different text for each place. */
  readonly key: string
  /** For a person who follows the log. */
  readonly words: string
  readonly source: LogSource
  /** Whether executions may continue there. */
  readonly isLive: boolean
  /** Pause between two reads of the histories. */
  readonly pace: FollowPace
  /** Milliseconds between two reads of the lists. */
  readonly listMs: number
}

/** A place that may change, because the process that serves a state directory may end and another start. */
export interface LogPlaces {
  current(): LogPlace
  /**
   * Whether to try again after this failure, because its process may have ended.
   * @throws OperationError where the process runs, and does not answer
   */
  isPassing(error: unknown): Promise<boolean>
  /** The error of the command, where a passing failure repeats. */
  failureOf(error: unknown): unknown
  destroy(): void
}

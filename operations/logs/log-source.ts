// Defines the places where the log of executions is read. Only types.

import type { Executions } from '../../place/executions/executions.ts'
import type { FollowPace } from '../runs/follow-events.ts'

/**
 * Step Functions on AWS or at a desk, or the files of a state directory. Each names an execution by the same ARN, so that
 * a reader may change between them.
 */
export type LogSource = Pick<Executions, 'walk' | 'findExecution' | 'events' | 'account'>

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

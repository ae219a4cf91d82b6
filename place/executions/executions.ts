// Defines how the executions of a place are read, followed and started. Two implementations: the API of Step Functions
// (api-executions.ts), and the files of a state directory that no process serves (kept-executions.ts).

import { findJson } from '../../core/contract/find-json.ts'
import type { StateMachine } from '../../core/contract/states.ts'
import type { ExecutionHistory, ServedEvent } from './execution-history.ts'

/** The known facts of an execution. One whose file cannot be read is `UNREADABLE`, and its error names the file. */
export interface KnownExecution {
  readonly status: string
  readonly output?: string | undefined
  readonly error?: string | undefined
  readonly cause?: string | undefined
  /** Absent where the execution cannot be read. */
  readonly executionArn?: string | undefined
}

/** An execution as Step Functions describes it. */
export interface DescribedExecution extends KnownExecution {
  readonly executionArn: string
  readonly name: string
  readonly input: string
}

export interface EnteredExecution extends ExecutionHistory {
  /** Parsed; undefined where it is no JSON. */
  readonly input: unknown
}

export interface ListedExecution {
  readonly executionArn: string
  readonly name: string
  readonly startedMs: number
  /** Absent while it runs. */
  readonly endedMs?: number | undefined
  /** How often it was redriven after its end. */
  readonly redrives: number
}

/** `failed`: failed, stopped or timed out, which may leave a movement unfollowed. */
export type ListedKind = 'failed' | 'running'

export interface ListedNames {
  readonly names: readonly string[]
  /** Whether there may be older ones. */
  readonly isCutOff: boolean
}

interface LoggedEvent {
  readonly atMs: number
  readonly event: ServedEvent
  /** ARNs of executions that it started. */
  readonly started: readonly string[]
}

/** How far a history has been read. Whoever reads the events advances it. */
export interface HistoryCursor {
  readonly executionArn: string
  /** The API's token of the page that was read last; absent for the first page. */
  token?: string | undefined
  lastId: number
  isOver: boolean
}

export interface WalkOptions {
  /** Executions on a page. Pages are read one by one, so the caller may stop early. */
  readonly pageSize?: number
  /** Only those that may not have ended. */
  readonly isRunning?: true
  /** Gets a message for each unreadable file. */
  readonly onDamaged?: (message: string) => void
}

/** `taken`: an execution of this name has ended, or runs with another input. */
type Unstarted = 'taken' | 'no machine'

/** AWS keeps executions for 90 days. An execution that is no longer kept does not exist. */
export interface Executions {
  findExecution(stateMachine: StateMachine, name: string): Promise<KnownExecution | undefined>
  /** The execution with its steps, oldest first. */
  findHistory(stateMachine: StateMachine, name: string): Promise<ExecutionHistory | undefined>
  /**
   * Names, the newest of each status first, at most `limit` of each. Step Functions lists an execution some moments
   * after its start or end.
   */
  listExecutions(stateMachine: StateMachine, kind: ListedKind, limit: number): Promise<ListedNames>
  /** Newest first. Empty where the state machine does not exist. */
  walk(stateMachine: StateMachine, options?: WalkOptions): AsyncGenerator<ListedExecution, void>
  /** With input and steps. A text says why it cannot be read. */
  read(stateMachine: StateMachine, name: string): Promise<EnteredExecution | string | undefined>
  events(cursor: HistoryCursor): AsyncGenerator<LoggedEvent, void>
  /** The AWS account of the state machines; undefined where none are deployed. */
  account(): Promise<string | undefined>
  /** The deployed definition in the Amazon States Language; absent where nothing runs. */
  readonly findDefinition?: (stateMachine: StateMachine) => Promise<string | undefined>
  /**
   * Absent where nothing runs. `input` is JSON text. The same name and input again is the same execution, as long as it
   * runs.
   */
  readonly startExecution?: (
    stateMachine: StateMachine,
    name: string,
    input: string,
  ) => Promise<{ readonly executionArn: string } | Unstarted>
}

/** Both ways to read whole executions, for those who read thousands. */
export interface ExecutionAccess {
  readonly executions: Pick<Executions, 'walk' | 'read'>
}

export const ENDS = /^Execution(Succeeded|Failed|Aborted|TimedOut)$/

/** A list of Step Functions has one status. */
export const STATUSES = {
  failed: ['FAILED', 'ABORTED', 'TIMED_OUT'],
  running: ['RUNNING'],
} as const satisfies Readonly<Record<ListedKind, readonly string[]>>

/** The executions that a state has started (`states:startExecution.sync:2`). */
export function startedBy({
  taskSubmittedEventDetails: submitted,
}: {
  readonly taskSubmittedEventDetails?: { resourceType?: string | undefined; output?: string | undefined } | undefined
}): string[] {
  if (submitted?.resourceType !== 'states' || submitted.output === undefined) return []
  const found = findJson(submitted.output)
  const arn = typeof found === 'object' && found !== null && 'ExecutionArn' in found ? found.ExecutionArn : undefined
  return typeof arn === 'string' ? [arn] : []
}

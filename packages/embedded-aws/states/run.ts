// The outside world of a running execution, so that the interpreter decides nothing about time, randomness, functions
// or disks.
import type { AwsClock } from '../clock.ts'
import type { Branch } from './branch.ts'
import type { ChildExecutions } from './child-executions.ts'
import type { StateGraph } from './definition.ts'
import type { Abortable, BranchEvent, EventDraft } from './history.ts'
import type { Json } from './json.ts'
import type { RetryProgress } from './retry.ts'

/** The answer of a function. `payload` is JSON text; `cause` is the JSON text that Lambda returns. */
export type Invocation =
  | { readonly kind: 'answered'; readonly payload: string; readonly requestId: string }
  | { readonly kind: 'failed'; readonly error: string; readonly cause: string }
  /** `timeoutMs` passed without an answer. The function may still be running. */
  | { readonly kind: 'timed-out' }

export type InvokeFunction = (call: {
  /** ARN or name. */
  readonly functionId: string
  readonly payload: string
  readonly timeoutMs: number | undefined
}) => Promise<Invocation>

/** The result of a write. */
export interface Appended {
  /** The time of the events, in epoch milliseconds. */
  readonly atMs: number
  /** Number of the last event. */
  readonly lastId: number
}

export interface ExecutionJournal {
  /** Writes the events in one write before it returns. */
  append(events: readonly BranchEvent[]): Appended
  noteRetry(branch: Branch, progress: RetryProgress): void
  /** Returns the type of the branch's current state, if it can be aborted. */
  stateOf(branch: Branch): Abortable | undefined
  /** Resolves when everything written is on disk. Effects outside of the process come after it. */
  sync(): Promise<void>
}

/** The values of `$$.Execution` and `$$.StateMachine`. */
export interface ExecutionIdentity {
  readonly arn: string
  readonly name: string
  readonly input: Json
  readonly startTime: string
  readonly roleArn: string
  readonly redriveCount: number
  readonly redriveTime: string | undefined
  readonly machineArn: string
  readonly machineName: string
}

/** One item of a Map, as `$$.Map.Item` shows it. */
export interface MapItem {
  readonly index: number
  readonly value: Json
}

/** One branch of an execution while it runs. */
export interface Run {
  readonly graph: StateGraph
  readonly branch: Branch
  /** Set within a Map: the item of the innermost one. */
  readonly item: MapItem | undefined
  readonly execution: ExecutionIdentity
  readonly journal: ExecutionJournal
  readonly invoke: InvokeFunction
  readonly children: ChildExecutions
  readonly clock: AwsClock
  readonly random: () => number
  /** When the execution times out, in epoch milliseconds. */
  readonly deadlineMs: number
  /**
   * Aborted when the branch is stopped from outside; nothing may be written after that. The reason is a Halt when the
   * execution stays unfinished.
   */
  readonly signal: AbortSignal
}

/**
 * Writes events of this branch, unless it was stopped. `after`: the branch that led to them, where it is another
 * branch.
 */
export function record(run: Run, events: readonly EventDraft[], after?: Branch): Appended {
  run.signal.throwIfAborted()
  return run.journal.append(events.map((event) => ({ branch: run.branch, event, after })))
}

/** The process ends. Running executions continue at the next start. */
export class Halt extends Error {
  override readonly name = 'Halt'
}

/** The whole execution timed out. */
export class ExecutionTimeout extends Error {
  override readonly name = 'ExecutionTimeout'
}

/** Waits by the execution's clock. Throws ExecutionTimeout at its deadline. */
export async function sleepUntil(run: Run, untilMs: number): Promise<void> {
  const endMs = Math.min(untilMs, run.deadlineMs)
  const leftMs = endMs - run.clock.nowMs()
  if (leftMs > 0) await run.clock.sleep(leftMs, run.signal)
  run.signal.throwIfAborted()
  if (untilMs >= run.deadlineMs) throw new ExecutionTimeout()
}

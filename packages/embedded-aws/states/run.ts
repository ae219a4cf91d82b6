// Defines what a running execution needs from outside: the clock, randomness, functions, child executions and the disk.
// The interpreter gets them as arguments, so it reaches none of them by itself.
import type { AwsClock } from '../clock.ts'
import type { Branch } from './branch.ts'
import type { ChildExecutions } from './child-access.ts'
import type { StateGraph } from './definition.ts'
import type { Abortable, BranchEvent, EventDraft } from './history.ts'
import type { Json } from './json.ts'
import type { RetryProgress } from './retry.ts'
import type { TaskTokens } from './task-tokens.ts'

/** The result of calling a function. `payload` is JSON text; `cause` is the JSON text that Lambda returns for an error. */
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

export interface Appended {
  /** The time that the write gave to its events, in epoch milliseconds. */
  readonly atMs: number
  readonly lastId: number
}

export interface ExecutionJournal {
  /** Writes the events in one write before it returns. */
  append(events: readonly BranchEvent[]): Appended
  noteRetry(branch: Branch, progress: RetryProgress): void
  /** Returns the type of the branch's current state, if it can be aborted. */
  stateOf(branch: Branch): Abortable | undefined
  /** Resolves when everything written is on disk. Call it before any effect outside of the process. */
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
  /** Present inside a Map: the current item. Of nested Maps, the inner Map's item. */
  readonly item: MapItem | undefined
  readonly execution: ExecutionIdentity
  readonly journal: ExecutionJournal
  readonly invoke: InvokeFunction
  readonly children: ChildExecutions
  readonly tokens: TaskTokens
  /** Frees the execution's place among those that work, before a wait. */
  leave(): void
  readonly clock: AwsClock
  readonly random: () => number
  /** When the execution times out, in epoch milliseconds. */
  readonly deadlineMs: number
  /**
   * Aborted when the branch is stopped from outside. After that, this branch must not write. The reason is a Halt if
   * the process stops; the execution then stays unfinished on disk.
   */
  readonly signal: AbortSignal
}

/**
 * Writes events of this branch. Throws the signal's reason if the branch was stopped. `after`: the branch whose event
 * caused these events, if it is another branch.
 */
export function record(run: Run, events: readonly EventDraft[], after?: Branch): Appended {
  run.signal.throwIfAborted()
  return run.journal.append(events.map((event) => ({ branch: run.branch, event, after })))
}

/** Abort reason: the process stops. Running executions continue at its next start. */
export class Halt extends Error {
  override readonly name = 'Halt'
}

export class ExecutionTimeout extends Error {
  override readonly name = 'ExecutionTimeout'
}

/** Waits until `untilMs` on the run's clock. Throws ExecutionTimeout if the execution's deadline comes first. */
export async function sleepUntil(run: Run, untilMs: number): Promise<void> {
  const endMs = Math.min(untilMs, run.deadlineMs)
  const leftMs = endMs - run.clock.nowMs()
  if (leftMs > 0) await run.clock.sleep(leftMs, run.signal)
  run.signal.throwIfAborted()
  if (untilMs >= run.deadlineMs) throw new ExecutionTimeout()
}

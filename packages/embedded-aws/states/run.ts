// Everything that running an execution needs from outside, so that the interpreter decides
// nothing about time, chance, functions or disks itself.
import type { AwsClock } from '../clock.ts'
import type { Branch } from './branch.ts'
import type { ChildExecutions } from './child-executions.ts'
import type { StateGraph } from './definition.ts'
import type { Abortable, BranchEvent, EventDraft } from './history.ts'
import type { Json } from './json.ts'
import type { RetryProgress } from './retry.ts'

/** What a function answered. `payload` is JSON text; `cause` is the JSON text that Lambda returns. */
export type Invocation =
  | { readonly kind: 'answered'; readonly payload: string; readonly requestId: string }
  | { readonly kind: 'failed'; readonly error: string; readonly cause: string }
  /** `timeoutMs` passed without an answer; the function may still be running. */
  | { readonly kind: 'timed-out' }

export type InvokeFunction = (call: {
  /** ARN or name. */
  readonly functionId: string
  readonly payload: string
  readonly timeoutMs: number | undefined
}) => Promise<Invocation>

/** What was just written. */
export interface Appended {
  /** The time that the events carry. */
  readonly atMs: number
  /** Number of the last event. */
  readonly lastId: number
}

export interface ExecutionJournal {
  /** Writes the events in one piece before it returns. */
  append(events: readonly BranchEvent[]): Appended
  noteRetry(branch: Branch, progress: RetryProgress): void
  /** The type of the state that a branch stands in, where it is one that can be aborted. */
  standsIn(branch: Branch): Abortable | undefined
  /** Resolves once all that was written is on disk: an effect outside of the process comes after it. */
  sync(): Promise<void>
}

/** What `$$.Execution` and `$$.StateMachine` show. */
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
  /** Present within a Map: the innermost one's. */
  readonly item: MapItem | undefined
  readonly execution: ExecutionIdentity
  readonly journal: ExecutionJournal
  readonly invoke: InvokeFunction
  readonly children: ChildExecutions
  readonly clock: AwsClock
  readonly random: () => number
  /** When the execution times out, by the clock. */
  readonly deadlineMs: number
  /**
   * Aborted when the branch is stopped from outside: nothing may be written after that. The reason is a
   * Halt where the execution stays unfinished.
   */
  readonly signal: AbortSignal
}

/** Writes events of this branch, unless it was stopped. `after`: the branch that led to them, where it is another one. */
export function record(run: Run, events: readonly EventDraft[], after?: Branch): Appended {
  run.signal.throwIfAborted()
  return run.journal.append(events.map((event) => ({ branch: run.branch, event, after })))
}

/** The process ends: what runs stays as it is, to go on at the next start. */
export class Halt extends Error {
  override readonly name = 'Halt'
}

/** The execution as a whole ran out of time. */
export class ExecutionTimeout extends Error {
  override readonly name = 'ExecutionTimeout'
}

/** Waits by the execution's clock, at most to its deadline. Throws ExecutionTimeout there. */
export async function sleepUntil(run: Run, untilMs: number): Promise<void> {
  const endMs = Math.min(untilMs, run.deadlineMs)
  const leftMs = endMs - run.clock.nowMs()
  if (leftMs > 0) await run.clock.sleep(leftMs, run.signal)
  run.signal.throwIfAborted()
  if (untilMs >= run.deadlineMs) throw new ExecutionTimeout()
}

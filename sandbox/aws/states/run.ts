// Everything that running an execution needs from outside, so that the interpreter decides
// nothing about time, chance, functions or disks itself.
import type { AwsClock } from '../clock.ts'
import type { Definition } from './definition.ts'
import type { EventDraft } from './history.ts'
import type { Json } from './json.ts'

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

/** Retries of a state that were done, a count for each retrier, and until when the next one waits. */
export interface RetryProgress {
  readonly counts: readonly number[]
  readonly untilMs: number
}

/** Where an execution is: in a state, with that state's input. */
export interface Position {
  readonly state: string
  /** JSON text. */
  readonly input: string
  readonly enteredMs: number
  readonly retries?: RetryProgress
}

export interface ExecutionJournal {
  /** Writes the events in one piece before it returns; gives the time they carry. */
  append(events: readonly EventDraft[]): number
  noteRetry(progress: RetryProgress): void
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

export interface Run {
  readonly definition: Definition
  readonly execution: ExecutionIdentity
  readonly journal: ExecutionJournal
  readonly invoke: InvokeFunction
  readonly clock: AwsClock
  readonly random: () => number
  /** When the execution times out, by the clock. */
  readonly deadlineMs: number
  /** Aborted when the execution is stopped from outside: nothing may be written after that. */
  readonly signal: AbortSignal
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

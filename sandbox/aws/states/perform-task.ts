// A Task state: invokes its function, retries as its retriers say, catches as its catchers say.
// Source: Amazon States Language, "Task State" and "Errors".
import { combine, effectiveInput, output } from './data-flow.ts'
import type { TaskState } from './definition.ts'
import { type Json, payloadText, StateFailure, StatesError } from './json.ts'
import { type Path, readAt, type Scope } from './path.ts'
import { fillTemplate } from './payload-template.ts'
import { findMatch, retryDelayMs } from './retry.ts'
import { ExecutionTimeout, type Invocation, type Position, type Run, sleepUntil } from './run.ts'
import { type TaskCall, taskCall } from './task-call.ts'

export interface Exit {
  readonly output: Json
  readonly next: string | undefined
}

/** `scopeOf` gives the scope with `$$.State.RetryCount` as it stands. Throws StateFailure that nothing caught. */
export async function performTask(
  run: Run,
  state: TaskState,
  position: Position,
  scopeOf: (retryCount: number) => Scope,
): Promise<Exit> {
  const counts = state.retry.map((_, index) => position.retries?.counts[index] ?? 0)
  if (position.retries !== undefined) await sleepUntil(run, position.retries.untilMs)
  for (;;) {
    const scope = scopeOf(counts.reduce((sum, count) => sum + count, 0))
    try {
      const value = await attempt(run, state, scope)
      return { output: value, next: state.next }
    } catch (failure) {
      if (!(failure instanceof StateFailure)) throw failure
      const retrier = findMatch(state.retry, failure.error)
      const done = retrier === undefined ? 0 : (counts[retrier.index] ?? 0)
      if (retrier === undefined || done >= retrier.entry.maxAttempts) return caught(state, failure, scope)
      counts[retrier.index] = done + 1
      const untilMs = run.clock.nowMs() + retryDelayMs(retrier.entry, done, run.random)
      run.journal.noteRetry({ counts: [...counts], untilMs })
      await sleepUntil(run, untilMs)
    }
  }
}

async function attempt(run: Run, state: TaskState, scope: Scope): Promise<Json> {
  const input = effectiveInput(state, scope)
  const timeoutSeconds = timeoutOf(state, scope)
  const call = taskCall(state, input.data, regionOf(run))
  run.journal.append(call.scheduled(timeoutSeconds))
  const answer = await invokeInTime(run, call, timeoutSeconds)
  if (answer.kind === 'timed-out') {
    run.journal.append([call.timedOut()])
    throw new StateFailure(StatesError.Timeout)
  }
  const result = resultOf(run, call, answer)
  const selected =
    state.resultSelector === undefined ? result : fillTemplate(state.resultSelector, { ...scope, data: result })
  return output(state.outputPath, { ...scope, data: combine(state.resultPath, scope.data, selected) })
}

function timeoutOf(state: TaskState, scope: Scope): number | undefined {
  if (state.timeoutSeconds === undefined || typeof state.timeoutSeconds === 'number') return state.timeoutSeconds
  const seconds = readAt(state.timeoutSeconds as Path, scope, 'TimeoutSecondsPath')
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds > 0) return seconds
  throw new StateFailure(StatesError.Runtime, 'TimeoutSecondsPath does not lead to a positive whole number')
}

/** The execution's deadline counts too, and counts first. */
async function invokeInTime(run: Run, call: TaskCall, timeoutSeconds: number | undefined): Promise<Invocation> {
  const executionLeftMs = run.deadlineMs - run.clock.nowMs()
  if (executionLeftMs <= 0) throw new ExecutionTimeout()
  const taskMs = timeoutSeconds === undefined ? Number.POSITIVE_INFINITY : timeoutSeconds * 1000
  const timeoutMs = Math.min(executionLeftMs, taskMs)
  const answer = await run.invoke({
    functionId: call.functionId,
    payload: call.payload,
    timeoutMs: Number.isFinite(timeoutMs) ? timeoutMs : undefined,
  })
  run.signal.throwIfAborted()
  if (answer.kind === 'timed-out' && executionLeftMs <= taskMs) throw new ExecutionTimeout()
  return answer
}

function resultOf(run: Run, call: TaskCall, answer: Exclude<Invocation, { kind: 'timed-out' }>): Json {
  if (answer.kind === 'failed') {
    run.journal.append([call.failed(answer.error, answer.cause)])
    throw new StateFailure(answer.error, answer.cause)
  }
  const result = call.result(answer)
  try {
    run.journal.append([call.succeeded(payloadText(result, call.owner))])
  } catch (failure) {
    if (failure instanceof StateFailure) run.journal.append([call.failed(failure.error, failure.reason)])
    throw failure
  }
  return result
}

/** The first catcher that matches hands over with `{Error, Cause}`; otherwise the failure stands. */
function caught(state: TaskState, failure: StateFailure, scope: Scope): Exit {
  const catcher = findMatch(state.catch, failure.error)?.entry
  if (catcher === undefined) throw failure
  const report = { Error: failure.error, ...(failure.reason !== undefined && { Cause: failure.reason }) }
  return { output: combine(catcher.resultPath, scope.data, report), next: catcher.next }
}

function regionOf(run: Run): string {
  return run.execution.arn.split(':')[3] ?? ''
}

// Runs an execution from a position to its end, state by state. Each transition is written to the execution's log
// (execution-log.ts) before its effect. Time, functions and disks come from outside (see run.ts).
// Source: Amazon States Language, JSONPath mode.
import { combine, type Exit, effectiveInput, output, StateEnded } from './attempts.ts'
import type { ChoiceState, FailState, PassState, State, WaitState } from './definition.ts'
import { type EventDraft, entered, exited, failureDetails } from './history.ts'
import { findTimestamp, HistoryFull, type Json, parseJson, payloadText, StateFailure, StatesError } from './json.ts'
import { type Path, readAt, type Scope } from './path.ts'
import { compute } from './payload-template.ts'
import { performMap, withItem } from './perform-map.ts'
import { performTask } from './perform-task.ts'
import type { Position } from './position.ts'
import { ExecutionTimeout, type Run, record, sleepUntil } from './run.ts'

const NANOSECONDS_PER_MILLISECOND = 1_000_000n

/**
 * Resolves when the execution's end is in its log. Rejects with the signal's reason when aborted: then the execution is
 * unfinished, and its log shows the position.
 */
export async function runExecution(run: Run, from: Position): Promise<void> {
  try {
    await runBranch(run, from, (text) => ({
      type: 'ExecutionSucceeded',
      executionSucceededEventDetails: { output: text },
    }))
  } catch (failure) {
    recordEnd(run, failure)
  }
}

function recordEnd(run: Run, failure: unknown): void {
  const events = failure instanceof StateEnded ? failure.events : []
  const after = failure instanceof StateFailure ? failure.branch : undefined
  try {
    record(run, [...events, endingOf(failure)], after)
  } catch (full) {
    // If the history has no room for all events, only the end with that failure is written.
    if (!(full instanceof StateFailure)) throw full
    record(run, [endingOf(full)])
  }
}

/**
 * Runs a branch to its end, which `end` describes. Returns the last state's output as JSON text. Throws StateFailure.
 */
async function runBranch(run: Run, from: Position, end: (output: string) => EventDraft): Promise<string> {
  let position = from
  for (;;) {
    const state = stateOf(run, position.state)
    const exit = await performState(run, state, position)
    run.signal.throwIfAborted()
    if (run.clock.nowMs() >= run.deadlineMs) throw new ExecutionTimeout()
    const text = payloadText(exit.output, state.name)
    const events = [...(exit.events ?? []), exited(state, text)]
    if (exit.next === undefined) {
      record(run, [...events, end(text)])
      return text
    }
    const { atMs, lastId } = record(run, [...events, entered(stateOf(run, exit.next), text)])
    position = { state: exit.next, input: text, enteredMs: atMs, enteredId: lastId }
  }
}

function endingOf(failure: unknown): EventDraft {
  if (failure instanceof ExecutionTimeout) {
    return { type: 'ExecutionTimedOut', executionTimedOutEventDetails: { error: StatesError.Timeout } }
  }
  if (!(failure instanceof StateFailure)) throw failure
  return {
    type: 'ExecutionFailed',
    executionFailedEventDetails: failureDetails(failure.error || undefined, failure.reason),
  }
}

function stateOf(run: Run, name: string): State {
  const state = run.graph.states.get(name)
  if (state === undefined) throw new Error(`the definition has no state ${name}`)
  return state
}

async function performState(run: Run, state: State, position: Position): Promise<Exit> {
  try {
    return await perform(run, state, position)
  } catch (failure) {
    throw failure instanceof StateFailure ? placed(failure, run, state, position) : failure
  }
}

/** Adds the place to a runtime error: the innermost state. */
function placed(failure: StateFailure, run: Run, state: State, { enteredId }: Position): StateFailure {
  const { branch, error, reason } = failure
  if (error !== StatesError.Runtime || branch !== undefined || failure instanceof HistoryFull) return failure
  const where = `An error occurred while executing the state '${state.name}' (entered at the event id #${enteredId}).`
  return new StateFailure(error, `${where} ${reason ?? ''}`, run.branch)
}

async function perform(run: Run, state: State, position: Position): Promise<Exit> {
  const data = parseJson(position.input)
  const scopeOf = (retryCount?: number): Scope => ({ data, context: contextObject(run, state, position, retryCount) })
  switch (state.type) {
    case 'Task':
      return performTask(run, state, position, scopeOf)
    case 'Map':
      return performMap(run, state, position, scopeOf, runBranch)
    case 'Pass':
      return performPass(state, scopeOf())
    case 'Choice':
      return performChoice(state, scopeOf())
    case 'Wait':
      return performWait(run, state, position, scopeOf())
    case 'Succeed': {
      const input = effectiveInput(state, scopeOf())
      return { output: output(state.outputPath, input), next: undefined }
    }
    case 'Fail':
      return performFail(state, scopeOf())
  }
}

function performPass(state: PassState, scope: Scope): Exit {
  const input = effectiveInput(state, scope)
  const combined = combine(state.resultPath, scope.data, state.result ?? input.data)
  return { output: output(state.outputPath, { ...scope, data: combined }), next: state.next }
}

function performChoice(state: ChoiceState, scope: Scope): Exit {
  const input = effectiveInput(state, scope)
  const next = state.choices.find((choice) => choice.test(input))?.next ?? state.otherwise
  if (next === undefined) {
    // AWS reports this error, and not the language's States.NoChoiceMatched.
    throw new StateFailure(
      StatesError.Runtime,
      `Failed to transition out of the state ${state.name}: no choice matched, and there is no Default`,
    )
  }
  return { output: output(state.outputPath, input), next }
}

async function performWait(run: Run, state: WaitState, position: Position, scope: Scope): Promise<Exit> {
  const input = effectiveInput(state, scope)
  await sleepUntil(run, waitEndMs(state, position, input))
  return { output: output(state.outputPath, input), next: state.next }
}

/** Returns the end of a wait, counted from the entry of the state, so that only the rest remains after a restart. */
function waitEndMs(state: WaitState, position: Position, scope: Scope): number {
  if ('seconds' in state.until) {
    const { seconds } = state.until
    const value = constantOr(seconds, scope, 'SecondsPath')
    if (typeof value !== 'number' || !Number.isInteger(value)) {
      throw unfit(`The SecondsPath parameter cannot be parsed as a long value`, seconds, value)
    }
    if (value < 0) throw unfit('The SecondsPath parameter references a negative value', seconds, value)
    return checkedEnd(position.enteredMs + value * 1000, position)
  }
  const text = constantOr(state.until.timestamp, scope, 'TimestampPath')
  const timestamp = findTimestamp(text)
  if (timestamp !== undefined) return checkedEnd(Number(timestamp / NANOSECONDS_PER_MILLISECOND), position)
  const reason =
    'The TimestampPath parameter does not reference a valid ISO-8601 extended offset date-time format string'
  throw unfit(reason, state.until.timestamp, text)
}

function unfit(reason: string, place: number | string | Path, value: Json): StateFailure {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return new StateFailure(
    StatesError.Runtime,
    `${reason}: ${typeof place === 'object' ? place.text : place} == ${text}`,
  )
}

/** AWS limits a wait's seconds to 32 bits. */
function checkedEnd(endMs: number, { enteredMs }: Position): number {
  if (endMs - enteredMs < 2 ** 31 * 1000) return endMs
  throw new StateFailure(StatesError.Runtime, 'Wait state delay is too long.')
}

function constantOr(value: number | string | Path, scope: Scope, field: string): Json {
  return typeof value === 'object' ? readAt(value, scope, field) : value
}

function performFail(state: FailState, scope: Scope): never {
  const reason = (value: FailState['error'], field: string) => {
    if (value === undefined || typeof value === 'string') return value
    const computed = compute(value, scope, field)
    if (typeof computed === 'string') return computed
    throw new StateFailure(StatesError.Runtime, `${field} does not lead to a string`)
  }
  const error = reason(state.error, 'ErrorPath')
  throw new StateFailure(error ?? '', reason(state.cause, 'CausePath'))
}

/** Returns the context object. Source: AWS Step Functions, "Accessing the Context object". */
function contextObject(run: Run, state: State, position: Position, retryCount: number | undefined): Json {
  const { execution } = run
  const context = {
    Execution: {
      Id: execution.arn,
      Input: execution.input,
      Name: execution.name,
      RoleArn: execution.roleArn,
      StartTime: execution.startTime,
      RedriveCount: execution.redriveCount,
      ...(execution.redriveTime !== undefined && { RedriveTime: execution.redriveTime }),
    },
    State: {
      EnteredTime: new Date(position.enteredMs).toISOString(),
      Name: state.name,
      ...(retryCount !== undefined && { RetryCount: retryCount }),
    },
    StateMachine: { Id: execution.machineArn, Name: execution.machineName },
  }
  return run.item === undefined ? context : withItem(context, run.item)
}

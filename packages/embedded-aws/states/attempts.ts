// Implements the common parts of states: the data flow (InputPath, Parameters, ResultSelector, ResultPath, OutputPath),
// and for Task and Map attempts with retriers and catchers.
// Source: Amazon States Language, "Errors".
import type { Attempted, Selection } from './definition.ts'
import type { EventDraft } from './history.ts'
import { type Json, StateFailure, StatesError } from './json.ts'
import { readAt, type Scope, writeAt } from './path.ts'
import { fillTemplate, type PayloadTemplate } from './payload-template.ts'
import type { Position } from './position.ts'
import { findMatch, retryDelayMs } from './retry.ts'
import { type Run, sleepUntil } from './run.ts'

export interface Exit {
  readonly output: Json
  readonly next: string | undefined
  /** Events of the state's work that are written together with its end. */
  readonly events?: readonly EventDraft[]
}

/** The result of one attempt, before it is put into the output. */
export interface Result {
  readonly result: Json
  readonly events?: readonly EventDraft[]
}

/** Returns the scope with this value of `$$.State.RetryCount`. */
export type ScopeOf = (retryCount: number) => Scope

/** A state that failed finally, with the events that are written together with the end that it causes. */
export class StateEnded extends StateFailure {
  readonly events: readonly EventDraft[]

  constructor({ error, reason, branch }: StateFailure, events: readonly EventDraft[]) {
    super(error, reason, branch)
    this.events = events
  }
}

export interface Attempts {
  /** `resumed`: the position before a restart of the process; set only for the first attempt after it. */
  attempt(scope: Scope, retryCount: number, resumed: Position | undefined): Promise<Result>
  /** The event of the last failed attempt, caught or not. */
  readonly ending?: EventDraft
}

/** Throws a StateFailure that no catcher handles. */
export async function performAttempts(
  run: Run,
  state: Attempted,
  position: Position,
  scopeOf: ScopeOf,
  { attempt, ending }: Attempts,
): Promise<Exit> {
  const counts = state.retry.map((_, index) => position.retries?.counts[index] ?? 0)
  if (position.retries !== undefined) await sleepUntil(run, position.retries.untilMs)
  let resumed: Position | undefined = position
  for (;;) {
    const retryCount = counts.reduce((sum, count) => sum + count, 0)
    const scope = scopeOf(retryCount)
    try {
      const { result, events } = await attempt(scope, retryCount, resumed)
      return { output: outputOf(state, scope, result), next: state.next, ...(events !== undefined && { events }) }
    } catch (failure) {
      if (!(failure instanceof StateFailure)) throw failure
      const retrier = findMatch(state.retry, failure.error)
      const done = retrier === undefined ? 0 : (counts[retrier.index] ?? 0)
      if (retrier === undefined || done >= retrier.entry.maxAttempts) {
        // States.Runtime ends the execution at once, and AWS records no events for the states that it ends.
        const isRecorded = ending !== undefined && failure.error !== StatesError.Runtime
        return caught(state, failure, scope, isRecorded ? [ending] : [])
      }
      counts[retrier.index] = done + 1
      const untilMs = run.clock.nowMs() + retryDelayMs(retrier.entry, done, run.random)
      run.signal.throwIfAborted()
      run.journal.noteRetry(run.branch, { counts: [...counts], untilMs })
      resumed = undefined
      await sleepUntil(run, untilMs)
    }
  }
}

function outputOf(state: Attempted, scope: Scope, result: Json): Json {
  const selected =
    state.resultSelector === undefined ? result : fillTemplate(state.resultSelector, { ...scope, data: result })
  return output(state.outputPath, { ...scope, data: combine(state.resultPath, scope.data, selected) })
}

/**
 * The first matching catcher continues with `{Error, Cause}`. Without one, throws the failure with the events of its
 * end.
 */
function caught(state: Attempted, failure: StateFailure, scope: Scope, events: readonly EventDraft[]): Exit {
  const catcher = findMatch(state.catch, failure.error)?.entry
  if (catcher === undefined) throw events.length === 0 ? failure : new StateEnded(failure, events)
  // A time-out has no cause in the history. A catcher gets an empty one.
  const report = { Error: failure.error, Cause: failure.reason ?? '' }
  return { output: combine(catcher.resultPath, scope.data, report), next: catcher.next, events }
}

export function select(selection: Selection, scope: Scope, field: string): Json {
  if (selection === null) return {}
  return selection === undefined ? scope.data : readAt(selection, scope, field)
}

/** Returns the scope that the state's own work sees. */
export function effectiveInput(
  state: { readonly inputPath: Selection; readonly parameters?: PayloadTemplate | undefined },
  scope: Scope,
): Scope {
  const data = select(state.inputPath, scope, 'InputPath')
  if (state.parameters === undefined) return { ...scope, data }
  return { ...scope, data: fillTemplate(state.parameters, { ...scope, data }) }
}

/** Combines result and input: `null` keeps the input, `$` replaces it, and another path puts the result into it. */
export function combine(resultPath: Selection, input: Json, result: Json): Json {
  if (resultPath === null) return input
  return resultPath === undefined ? result : writeAt(resultPath, input, result)
}

export function output(selection: Selection, scope: Scope): Json {
  return select(selection, scope, 'OutputPath')
}

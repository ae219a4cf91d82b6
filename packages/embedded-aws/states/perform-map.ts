// Performs an inline Map state. Its iterations run concurrently up to a limit, each in its own branch. The first failed
// iteration fails the Map: running iterations are aborted, and waiting ones never start.
// Source: Amazon States Language, "Map State"; AWS Step Functions, "Using Map state in Inline mode".
import { type Exit, performAttempts, type Result, type ScopeOf, StateEnded, select } from './attempts.ts'
import { type Branch, iterationBranch } from './branch.ts'
import type { MapState } from './definition.ts'
import { type BranchEvent, type EventDraft, entered, failureDetails, HISTORY_LIMIT } from './history.ts'
import { isJsonList, isJsonObject, type Json, parseJson, payloadText, StateFailure, StatesError } from './json.ts'
import { readAt, type Scope } from './path.ts'
import { fillTemplate } from './payload-template.ts'
import type { MapProgress, Position } from './position.ts'
import { type MapItem, type Run, record } from './run.ts'

/** Maximum concurrent iterations of an inline Map on AWS, even if MaxConcurrency allows more. */
const MOST_AT_ONCE = 40
/** Maximum items. An iteration has at least four events, so more items could not end within the history's limit. */
const MOST_ITEMS = Math.floor(HISTORY_LIMIT / 4)

/** Runs a branch's states to their end. Returns the last state's output as JSON text. */
export type RunBranch = (run: Run, from: Position, end: () => EventDraft) => Promise<string>

/** Throws a StateFailure that no catcher handles. */
export async function performMap(
  run: Run,
  state: MapState,
  position: Position,
  scopeOf: ScopeOf,
  runBranch: RunBranch,
): Promise<Exit> {
  return performAttempts(run, state, position, scopeOf, {
    attempt: (scope, _retryCount, resumed) => attempt({ run, state, scope, runBranch }, resumed?.map),
    ending: { type: 'MapStateFailed' },
  })
}

interface Work {
  readonly run: Run
  readonly state: MapState
  readonly scope: Scope
  readonly runBranch: RunBranch
}

async function attempt(work: Work, resumed: MapProgress | undefined): Promise<Result> {
  const { run, state } = work
  if (resumed?.failed !== undefined) throw new StateFailure(resumed.failed.error ?? '', resumed.failed.cause)
  const data = select(state.inputPath, work.scope, 'InputPath')
  const items = itemsOf(state, { ...work.scope, data })
  const progress = resumed ?? started(run, items.length)
  const inputOf = (item: MapItem) =>
    state.itemSelector === undefined
      ? item.value
      : fillTemplate(state.itemSelector, { data, context: withItem(work.scope.context, item) })
  const outputs = await new Iterations(work, items, inputOf, progress).run()
  const result = outputs.map(parseJson)
  // The combined result may be too large, even if each output is not.
  payloadText(result, state.name)
  return { result, events: [{ type: 'MapStateSucceeded' }] }
}

function itemsOf(state: MapState, scope: Scope): readonly Json[] {
  const items = state.itemsPath === undefined ? scope.data : readAt(state.itemsPath, scope, 'ItemsPath')
  if (!isJsonList(items)) {
    throw new StateFailure(StatesError.Runtime, `Reference path '${state.itemsPath?.text ?? '$'}' must point to array.`)
  }
  if (items.length <= MOST_ITEMS) return items
  throw new StateFailure(StatesError.Runtime, `${items.length} items: an execution's history holds ${MOST_ITEMS}`)
}

function started(run: Run, length: number): MapProgress {
  const { lastId } = record(run, [{ type: 'MapStateStarted', mapStateStartedEventDetails: { length } }])
  return { startedId: lastId, iterations: new Map() }
}

/** Returns the context object within an iteration. */
export function withItem(context: Json, { index, value }: MapItem): Json {
  return { ...(isJsonObject(context) ? context : {}), Map: { Item: { Index: index, Value: value } } }
}

class Iterations {
  readonly #work: Work
  readonly #items: readonly Json[]
  readonly #inputOf: (item: MapItem) => Json
  readonly #progress: MapProgress
  readonly #outputs: string[] = []
  readonly #running = new Set<number>()
  readonly #waiting: number[] = []
  readonly #over = new AbortController()
  readonly #signal: AbortSignal

  constructor(work: Work, items: readonly Json[], inputOf: (item: MapItem) => Json, progress: MapProgress) {
    this.#work = work
    this.#items = items
    this.#inputOf = inputOf
    this.#progress = progress
    this.#signal = AbortSignal.any([work.run.signal, this.#over.signal])
    const fresh: number[] = []
    for (const index of items.keys()) {
      const known = progress.iterations.get(index)
      if (known === undefined) fresh.push(index)
      else if ('output' in known) this.#outputs[index] = known.output
      else this.#waiting.push(index)
    }
    // Iterations that were running go first, so that the limit always holds.
    this.#waiting.push(...fresh)
  }

  /** Returns the outputs in the order of the items. Throws the first failure, after writing it. */
  async run(): Promise<readonly string[]> {
    const limit = Math.min(this.#work.state.maxConcurrency || MOST_AT_ONCE, MOST_AT_ONCE)
    const lanes = Array.from({ length: Math.min(limit, this.#waiting.length) }, () => this.#lane())
    await Promise.all(lanes)
    return this.#outputs
  }

  async #lane(): Promise<void> {
    for (;;) {
      const index = this.#waiting.shift()
      if (index === undefined) return
      try {
        this.#outputs[index] = await this.#iterate(index)
      } catch (failure) {
        this.#fail(index, failure)
        throw failure
      }
      this.#running.delete(index)
    }
  }

  async #iterate(index: number): Promise<string> {
    const { run, runBranch, state } = this.#work
    // Iterations exist only for the indexes of the items.
    const item = { index, value: this.#items[index] as Json }
    const branch = iterationBranch(this.#progress.startedId, index)
    const inner: Run = { ...run, graph: state.processor, branch, item, signal: this.#signal }
    const known = this.#progress.iterations.get(index)
    const from = known !== undefined && 'position' in known ? known.position : this.#start(inner, item)
    this.#running.add(index)
    const mapIterationSucceededEventDetails = { name: state.name, index }
    return runBranch(inner, from, () => ({ type: 'MapIterationSucceeded', mapIterationSucceededEventDetails }))
  }

  #start(run: Run, item: MapItem): Position {
    const { state } = this.#work
    const first = state.processor.states.get(state.processor.startAt)
    if (first === undefined) throw new Error('a parsed processor has a start state')
    const input = payloadText(this.#inputOf(item), state.name)
    const mapIterationStartedEventDetails = { name: state.name, index: item.index }
    const { atMs, lastId } = record(run, [
      { type: 'MapIterationStarted', mapIterationStartedEventDetails },
      entered(first, input),
    ])
    return { state: first.name, input, enteredMs: atMs, enteredId: lastId }
  }

  /** Writes the failure in one write, before any iteration is aborted. */
  #fail(index: number, failure: unknown): void {
    if (this.#signal.aborted) return
    try {
      // On AWS a runtime error ends the execution, and the history shows nothing of the iterations that it ends.
      if (failure instanceof StateFailure && failure.error !== StatesError.Runtime) this.#write(index, failure)
    } finally {
      this.#over.abort(new Error('another iteration of the Map ended it'))
    }
  }

  /** Writes the ends in the order of the items, each with the aborted state, as recorded from AWS. */
  #write(failedIndex: number, failure: StateFailure): void {
    const { journal } = this.#work.run
    const after = iterationBranch(this.#progress.startedId, failedIndex)
    const ended = [...this.#running].sort((left, right) => left - right)
    const [first, ...rest] = ended.flatMap((index) => this.#endsOf(index, failedIndex, after))
    if (first === undefined) return
    const childEvents = failure instanceof StateEnded ? failure.events : []
    const details = failureDetails(failure.error || undefined, failure.reason)
    journal.append([...childEvents.map((event) => ({ branch: after, event })), { ...first, failure: details }, ...rest])
  }

  #endsOf(index: number, failedIndex: number, after: Branch): readonly BranchEvent[] {
    const branch = iterationBranch(this.#progress.startedId, index)
    const details = { name: this.#work.state.name, index }
    const end: EventDraft =
      index === failedIndex
        ? { type: 'MapIterationFailed', mapIterationFailedEventDetails: details }
        : { type: 'MapIterationAborted', mapIterationAbortedEventDetails: details }
    const current = this.#work.run.journal.stateOf(branch)
    const aborted: readonly EventDraft[] = current === undefined ? [] : [{ type: `${current}StateAborted` }]
    return [end, ...aborted].map((event) => ({ branch, after, event }))
  }
}

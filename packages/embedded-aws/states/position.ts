// Finds where an unfinished execution continues, from its log: in each branch, the state entered last and its recorded
// input. Pure.
import { type Branch, findIteration, iterationBranch, ROOT } from './branch.ts'
import type { LoggedExecution, LogStep } from './execution-log.ts'
import { type FailureDetails, failureDetails, type HistoryEvent } from './history.ts'
import type { RetryProgress } from './retry.ts'
import type { TokenAnswer } from './task-tokens.ts'

/** The place of a branch: a state, and that state's input. */
export interface Position {
  readonly state: string
  /** JSON text. */
  readonly input: string
  readonly enteredMs: number
  /** Number of the event that entered the state. */
  readonly enteredId: number
  readonly retries?: RetryProgress
  /** When the Task's job was submitted. Set while the Task waits for it. */
  readonly submittedMs?: number
  /** The answer for the Task's token, whose consequence is not written yet. */
  readonly answered?: TokenAnswer
  /** The Map's current attempt, or its failed one. */
  readonly map?: MapProgress
}

export interface MapProgress {
  /** Number of its MapStateStarted event. */
  readonly startedId: number
  /** Started iterations, by index. */
  readonly iterations: ReadonlyMap<number, IterationProgress>
  /** How the attempt failed. Its consequence is not written yet. */
  readonly failed?: FailureDetails
}

export type IterationProgress =
  | { readonly position: Position }
  /** JSON text. */
  | { readonly output: string }

interface Found {
  entered?: HistoryEvent
  lastOutput?: string
  retries?: RetryProgress | undefined
  submittedMs?: number | undefined
  answered?: TokenAnswer | undefined
  map?: FoundMap | undefined
  succeeded?: boolean
}

interface FoundMap {
  readonly startedId: number
  readonly length: number
  failed?: FailureDetails | undefined
}

export function positionOf(logged: LoggedExecution): Position {
  const branches = new Map<Branch, Found>()
  const maps = new Map<number, FoundMap>()
  for (const step of logged.steps) {
    const found = branches.get(step.branch) ?? {}
    branches.set(step.branch, found)
    note(found, step)
    if (found.map !== undefined) maps.set(found.map.startedId, found.map)
    const failedIn = 'event' in step && step.failure !== undefined ? findIteration(step.branch) : undefined
    const map = maps.get(failedIn?.mapStartedId ?? 0)
    if (map !== undefined && 'event' in step) map.failed = step.failure
    if ('event' in step && step.event.type === 'ExecutionRedriven') forgetFailures(branches)
  }
  const position = place(branches, ROOT)
  if (position === undefined) throw new Error('an execution enters a state when it starts')
  return position
}

/** Returns the same position, reached earlier by `ms`. */
export function earlier(position: Position, ms: number): Position {
  if (ms === 0) return position
  const { enteredMs, map, retries, submittedMs } = position
  return {
    ...position,
    enteredMs: enteredMs - ms,
    ...(retries !== undefined && { retries: { ...retries, untilMs: retries.untilMs - ms } }),
    ...(submittedMs !== undefined && { submittedMs: submittedMs - ms }),
    ...(map !== undefined && { map: { ...map, iterations: earlierIterations(map.iterations, ms) } }),
  }
}

function earlierIterations(iterations: MapProgress['iterations'], ms: number): MapProgress['iterations'] {
  const moved = ([index, progress]: [number, IterationProgress]): [number, IterationProgress] =>
    'position' in progress ? [index, { position: earlier(progress.position, ms) }] : [index, progress]
  return new Map([...iterations].map(moved))
}

function note(found: Found, step: LogStep): void {
  if ('retries' in step) {
    found.retries = step.retries
    found.map = undefined
    found.answered = undefined
    return
  }
  const { event } = step
  if (event.stateEnteredEventDetails !== undefined) {
    found.entered = event
    found.retries = undefined
    found.map = undefined
  }
  // After any later event of the branch, the Task no longer waits for its job.
  found.submittedMs = event.type === 'TaskSubmitted' ? event.timestamp.getTime() : undefined
  found.answered = answerIn(event)
  if (event.stateExitedEventDetails !== undefined) found.lastOutput = event.stateExitedEventDetails.output
  if (event.mapStateStartedEventDetails !== undefined) {
    found.map = { startedId: event.id, length: event.mapStateStartedEventDetails.length }
  }
  if (event.type === 'MapIterationSucceeded') found.succeeded = true
}

/** The holder of a token hears of its answer when this event is written, so that the answer counts from then on. */
function answerIn({ taskFailedEventDetails, taskSucceededEventDetails }: HistoryEvent): TokenAnswer | undefined {
  const resource = (taskSucceededEventDetails ?? taskFailedEventDetails)?.resource
  if (resource?.endsWith('.waitForTaskToken') !== true) return undefined
  if (taskSucceededEventDetails !== undefined) return { output: taskSucceededEventDetails.output }
  const { cause, error } = taskFailedEventDetails ?? {}
  return { failure: failureDetails(error, cause) }
}

/** A redrive continues in every branch that did not succeed. Retries count from zero. */
function forgetFailures(branches: ReadonlyMap<Branch, Found>): void {
  for (const found of branches.values()) {
    found.retries = undefined
    found.submittedMs = undefined
    found.answered = undefined
    if (found.map !== undefined) found.map.failed = undefined
  }
}

function place(branches: ReadonlyMap<Branch, Found>, branch: Branch): Position | undefined {
  const found = branches.get(branch)
  const details = found?.entered?.stateEnteredEventDetails
  if (found?.entered === undefined || details === undefined) return undefined
  const { answered, entered, map, retries, submittedMs } = found
  return {
    state: details.name,
    input: details.input,
    enteredMs: entered.timestamp.getTime(),
    enteredId: entered.id,
    ...(retries !== undefined && { retries }),
    ...(submittedMs !== undefined && { submittedMs }),
    ...(answered !== undefined && { answered }),
    ...(map !== undefined && { map: mapProgress(branches, map) }),
  }
}

function mapProgress(branches: ReadonlyMap<Branch, Found>, { startedId, length, failed }: FoundMap): MapProgress {
  const iterations = new Map<number, IterationProgress>()
  for (let index = 0; index < length; index++) {
    const branch = iterationBranch(startedId, index)
    const { lastOutput, succeeded } = branches.get(branch) ?? {}
    const position = place(branches, branch)
    if (succeeded === true && lastOutput !== undefined) iterations.set(index, { output: lastOutput })
    else if (position !== undefined) iterations.set(index, { position })
  }
  return { startedId, iterations, ...(failed !== undefined && { failed }) }
}

/** Returns the positions of all live branches. Nothing below a failed attempt is live. */
export function livePositions(position: Position): readonly Position[] {
  const { map } = position
  if (map === undefined || map.failed !== undefined) return [position]
  const inner = [...map.iterations.values()].flatMap((progress) =>
    'position' in progress ? livePositions(progress.position) : [],
  )
  return [position, ...inner]
}

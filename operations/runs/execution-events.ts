// Reads the events of executions while an execution is followed, and later in its log.
import { intentIdOf } from '../../core/contract/fields.ts'
import type { Progress, ProgressLine } from '../../place/context.ts'
import { failureOf, type ServedEvent, type WatchedEvent } from '../../place/executions/execution-history.ts'

/** One event in words, with its execution. */
export interface ExecutionLine extends ProgressLine {
  readonly stateMachine: string
  readonly execution: string
}

/** Makes a line for an event. `inputOf` gives the input of an execution that an earlier process started. */
export type LinesOf = (inputOf: InputOf) => (executionArn: string, event: ServedEvent) => ExecutionLine | undefined

/** Receives every event of every execution, and reports the events that it watches. */
export type Watcher = (executionArn: string, event: WatchedEvent) => void

/** The input that an execution was started with; undefined as long as it is unknown. */
export type InputOf = (executionArn: string) => string | undefined

/** Watches and reports the execution of one intent or run, and the executions that it starts. */
export type Watch<Request> = (intentId: string, request: Request, progress: Progress, inputOf: InputOf) => Watcher

/** The intent, or the run, whose execution this is. */
export function intentOf(executionArn: string): string {
  return intentIdOf(nameOf(executionArn))
}

export function nameOf(executionArn: string): string {
  return executionArn.slice(executionArn.lastIndexOf(':') + 1)
}

export function failureIn(event: WatchedEvent): { readonly error: string; readonly message: string } | undefined {
  const failure = failureOf(event)
  if (failure === undefined) return undefined
  const { error = 'unknown', cause = '' } = failure
  const message = parseObject(cause).errorMessage
  return { error, message: typeof message === 'string' ? message : '' }
}

/** The output of a state when it is left; empty where it has no output. */
export function reportOf({ stateExitedEventDetails }: WatchedEvent): Readonly<Record<string, unknown>> {
  return parseObject(stateExitedEventDetails?.output ?? '')
}

/** The object in a JSON text; empty where it holds no object. */
export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

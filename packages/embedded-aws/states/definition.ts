// Defines a parsed state machine, as the interpreter runs it. It has types only; definition-store.ts parses.
import type { Test } from './choice-rule.ts'
import type { Json } from './json.ts'
import type { Path } from './path.ts'
import type { Computed, PayloadTemplate } from './payload-template.ts'

/** States that lead to each other: a machine's, or those of a Map's iteration. */
export interface StateGraph {
  readonly startAt: string
  readonly states: ReadonlyMap<string, State>
}

export interface Definition extends StateGraph {
  readonly timeoutSeconds: number | undefined
}

export type State = TaskState | PassState | ChoiceState | WaitState | SucceedState | FailState | MapState
export type StateType = State['type']

/** The next state, or undefined at an end. */
export type Next = string | undefined

/** `null` discards the input or output. `undefined` is the default, `$`. */
export type Selection = Path | null | undefined

interface InputAndOutput {
  readonly name: string
  readonly inputPath: Selection
  readonly outputPath: Selection
}

/** A state that may fail, be retried and be caught. */
export interface Attempted extends InputAndOutput {
  readonly resultSelector: PayloadTemplate | undefined
  readonly resultPath: Selection
  readonly retry: readonly Retrier[]
  readonly catch: readonly Catcher[]
  readonly next: Next
}

/**
 * The kind of a Task. `function`: the resource is a function's ARN, and its answer is the result. `invoke`: the Lambda
 * integration. `invoke-and-wait`: the same, and then waits for the task token. `start`: starts an execution. `start-and-wait`:
 * starts an execution and waits for its end (`.sync:2`).
 */
export type TaskKind = 'function' | 'invoke' | 'invoke-and-wait' | 'start' | 'start-and-wait'

export interface TaskState extends Attempted {
  readonly type: 'Task'
  readonly call: TaskKind
  /** ARN of the function, or of the integration. */
  readonly resource: string
  readonly parameters: PayloadTemplate | undefined
  readonly timeoutSeconds: number | Path | undefined
  /** Set only where the Task waits for its task token. */
  readonly heartbeatSeconds: number | Path | undefined
}

/** An inline Map: its iterations are part of the execution and its history. */
export interface MapState extends Attempted {
  readonly type: 'Map'
  readonly itemsPath: Path | undefined
  readonly itemSelector: PayloadTemplate | undefined
  readonly processor: StateGraph
  readonly maxConcurrency: number
}

export interface Retrier {
  readonly errors: readonly string[]
  readonly intervalSeconds: number
  readonly maxAttempts: number
  readonly backoffRate: number
  readonly maxDelaySeconds: number | undefined
  readonly fullJitter: boolean
}

export interface Catcher {
  readonly errors: readonly string[]
  readonly resultPath: Selection
  readonly next: string
}

export interface PassState extends InputAndOutput {
  readonly type: 'Pass'
  readonly parameters: PayloadTemplate | undefined
  readonly result: Json | undefined
  readonly resultPath: Selection
  readonly next: Next
}

export interface ChoiceState extends InputAndOutput {
  readonly type: 'Choice'
  readonly choices: readonly { readonly test: Test; readonly next: string }[]
  readonly otherwise: string | undefined
}

export interface WaitState extends InputAndOutput {
  readonly type: 'Wait'
  readonly until:
    | { readonly seconds: number | Path }
    /** An RFC 3339 timestamp, or a path to one. */
    | { readonly timestamp: string | Path }
  readonly next: Next
}

export interface SucceedState extends InputAndOutput {
  readonly type: 'Succeed'
}

export interface FailState {
  readonly type: 'Fail'
  readonly name: string
  readonly error: string | Computed | undefined
  readonly cause: string | Computed | undefined
}

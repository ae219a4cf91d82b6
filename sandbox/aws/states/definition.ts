// A state machine after parsing: what the interpreter runs. Types only; see parse-definition.ts.
import type { Test } from './choice-rule.ts'
import type { Json } from './json.ts'
import type { Path } from './path.ts'
import type { Computed, PayloadTemplate } from './payload-template.ts'

export interface Definition {
  readonly startAt: string
  readonly states: ReadonlyMap<string, State>
  readonly timeoutSeconds: number | undefined
}

export type State = TaskState | PassState | ChoiceState | WaitState | SucceedState | FailState
export type StateType = State['type']

/** Where a state hands over: the next state, or undefined at an end. */
export type Next = string | undefined

/** `null` discards: no input, or no output. `undefined` is the default, `$`. */
export type Selection = Path | null | undefined

interface InputAndOutput {
  readonly name: string
  readonly inputPath: Selection
  readonly outputPath: Selection
}

export interface TaskState extends InputAndOutput {
  readonly type: 'Task'
  /** `function`: Resource is a function's ARN, and the result is its answer. `invoke`: the Lambda integration. */
  readonly call: 'function' | 'invoke'
  /** The function's ARN, or the integration's. */
  readonly resource: string
  readonly parameters: PayloadTemplate | undefined
  readonly resultSelector: PayloadTemplate | undefined
  readonly resultPath: Selection
  readonly timeoutSeconds: number | Path | undefined
  readonly retry: readonly Retrier[]
  readonly catch: readonly Catcher[]
  readonly next: Next
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
    /** An RFC 3339 timestamp, or where to find one. */
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

// Says what a row of steps.ts holds: everything in which one Lambda function differs from another.
import type { RetryProps } from 'aws-cdk-lib/aws-stepfunctions'
import type { Watched } from '../core/contract/alarms.ts'
import type { Environment } from '../core/contract/environment.ts'
import type { StateMachine } from '../core/contract/states.ts'
import type { KeyRole } from '../core/contract/treasury.ts'
import type { JournalAccess } from './journal-records.ts'

export type Variable = (typeof Environment)[keyof typeof Environment]

/** One right of a function. It brings along the variables by which the function knows what it may use. */
export type Right =
  | { readonly journal: JournalAccess }
  /** Reads the service with the key of this role, or also signs with it what moves money. */
  | { readonly key: KeyRole; readonly signs?: true }
  /** Executions of these state machines. */
  | { readonly starts: readonly StateMachine[] }
  | { readonly describes: readonly StateMachine[] }
  | { readonly lists: readonly StateMachine[] }
  /** Puts events of these detail types on the bus. */
  | { readonly tells: readonly string[] }

export interface Step {
  /** Description of the Lambda function. */
  readonly does: string
  readonly memoryMb: number
  readonly timeoutSeconds: number
  /** Beyond writing its own log, in the order of the statements of its role. */
  readonly may: readonly Right[]
  /** Variables that it needs and that no right brings along. */
  readonly knows: readonly Variable[]
  /** How often the states that call it are tried again; absent: no state machine calls it. */
  readonly retry?: RetryProps
  /** Rings when it fails; absent: `function-errors`, for all of them together. */
  readonly errorAlarm?: Watched
}

/** The right to the records of all of `parts`. */
export function journal(...parts: readonly JournalAccess[]): Right {
  const keysOf = (use: keyof JournalAccess) => parts.flatMap((part) => part[use] ?? [])
  return {
    journal: {
      reads: keysOf('reads'),
      writes: keysOf('writes'),
      writesNever: keysOf('writesNever'),
      lists: keysOf('lists'),
    },
  }
}

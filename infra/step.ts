// Defines a row of steps.ts, which holds everything in which one Lambda function differs from another.
import type { RetryProps } from 'aws-cdk-lib/aws-stepfunctions'
import type { Watched } from '../core/contract/alarms.ts'
import type { Environment } from '../core/contract/environment.ts'
import type { KeyRole } from '../core/contract/service-settings.ts'
import type { StateMachine } from '../core/contract/states.ts'
import type { JournalAccess } from './journal-records.ts'

export type Variable = (typeof Environment)[keyof typeof Environment]

/** One right of a function, and the variables by which the function knows what it may use. */
export type Right =
  | { readonly journal: JournalAccess }
  /** Reads the service with the key of this role. `signs`: may also sign with it for money. */
  | { readonly key: KeyRole; readonly signs?: true }
  /** Signs people's decisions, with a role that the policy of the key knows by its name. */
  | { readonly decisions: 'signs' }
  /** Starts executions of these state machines. */
  | { readonly starts: readonly StateMachine[] }
  /** Reads executions of these state machines. */
  | { readonly describes: readonly StateMachine[] }
  /** Lists executions of these state machines. */
  | { readonly lists: readonly StateMachine[] }
  /** Puts events of these detail types on the bus. */
  | { readonly publishes: readonly string[] }

export interface Step {
  /** Description of the Lambda function. */
  readonly does: string
  readonly memoryMb: number
  readonly timeoutSeconds: number
  /** Its rights beyond writing its own log, in the order of its role's statements. */
  readonly may: readonly Right[]
  /** Variables that it needs and no right brings along. */
  readonly knows: readonly Variable[]
  /** Retries of the states that call it; absent when no state machine calls it. */
  readonly retry?: RetryProps
  /** Alarm that rings when the function fails; absent for `function-errors`, the alarm of movements. */
  readonly errorAlarm?: Watched
}

/** The right to all records of `parts`. */
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

// Defines interfaces to start, find and list executions, so that a simulation can replace Step Functions. It starts
// nothing itself.
import type { StateMachine } from '../contract/states.ts'

export interface Start {
  readonly stateMachine: StateMachine
  /** Name of the execution. At most one execution ever starts under it. */
  readonly name: string
  readonly input: unknown
}

/**
 * `started`: it runs, started by this call or by an earlier call with the same input. `ended`: it was started with the
 * same input, and has ended. `other`: the name belongs to an execution with another input.
 */
export type Started = 'started' | 'ended' | 'other'

export interface Starter {
  /** Safe to repeat: a name starts at most once. @throws Transient, OwnFault, Defect */
  start(start: Start): Promise<Started>
}

export interface KnownExecution {
  /** The status in Step Functions: RUNNING, SUCCEEDED, FAILED, TIMED_OUT, ABORTED. */
  readonly status: string
  /** Epoch ms; undefined while it runs. */
  readonly stoppedAtMs: number | undefined
  /** JSON. */
  readonly input: string | undefined
  /** The named end with which it FAILED. */
  readonly error?: string | undefined
}

interface StoppedExecutions {
  readonly names: readonly string[]
  /** Whether there may be more. */
  readonly isCutOff: boolean
}

/**
 * Lists executions that somebody stopped, that timed out or failed: at most `limit` of each status, the latest starts first.
 * `sinceMs`: epoch ms; earlier ends are left out.
 * @throws Transient, OwnFault
 */
export type ListStopped = (stateMachine: StateMachine, sinceMs: number, limit: number) => Promise<StoppedExecutions>

/** Undefined where no execution has this name. @throws Transient, OwnFault, Defect */
export type FindExecution = (stateMachine: StateMachine, name: string) => Promise<KnownExecution | undefined>

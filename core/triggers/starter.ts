// What starts an execution: an interface, so that a simulation can stand in for Step Functions.
import type { StateMachine } from '../contract/states.ts'

export interface Start {
  readonly stateMachine: StateMachine
  /** Of the execution: at most one is ever started under it. */
  readonly name: string
  readonly input: unknown
}

/**
 * `started`: it is under way, by this call or by an earlier one with the same input. `ended`: it was started
 * with the same input, and has ended. `other`: the name belongs to an execution with another input.
 */
export type Started = 'started' | 'ended' | 'other'

export interface Starter {
  /** Safe to call again: a name starts once. @throws Transient, Defect */
  start(start: Start): Promise<Started>
}

/** What is known of an execution. */
export interface KnownExecution {
  /** As Step Functions has it: RUNNING, SUCCEEDED, FAILED, TIMED_OUT, ABORTED. */
  readonly status: string
  /** Epoch ms; undefined while it is under way. */
  readonly stoppedAtMs: number | undefined
  /** JSON. */
  readonly input: string | undefined
}

export interface StoppedExecutions {
  readonly names: readonly string[]
  /** Whether there may be more. */
  readonly isCutOff: boolean
}

/**
 * Executions that somebody stopped, or that timed out, at most `limit` of each, those that began last. `sinceMs`: epoch ms;
 * what ended before is left out. @throws Transient, OwnFault
 */
export type ListStopped = (stateMachine: StateMachine, sinceMs: number, limit: number) => Promise<StoppedExecutions>

/** Undefined where none of this name is known. @throws Transient, Defect */
export type FindExecution = (stateMachine: StateMachine, name: string) => Promise<KnownExecution | undefined>

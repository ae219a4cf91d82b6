// Rules of an event bus after reading: the events that they accept, and their targets. Types only; see
// assembly/read-events.ts.
import type { RetryPolicy, TargetPlace } from '../delivery/delivery.ts'
import type { EventPattern } from './event-pattern.ts'
import type { TargetInput } from './target-input.ts'

export interface EventBus {
  readonly name: string
  readonly arn: string
}

export interface Rule {
  readonly name: string
  readonly arn: string
  /** The bus's name. */
  readonly bus: string
  readonly isEnabled: boolean
  readonly matches: EventPattern
  readonly targets: readonly RuleTarget[]
}

export interface RuleTarget extends TargetPlace, RetryPolicy {
  readonly input: TargetInput
}

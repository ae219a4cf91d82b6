// Defines one delivery of a rule or schedule to a target: the target, its payload, the retry policy, and the
// dead-letter queue. Types only. The delivery stores everything that matters, so a later assembly does not change it.

export interface RetryPolicy {
  readonly maxRetries: number
  readonly maxAgeSeconds: number
}

export interface TargetPlace {
  /** ARN of a function, a state machine or a queue. */
  readonly targetArn: string
  /** Role that starts a state machine. Functions have their own permissions for rules. */
  readonly roleArn: string | undefined
  /** ARN of a queue. */
  readonly deadLetterArn: string | undefined
}

export interface Delivery extends TargetPlace {
  readonly source: 'rule' | 'schedule'
  /** ARN of the rule or the schedule. */
  readonly sourceArn: string
  /** JSON text; undefined when the event could not become JSON. */
  readonly payload: string | undefined
  /** The whole event, for the dead letter of a rule. */
  readonly original: string
  /** Fixed name, so that a repeated delivery starts the same execution again. */
  readonly executionName: string
  /** ISO time; set for a schedule. */
  readonly scheduledTime?: string
}

/** The attempt that a test's hook sees. */
export interface DeliveryAttempt {
  readonly sourceArn: string
  readonly targetArn: string
  readonly payload: string | undefined
  /** Counts from 1. */
  readonly attempt: number
}

export type DeliveryVerdict =
  /** Delivered twice, because both sources deliver at least once. */
  | 'twice'
  /** An error in place of a delivery. The delivery is retried by its policy. */
  | { readonly errorCode: string }

export type DeliveryHook = (attempt: DeliveryAttempt) => DeliveryVerdict | undefined

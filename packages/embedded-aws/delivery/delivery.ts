// One delivery of a rule or a schedule to a target: where it goes, what the target is given, how long that is
// tried, and where it ends up if it fails. Types only. Everything that counts is written down with it, so
// that a delivery goes on as it was promised also after the assembly has changed.

export interface RetryPolicy {
  readonly maxRetries: number
  readonly maxAgeSeconds: number
}

export interface TargetPlace {
  /** Of a function, a state machine or a queue. */
  readonly targetArn: string
  /** In whose name a state machine is started; functions have permissions of their own for rules. */
  readonly roleArn: string | undefined
  /** Of a queue. */
  readonly deadLetterArn: string | undefined
}

export interface Delivery extends TargetPlace {
  readonly source: 'rule' | 'schedule'
  /** Of the rule or the schedule. */
  readonly sourceArn: string
  /** JSON text; undefined where the event could not be made into it. */
  readonly payload: string | undefined
  /** What a dead letter of a rule holds: the whole event. */
  readonly original: string
  /** A delivery that is done again starts the same execution, not another one. */
  readonly executionName: string
  /** ISO, of a schedule. */
  readonly scheduledTime?: string
}

/** What a test sees of each attempt, and may do to it. */
export interface DeliveryAttempt {
  readonly sourceArn: string
  readonly targetArn: string
  readonly payload: string | undefined
  /** From 1. */
  readonly attempt: number
}

export type DeliveryVerdict =
  /** Delivered, and once more: both sources are at-least-once. */
  | 'twice'
  /** Not delivered; tried again as its policy says. */
  | { readonly errorCode: string }

export type DeliveryHook = (attempt: DeliveryAttempt) => DeliveryVerdict | undefined

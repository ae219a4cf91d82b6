// Delivers what rules and schedules have accepted. It invokes a function asynchronously, starts an execution or sends
// to a queue, retries by the target's policy, and finally writes a dead letter. A delivery stores everything that
// matters, so a later assembly does not change it.
// Source: Amazon EventBridge User Guide, "Retrying event delivery" and "Dead-letter queues"; EventBridge Scheduler User
// Guide, "Dead-letter queue".
import { createHash } from 'node:crypto'
import { AwsError } from '../aws-error.ts'
import type { AwsClock } from '../clock.ts'
import type { Disk } from '../disk.ts'
import type { MessageAttribute } from '../sqs/queue-store.ts'
import { type Exhausted, type Failure, type Job, Outbox } from './outbox.ts'

export interface DeliveriesOptions {
  readonly file: string
  /** Default: DURABLE. */
  readonly disk?: Disk
  readonly clock: AwsClock
  readonly random: () => number
  readonly newId: () => string
  readonly hook: DeliveryHook | undefined
  /** Default: see outbox.ts. */
  readonly mostPending?: number
  /** Hands an invocation to the function's own queue, which then owns it. */
  readonly invokeLater: (functionArn: string, payload: string) => void
  /** Throws AwsError. If an execution of this name exists, an earlier attempt has started it. */
  readonly startExecution: (stateMachineArn: string, name: string, input: string) => void
  /** Sends to a target queue. Throws AwsError. */
  readonly enqueue: (queueArn: string, body: string) => void
  /** Writes a dead letter. */
  readonly sendMessage: (queueArn: string, body: string, attributes: Readonly<Record<string, MessageAttribute>>) => void
}

/** EventBridge retries up to 185 times in 24 hours with growing delays. These are similar. */
const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 480_000

export class Deliveries {
  readonly #options: DeliveriesOptions
  readonly #outbox: Outbox<Delivery>

  constructor(options: DeliveriesOptions) {
    this.#options = options
    this.#outbox = new Outbox({
      file: options.file,
      ...(options.disk !== undefined && { disk: options.disk }),
      clock: options.clock,
      newId: options.newId,
      mostPending: options.mostPending,
      attempt: (job) => this.#attempt(job),
      giveUp: (job, failure, exhausted) => this.#writeDeadLetter(job, failure, exhausted),
      backoffMs: (failures) => {
        const grownMs = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_DELAY_MS)
        // Half of the delay is jitter.
        return grownMs * (0.5 + options.random() / 2)
      },
    })
  }

  /**
   * Accepts the deliveries. They are on disk together when this returns. Throws ThrottlingException when too many are
   * pending.
   */
  put(deliveries: readonly (Delivery & RetryPolicy & { readonly acceptedMs?: number })[]): void {
    this.#outbox.put(
      deliveries.map(({ acceptedMs, maxAgeSeconds, maxRetries, ...work }) => ({
        maxRetries,
        maxAgeMs: maxAgeSeconds * 1000,
        work,
        ...(acceptedMs !== undefined && { acceptedMs }),
      })),
    )
  }

  resume(): void {
    this.#outbox.resume()
  }

  halt(): void {
    this.#outbox.halt()
  }

  untilEmpty(): Promise<void> {
    return this.#outbox.untilEmpty()
  }

  async #attempt({ failures, id, work }: Job<Delivery>): Promise<Failure | undefined> {
    const attempt = failures + 1
    const { sourceArn, targetArn } = work
    const payload = payloadOf(work, id, attempt)
    if (payload === undefined) {
      return { code: 'INVALID_JSON', message: 'the template does not make JSON of this event', isFinal: true }
    }
    const verdict = this.#options.hook?.({ sourceArn, targetArn, payload, attempt })
    if (typeof verdict === 'object') return { code: verdict.errorCode, message: 'injected', isFinal: false }
    try {
      this.#deliver(work, payload, '')
      if (verdict === 'twice') this.#deliver(work, payload, '-again')
      return undefined
    } catch (error) {
      if (error instanceof AwsError)
        return { ...(FAILURES[error.name] ?? { code: 'ERROR_FROM_TARGET', isFinal: false }), message: error.message }
      throw error
    }
  }

  #deliver({ executionName, targetArn }: Delivery, payload: string, suffix: string): void {
    const service = targetArn.split(':')[2]
    if (service === 'lambda') this.#options.invokeLater(targetArn, payload)
    else if (service === 'sqs') this.#options.enqueue(targetArn, payload)
    else this.#options.startExecution(targetArn, `${executionName}${suffix}`, payload)
  }

  #writeDeadLetter({ failures, id, work }: Job<Delivery>, failure: Failure, exhausted: Exhausted): void {
    if (work.deadLetterArn === undefined) return
    const { original, scheduledTime, source, sourceArn, targetArn } = work
    const attempt = failures + 1
    const common = {
      ERROR_CODE: failure.code,
      ERROR_MESSAGE: failure.message,
      TARGET_ARN: targetArn,
      RETRY_ATTEMPTS: String(failures),
      ...(exhausted !== undefined && { EXHAUSTED_RETRY_CONDITION: exhausted }),
    }
    if (source === 'rule') {
      this.#options.sendMessage(work.deadLetterArn, original, attributesOf({ ...common, RULE_ARN: sourceArn }))
      return
    }
    const attributes = {
      ...common,
      SCHEDULE_ARN: sourceArn,
      EXECUTION_ID: executionId(id, attempt),
      SCHEDULED_TIME: scheduledTime ?? '',
      IS_PAYLOAD_TRUNCATED: 'false',
    }
    const body = payloadOf(work, id, attempt) ?? original
    this.#options.sendMessage(work.deadLetterArn, body, attributesOf(attributes))
  }
}

/** Fills in the schedule's two context attributes that depend on the attempt. */
function payloadOf({ payload, source }: Delivery, id: string, attempt: number): string | undefined {
  if (source === 'rule' || payload === undefined) return payload
  return payload
    .replaceAll('<aws.scheduler.execution-id>', executionId(id, attempt))
    .replaceAll('<aws.scheduler.attempt-number>', String(attempt))
}

/** Returns an id that differs for each attempt, as on AWS. */
function executionId(id: string, attempt: number): string {
  return createHash('sha256').update(`${id}.${attempt}`).digest('hex').slice(0, 16)
}

/** EventBridge's names for the errors of targets, and whether a retry is useless. */
const FAILURES: Readonly<Record<string, { readonly code: string; readonly isFinal: boolean }>> = {
  AccessDeniedException: { code: 'NO_PERMISSIONS', isFinal: true },
  ResourceNotFoundException: { code: 'NO_RESOURCE', isFinal: true },
  StateMachineDoesNotExist: { code: 'NO_RESOURCE', isFinal: true },
  InvalidExecutionInput: { code: 'INVALID_PARAMETER', isFinal: true },
  ValidationException: { code: 'INVALID_PARAMETER', isFinal: true },
  InvalidName: { code: 'INVALID_PARAMETER', isFinal: true },
  ThrottlingException: { code: 'THROTTLING', isFinal: false },
}

function attributesOf(texts: Readonly<Record<string, string>>): Readonly<Record<string, MessageAttribute>> {
  return Object.fromEntries(
    Object.entries(texts)
      // A queue refuses an empty attribute.
      .filter(([, text]) => text !== '')
      .map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
  )
}

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

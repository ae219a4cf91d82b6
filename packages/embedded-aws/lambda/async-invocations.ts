// Asynchronous invocations: a function's own queue. A failed event is retried by the settings of the function, not of
// the sender, and finally goes to the function's on-failure queue.
// Source: AWS Lambda Developer Guide, "How Lambda handles errors and retries with asynchronous invocation".
import type { AwsClock } from '../clock.ts'
import { type Exhausted, type Failure, type Job, Outbox } from '../delivery/outbox.ts'
import type { Disk } from '../disk.ts'
import type { MessageAttribute } from '../sqs/queue-store.ts'
import type { Invocation } from '../states/run.ts'

/** From AWS::Lambda::EventInvokeConfig and the function's DeadLetterConfig. */
export interface AsyncSettings {
  readonly maxRetries: number
  readonly maxAgeSeconds: number
  /** Queue for a record of a failed event. */
  readonly onFailureArn: string | undefined
  /** Queue for the failed event alone. */
  readonly deadLetterArn: string | undefined
}

/** AWS's defaults: two retries, one and two minutes after a failure, within six hours. */
export const ASYNC_DEFAULTS: AsyncSettings = {
  maxRetries: 2,
  maxAgeSeconds: 21_600,
  onFailureArn: undefined,
  deadLetterArn: undefined,
}
const FIRST_DELAY_MS = 60_000

export interface AsyncInvocation {
  readonly functionArn: string
  /** JSON text. */
  readonly payload: string
  readonly onFailureArn: string | undefined
  readonly deadLetterArn: string | undefined
}

/** A failed attempt, which may be retried. */
export interface FailedInvocation {
  readonly functionArn: string
  /** JSON text. */
  readonly payload: string
  /** Queue for a record after the last attempt. */
  readonly onFailureArn: string | undefined
  readonly errorType: string
  readonly errorMessage: string
}

export interface AsyncInvocationsOptions {
  readonly file: string
  /** Default: DURABLE. */
  readonly disk?: Disk
  readonly clock: AwsClock
  readonly newId: () => string
  readonly settingsOf: (functionArn: string) => AsyncSettings
  readonly invoke: (functionArn: string, payload: string) => Promise<Invocation>
  /** Called for each failed attempt. */
  readonly onFailure?: ((failed: FailedInvocation) => void) | undefined
  readonly sendMessage: (queueArn: string, body: string, attributes: Readonly<Record<string, MessageAttribute>>) => void
}

export class AsyncInvocations {
  readonly #options: AsyncInvocationsOptions
  readonly #outbox: Outbox<AsyncInvocation>

  constructor(options: AsyncInvocationsOptions) {
    this.#options = options
    this.#outbox = new Outbox({
      file: options.file,
      ...(options.disk !== undefined && { disk: options.disk }),
      clock: options.clock,
      newId: options.newId,
      attempt: ({ work }) => this.#attempt(work),
      giveUp: (job, failure, exhausted) => this.#report(job, failure, exhausted),
      backoffMs: (failures) => FIRST_DELAY_MS * failures,
    })
  }

  /**
   * Accepts an invocation, which is on disk when this returns. Throws ThrottlingException when too many are pending.
   */
  put(functionArn: string, payload: string): void {
    const { maxAgeSeconds, maxRetries, ...queues } = this.#options.settingsOf(functionArn)
    this.#outbox.put([{ maxRetries, maxAgeMs: maxAgeSeconds * 1000, work: { functionArn, payload, ...queues } }])
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

  async #attempt({ functionArn, onFailureArn, payload }: AsyncInvocation): Promise<Failure | undefined> {
    const failure = failureOf(await this.#options.invoke(functionArn, payload))
    if (failure !== undefined) {
      const { code: errorType, message: errorMessage } = failure
      this.#options.onFailure?.({ functionArn, payload, onFailureArn, errorType, errorMessage })
    }
    return failure
  }

  #report({ failures, id, work }: Job<AsyncInvocation>, failure: Failure, exhausted: Exhausted): void {
    const { deadLetterArn, functionArn, onFailureArn, payload } = work
    if (deadLetterArn !== undefined) {
      const texts = { RequestID: id, ErrorCode: '200', ErrorMessage: failure.message.slice(0, 1024) }
      const attributes = Object.entries(texts).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }])
      this.#options.sendMessage(deadLetterArn, payload, Object.fromEntries(attributes))
    }
    if (onFailureArn === undefined) return
    const record = {
      version: '1.0',
      timestamp: new Date(this.#options.clock.nowMs()).toISOString(),
      requestContext: {
        requestId: id,
        functionArn: `${functionArn}:$LATEST`,
        condition: exhausted === 'MaximumEventAgeInSeconds' ? 'EventAgeExceeded' : 'RetriesExhausted',
        approximateInvokeCount: failures + 1,
      },
      requestPayload: JSON.parse(payload),
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      responsePayload: { errorType: failure.code, errorMessage: failure.message },
    }
    this.#options.sendMessage(onFailureArn, JSON.stringify(record), {})
  }
}

function failureOf(invocation: Invocation): Failure | undefined {
  if (invocation.kind === 'answered') return undefined
  if (invocation.kind === 'timed-out') return { code: 'Sandbox.Timedout', message: 'no answer', isFinal: false }
  return { code: invocation.error, message: messageOf(invocation.cause), isFinal: false }
}

/** Returns the message in the cause of a failed invocation, which is JSON by Lambda. */
export function messageOf(cause: string): string {
  const { errorMessage }: { readonly errorMessage?: unknown } = JSON.parse(cause)
  return String(errorMessage ?? cause)
}

// Invocations that nobody waits for: a function's own queue. An event that fails is tried again by
// the function's settings, whoever sent it, and goes to its on-failure queue in the end.
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
  /** Queue for a record of what failed. */
  readonly onFailureArn: string | undefined
  /** Queue for the event alone. */
  readonly deadLetterArn: string | undefined
}

/** AWS: two retries, a minute and two minutes after a failure, and six hours at most. */
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

/** An attempt that failed: it may be tried again. */
export interface FailedInvocation {
  readonly functionArn: string
  /** JSON text. */
  readonly payload: string
  /** Where a record of it will be kept once it is given up. */
  readonly onFailureArn: string | undefined
  readonly errorType: string
  readonly errorMessage: string
}

export interface AsyncInvocationsOptions {
  readonly file: string
  /** Default: the durable one. */
  readonly disk?: Disk
  readonly clock: AwsClock
  readonly newId: () => string
  readonly settingsOf: (functionArn: string) => AsyncSettings
  readonly invoke: (functionArn: string, payload: string) => Promise<Invocation>
  /** Each attempt that fails. */
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
      giveUp: (job, failure, exhausted) => this.#tell(job, failure, exhausted),
      backoffMs: (failures) => FIRST_DELAY_MS * failures,
    })
  }

  /** Written down when this returns. Throws ThrottlingException when too much is pending. */
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

  #tell({ failures, id, work }: Job<AsyncInvocation>, failure: Failure, exhausted: Exhausted): void {
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

/** The cause of a failed invocation is Lambda's own JSON. */
export function messageOf(cause: string): string {
  const { errorMessage }: { readonly errorMessage?: unknown } = JSON.parse(cause)
  return String(errorMessage ?? cause)
}

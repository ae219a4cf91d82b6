// Passes a queue's messages to a function in batches, as Lambda's pollers do. Messages that the function handled are
// deleted. Failed ones are hidden for the queue's time and passed again, until the queue gives them up. A kill between
// the answer and the deletion passes a message again.
// Source: AWS Lambda Developer Guide, "Using Lambda with Amazon SQS", and "Handling errors for an SQS event source".
import { createHash } from 'node:crypto'
import type { AwsClock } from '../clock.ts'
import { isObject } from '../fields.ts'
import type { Invocation } from '../states/run.ts'
import type { QueueStore, ReceivedMessage } from './queue-store.ts'

/** An event source mapping, as its template declares it. */
export interface EventSourceDefinition {
  readonly queueArn: string
  readonly functionArn: string
  readonly batchSize: number
  /** Maximum concurrent batches; undefined for AWS's initial number. */
  readonly mostAtOnce: number | undefined
  /** Whether the function reports the failed messages of a batch. */
  readonly reportsItems: boolean
}

export interface EventSourceOptions {
  readonly definition: EventSourceDefinition
  readonly queue: QueueStore
  readonly region: string
  readonly clock: AwsClock
  readonly invoke: (functionArn: string, payload: string) => Promise<Invocation>
  /** Checks a permission of the function's role, with which Lambda polls. Throws AwsError. */
  readonly authorise: (action: string, resource: string) => void
}

/** AWS's number of pollers for a mapping without another bound. */
const DEFAULT_AT_ONCE = 5

export class EventSource {
  readonly #options: EventSourceOptions
  readonly #stop = new AbortController()
  readonly #pending = new Set<Promise<void>>()
  #batches = 0

  constructor(options: EventSourceOptions) {
    this.#options = options
  }

  /** Starts passing messages: those in the queue, and later ones. */
  start(): void {
    this.#options.queue.onMessage(() => this.#poll())
    this.#poll()
  }

  /** Resolves when no message waits: each was handled, or its retries have ended. */
  async untilEmpty(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending)
  }

  /** Stops. Messages stay in the queue. */
  halt(): void {
    this.#stop.abort(new Error('the embedded AWS stopped'))
  }

  #poll(): void {
    const { authorise, definition, queue } = this.#options
    const { batchSize, mostAtOnce = DEFAULT_AT_ONCE, queueArn } = definition
    while (!this.#stop.signal.aborted && this.#batches < mostAtOnce) {
      for (const action of ['sqs:GetQueueAttributes', 'sqs:ReceiveMessage']) authorise(action, queueArn)
      const batch = queue.receive(batchSize, undefined)
      if (batch.length === 0) return
      this.#batches += 1
      this.#track(this.#handOver(batch))
    }
  }

  async #handOver(batch: readonly ReceivedMessage[]): Promise<void> {
    const { authorise, clock, definition, invoke, queue } = this.#options
    const { functionArn, queueArn, reportsItems } = definition
    const hiddenUntilMs = clock.nowMs() + queue.definition.visibilityTimeoutSeconds * 1000
    const answer = await invoke(functionArn, JSON.stringify({ Records: batch.map((message) => this.#record(message)) }))
    this.#stop.signal.throwIfAborted()
    const failed = failedOf(batch, answer, reportsItems)
    for (const { id, receiptHandle } of batch) {
      if (failed.has(id)) continue
      authorise('sqs:DeleteMessage', queueArn)
      queue.delete(receiptHandle)
    }
    this.#batches -= 1
    if (failed.size > 0) this.#track(this.#pollAt(hiddenUntilMs))
    this.#poll()
  }

  async #pollAt(atMs: number): Promise<void> {
    const { clock } = this.#options
    await clock.sleep(Math.max(0, atMs - clock.nowMs()), this.#stop.signal)
    this.#poll()
  }

  #track(promise: Promise<void>): void {
    const work: Promise<void> = promise.catch((error: unknown) => {
      // Any error other than the process's end is a bug of this program, and must not count as a delivery.
      if (!this.#stop.signal.aborted) throw error
    })
    this.#pending.add(work)
    void work.finally(() => this.#pending.delete(work))
  }

  #record({ attributes, body, id, receiptHandle, receiveCount, sentMs }: ReceivedMessage): object {
    const { definition, region } = this.#options
    return {
      messageId: id,
      receiptHandle,
      body,
      attributes: { ApproximateReceiveCount: String(receiveCount), SentTimestamp: String(sentMs) },
      messageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
          name,
          { dataType: DataType, stringValue: StringValue, binaryValue: BinaryValue },
        ]),
      ),
      md5OfBody: createHash('md5').update(body).digest('hex'),
      eventSource: 'aws:sqs',
      eventSourceARN: definition.queueArn,
      awsRegion: region,
    }
  }
}

/** Returns the ids of messages to pass again. An unreadable answer means all of them, as on AWS. */
function failedOf(batch: readonly ReceivedMessage[], answer: Invocation, reportsItems: boolean): ReadonlySet<string> {
  const all = new Set(batch.map(({ id }) => id))
  if (answer.kind !== 'answered') return all
  if (!reportsItems) return new Set()
  const answered: unknown = JSON.parse(answer.payload)
  const failures = isObject(answered) ? (answered.batchItemFailures ?? []) : []
  if (!Array.isArray(failures)) return all
  const failed = failures.map((message: unknown) => (isObject(message) ? message.itemIdentifier : undefined))
  return failed.every((id) => typeof id === 'string' && all.has(id)) ? new Set(failed.map(String)) : all
}

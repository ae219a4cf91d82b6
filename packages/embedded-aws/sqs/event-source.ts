// Hands the messages of a queue to a function, in batches, as Lambda's pollers do. What the function has taken is deleted; what
// it failed on is hidden for the queue's time and then handed over again, until the queue gives it up. It decides nothing
// about a message. A kill between the function's answer and the deletion hands the message over again.
// Source: AWS Lambda Developer Guide, "Using Lambda with Amazon SQS", and "Handling errors for an SQS event source".
import { createHash } from 'node:crypto'
import type { AwsClock } from '../clock.ts'
import { isObject } from '../fields.ts'
import type { Invocation } from '../states/run.ts'
import type { QueueStore, ReceivedMessage } from './queue-store.ts'

/** From the template. */
export interface EventSourceDefinition {
  readonly queueArn: string
  readonly functionArn: string
  readonly batchSize: number
  /** Batches at once; undefined: as many as AWS begins with. */
  readonly mostAtOnce: number | undefined
  /** Whether the function says which messages of a batch it failed on. */
  readonly reportsItems: boolean
}

export interface EventSourceOptions {
  readonly definition: EventSourceDefinition
  readonly queue: QueueStore
  readonly region: string
  readonly clock: AwsClock
  readonly invoke: (functionArn: string, payload: string) => Promise<Invocation>
  /** Lambda polls in the name of the function's role. Throws AwsError. */
  readonly authorise: (action: string, resource: string) => void
}

/** AWS: pollers of a mapping that has no other bound. */
const DEFAULT_AT_ONCE = 5

export class EventSource {
  readonly #options: EventSourceOptions
  readonly #stop = new AbortController()
  readonly #owed = new Set<Promise<void>>()
  #batches = 0

  constructor(options: EventSourceOptions) {
    this.#options = options
  }

  /** From now on whatever comes into the queue is handed over, and what is in it. */
  start(): void {
    this.#options.queue.onMessage(() => this.#poll())
    this.#poll()
  }

  /** Resolves once nothing waits: each message was taken or given up. */
  async untilEmpty(): Promise<void> {
    while (this.#owed.size > 0) await Promise.all(this.#owed)
  }

  /** What is in the queue stays there. */
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
      this.#owe(this.#handOver(batch))
    }
  }

  async #handOver(batch: readonly ReceivedMessage[]): Promise<void> {
    const { authorise, clock, definition, invoke, queue } = this.#options
    const { functionArn, queueArn, reportsItems } = definition
    const hiddenUntilMs = clock.nowMs() + queue.definition.visibilityTimeoutSeconds * 1000
    const answer = await invoke(functionArn, JSON.stringify({ Records: batch.map((each) => this.#record(each)) }))
    this.#stop.signal.throwIfAborted()
    const failed = failedOf(batch, answer, reportsItems)
    for (const { id, receiptHandle } of batch) {
      if (failed.has(id)) continue
      authorise('sqs:DeleteMessage', queueArn)
      queue.delete(receiptHandle)
    }
    this.#batches -= 1
    if (failed.size > 0) this.#owe(this.#pollAt(hiddenUntilMs))
    this.#poll()
  }

  async #pollAt(atMs: number): Promise<void> {
    const { clock } = this.#options
    await clock.sleep(Math.max(0, atMs - clock.nowMs()), this.#stop.signal)
    this.#poll()
  }

  #owe(given: Promise<void>): void {
    const work: Promise<void> = given.catch((error: unknown) => {
      // Anything but the end of the process is a bug of this program, and must not pass for a delivery.
      if (!this.#stop.signal.aborted) throw error
    })
    this.#owed.add(work)
    void work.finally(() => this.#owed.delete(work))
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

/** Ids of the messages to be handed over again: all of them where the answer cannot be read, as on AWS. */
function failedOf(batch: readonly ReceivedMessage[], answer: Invocation, reportsItems: boolean): ReadonlySet<string> {
  const all = new Set(batch.map(({ id }) => id))
  if (answer.kind !== 'answered') return all
  if (!reportsItems) return new Set()
  const answered: unknown = JSON.parse(answer.payload)
  const failures = isObject(answered) ? (answered.batchItemFailures ?? []) : []
  if (!Array.isArray(failures)) return all
  const failed = failures.map((each: unknown) => (isObject(each) ? each.itemIdentifier : undefined))
  return failed.every((id) => typeof id === 'string' && all.has(id)) ? new Set(failed.map(String)) : all
}

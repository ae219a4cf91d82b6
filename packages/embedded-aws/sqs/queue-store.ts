// The messages of a queue, in their own file: on disk before the sender gets an answer, and gone when deleted or older
// than the retention time. Only memory knows who received a message, so after a start every message is visible.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { AwsError } from '../aws-error.ts'
import type { AwsClock } from '../clock.ts'
import { type Disk, DURABLE } from '../disk.ts'
import { isObject } from '../fields.ts'
import { parseStoredLines, readOwnText } from '../own-file.ts'

/** A queue, as its template declares it. */
export interface QueueDefinition {
  readonly name: string
  readonly arn: string
  readonly visibilityTimeoutSeconds: number
  readonly retentionSeconds: number
  /** Where a message goes that was received this often without being deleted. Absent: nowhere. */
  readonly redrive?: { readonly deadLetterArn: string; readonly mostReceives: number } | undefined
}

export interface MessageAttribute {
  readonly DataType: string
  readonly StringValue?: string
  readonly BinaryValue?: string
}

export interface QueueMessage {
  readonly id: string
  readonly body: string
  readonly attributes: Readonly<Record<string, MessageAttribute>>
  readonly sentMs: number
}

export interface ReceivedMessage extends QueueMessage {
  readonly receiptHandle: string
  readonly receiveCount: number
}

interface Held {
  readonly message: QueueMessage
  receiveCount: number
  receiptHandle?: string
  visibleMs: number
}

type Line = { readonly message: QueueMessage } | { readonly deleted: string }

/** Maximum messages of a queue, which a person reads or a function empties. */
const MOST_MESSAGES = 10_000
/** AWS's maximum bytes of a message with its attributes. */
const MOST_BYTES = 262_144

export class QueueStore {
  readonly definition: QueueDefinition
  readonly #file: string
  readonly #clock: AwsClock
  readonly #newId: () => string
  readonly #disk: Disk
  readonly #held: Map<string, Held>
  #deadLetters: QueueStore | undefined
  #onMessage: () => void = () => undefined

  constructor(
    directory: string,
    definition: QueueDefinition,
    clock: AwsClock,
    newId: () => string,
    disk: Disk = DURABLE,
  ) {
    const unique = createHash('sha256').update(definition.name).digest('hex').slice(0, 16)
    this.#file = path.join(directory, `${definition.name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}.${unique}.jsonl`)
    this.definition = definition
    this.#clock = clock
    this.#newId = newId
    this.#disk = disk
    // Read at the start, when a damaged file can still be refused.
    this.#held = this.#read()
  }

  /** Returns the message's id. Throws InvalidParameterValue or OverLimit. */
  send(body: string, attributes: QueueMessage['attributes']): string {
    const size = Buffer.byteLength(body) + Buffer.byteLength(JSON.stringify(attributes))
    if (size > MOST_BYTES) {
      throw new AwsError('InvalidParameterValue', `One or more parameters are invalid: more than ${MOST_BYTES} bytes.`)
    }
    if (this.#messages().size >= MOST_MESSAGES) {
      throw new AwsError('OverLimit', `the embedded AWS keeps ${MOST_MESSAGES} messages in a queue`)
    }
    const message = { id: this.#newId(), body, attributes, sentMs: this.#clock.nowMs() }
    this.#keep(message)
    return message.id
  }

  /** Sets the queue that the redrive policy names. */
  redriveTo(deadLetters: QueueStore): void {
    this.#deadLetters = deadLetters
  }

  /** Calls `listener` for each new message. It must not throw. */
  onMessage(listener: () => void): void {
    this.#onMessage = listener
  }

  /** Returns up to `most` visible messages, oldest first, and hides them for a time. */
  receive(most: number, visibilityTimeoutSeconds: number | undefined): readonly ReceivedMessage[] {
    const nowMs = this.#clock.nowMs()
    const hiddenMs = (visibilityTimeoutSeconds ?? this.definition.visibilityTimeoutSeconds) * 1000
    const isVisible = (held: Held) => held.visibleMs <= nowMs
    for (const held of this.#messages().values()) if (isVisible(held) && this.#isSpent(held)) this.#giveUp(held)
    const visible = [...this.#messages().values()].filter(isVisible).slice(0, most)
    return visible.map((held) => {
      held.receiveCount += 1
      held.visibleMs = nowMs + hiddenMs
      const receiptHandle = `${held.message.id}.${held.receiveCount}`
      held.receiptHandle = receiptHandle
      return { ...held.message, receiptHandle, receiveCount: held.receiveCount }
    })
  }

  /** Deletes a message. Does nothing if it is gone already. Throws ReceiptHandleIsInvalid. */
  delete(receiptHandle: string): void {
    if (!/.\.\d+$/.test(receiptHandle))
      throw new AwsError('ReceiptHandleIsInvalid', 'The input receipt handle is invalid.')
    const held = this.#findReceived(receiptHandle)
    if (held !== undefined) this.#remove(held.message.id)
  }

  /** Hides a received message for this long from now on. Throws MessageNotInflight or ReceiptHandleIsInvalid. */
  changeVisibility(receiptHandle: string, seconds: number): void {
    const held = this.#findReceived(receiptHandle)
    if (held === undefined) throw new AwsError('ReceiptHandleIsInvalid', 'The input receipt handle is invalid.')
    const nowMs = this.#clock.nowMs()
    if (held.visibleMs <= nowMs) throw new AwsError('MessageNotInflight', 'The message is not in flight.')
    held.visibleMs = nowMs + seconds * 1000
  }

  /** Returns all messages, oldest first, without receiving them. */
  messages(): readonly QueueMessage[] {
    return [...this.#messages().values()].map((held) => held.message)
  }

  visibleCount(): number {
    const nowMs = this.#clock.nowMs()
    return [...this.#messages().values()].filter((held) => held.visibleMs <= nowMs).length
  }

  #messages(): Map<string, Held> {
    const keptFromMs = this.#clock.nowMs() - this.definition.retentionSeconds * 1000
    for (const { message } of this.#held.values()) {
      // Messages are in the order of arrival. One from another queue may be older than its position.
      if (message.sentMs >= keptFromMs) break
      this.#remove(message.id)
    }
    return this.#held
  }

  #findReceived(receiptHandle: string): Held | undefined {
    const held = this.#messages().get(receiptHandle.slice(0, receiptHandle.lastIndexOf('.')))
    return held?.receiptHandle === receiptHandle ? held : undefined
  }

  #isSpent({ receiveCount }: Held): boolean {
    const { redrive } = this.definition
    return redrive !== undefined && receiveCount >= redrive.mostReceives
  }

  /** Writes the dead letter first. A kill in between leaves the message in both queues. */
  #giveUp({ message }: Held): void {
    if (this.#deadLetters !== undefined) this.#deadLetters.#keep(message)
    this.#remove(message.id)
  }

  #keep(message: QueueMessage): void {
    this.#disk.makeFolder(path.dirname(this.#file))
    this.#append({ message })
    this.#messages().set(message.id, heldOf(message))
    this.#onMessage()
  }

  #remove(id: string): void {
    this.#append({ deleted: id })
    this.#held.delete(id)
  }

  #read(): Map<string, Held> {
    const held = new Map<string, Held>()
    if (!existsSync(this.#file)) return held
    const lines = parseStoredLines(readOwnText(this.#file), this.#file, isLine, REMEDY)
    for (const line of lines) {
      if ('message' in line) held.set(line.message.id, heldOf(line.message))
      else held.delete(line.deleted)
    }
    const kept = [...held.values()].map(({ message }) => `${JSON.stringify({ message })}\n`)
    this.#disk.replace(this.#file, kept.join(''))
    return held
  }

  #append(line: Line): void {
    this.#disk.append(this.#file, `${JSON.stringify(line)}\n`)
  }
}

const REMEDY = 'remove that line; its message is lost'

function isLine(value: unknown): value is Line {
  if (!isObject(value)) return false
  return isObject(value.message) ? typeof value.message.id === 'string' : typeof value.deleted === 'string'
}

function heldOf(message: QueueMessage): Held {
  // Visible at every clock time, even after the clock was set back.
  return { message, receiveCount: 0, visibleMs: Number.NEGATIVE_INFINITY }
}

// Answers the SQS API on the wire (AWS JSON 1.0), as far as the queues of an assembly need it: send, receive, hide, delete and
// count messages. No batches, no FIFO, and an empty queue answers at once.
// Source: Amazon SQS API Reference.
import { createHash } from 'node:crypto'
import { AwsError } from '../aws-error.ts'
import { type Endpoint, findText, type RequestBody, textOf } from '../endpoint/endpoint.ts'
import { isObject } from '../fields.ts'
import type { MessageAttribute, QueueStore, ReceivedMessage } from './queue-store.ts'

/** AWS's maximums: messages of one ReceiveMessage, and seconds that a received message is hidden. */
const MOST_RECEIVED = 10
const MOST_HIDDEN_SECONDS = 43_200
/** AWS's maximum wait of ReceiveMessage. */
const MOST_WAIT_SECONDS = 20

export function sqsEndpoint(queues: readonly QueueStore[]): Endpoint {
  const find = (body: RequestBody) => queues.find((queue) => queue.definition.name === queueName(body))
  return {
    service: 'sqs',
    targetPrefix: 'AmazonSQS',
    contentType: 'application/x-amz-json-1.0',
    permissionsFor(name, body) {
      if (!Object.hasOwn(OPERATIONS, name)) return undefined
      return [{ action: `sqs:${name}`, resource: find(body)?.definition.arn ?? queueName(body) }]
    },
    async perform(name, body) {
      const queue = find(body)
      if (queue === undefined) {
        throw new AwsError('com.amazonaws.sqs#QueueDoesNotExist', 'The specified queue does not exist.')
      }
      return OPERATIONS[name]?.(queue, body)
    },
  }
}

function queueUrl(arn: string): string {
  const [, , , region, account, name] = arn.split(':')
  return `https://sqs.${region}.amazonaws.com/${account}/${name}`
}

/** Returns the name at the end of a queue's URL; the host does not matter. */
function queueName(body: RequestBody): string {
  return findText(body, 'QueueName') ?? textOf(body, 'QueueUrl').split('/').at(-1) ?? ''
}

const OPERATIONS: Readonly<Record<string, (queue: QueueStore, body: RequestBody) => unknown>> = {
  SendMessage(queue, body) {
    const text = textOf(body, 'MessageBody')
    const attributes = attributesOf(body)
    const hash = attributesHash(attributes)
    const hashes = { MD5OfMessageBody: md5(text), ...(hash !== undefined && { MD5OfMessageAttributes: hash }) }
    return { MessageId: queue.send(text, attributes), ...hashes }
  },
  ReceiveMessage(queue, body) {
    const most = wholeNumber(body, 'MaxNumberOfMessages', 1, MOST_RECEIVED) ?? 1
    wholeNumber(body, 'WaitTimeSeconds', 0, MOST_WAIT_SECONDS)
    const messages = queue.receive(most, wholeNumber(body, 'VisibilityTimeout', 0, MOST_HIDDEN_SECONDS))
    return messages.length === 0 ? {} : { Messages: messages.map((message) => wireMessage(message, body)) }
  },
  DeleteMessage(queue, body) {
    queue.delete(textOf(body, 'ReceiptHandle'))
    return {}
  },
  ChangeMessageVisibility(queue, body) {
    const seconds = wholeNumber(body, 'VisibilityTimeout', 0, MOST_HIDDEN_SECONDS)
    if (seconds === undefined) throw new AwsError('MissingParameter', 'VisibilityTimeout is missing')
    queue.changeVisibility(textOf(body, 'ReceiptHandle'), seconds)
    return {}
  },
  GetQueueUrl: (queue) => ({ QueueUrl: queueUrl(queue.definition.arn) }),
  GetQueueAttributes(queue, body) {
    const { arn, retentionSeconds, visibilityTimeoutSeconds } = queue.definition
    const visible = queue.visibleCount()
    const all: Readonly<Record<string, string>> = {
      ApproximateNumberOfMessages: String(visible),
      ApproximateNumberOfMessagesNotVisible: String(queue.messages().length - visible),
      MessageRetentionPeriod: String(retentionSeconds),
      QueueArn: arn,
      VisibilityTimeout: String(visibilityTimeoutSeconds),
    }
    const names = Array.isArray(body.AttributeNames) ? body.AttributeNames.map(String) : []
    const wanted = Object.entries(all).filter(([name]) => names.includes('All') || names.includes(name))
    return { Attributes: Object.fromEntries(wanted) }
  },
}

/** Returns the system and message attributes that are requested. */
function wireMessage(message: ReceivedMessage, request: RequestBody): object {
  const { attributes, body, id, receiptHandle, receiveCount, sentMs } = message
  const system = { ApproximateReceiveCount: String(receiveCount), SentTimestamp: String(sentMs) }
  // The first of these names is the older one.
  const given = requested(system, request.AttributeNames, request.MessageSystemAttributeNames)
  const MessageAttributes = requested(attributes, request.MessageAttributeNames)
  const hash = attributesHash(MessageAttributes)
  return {
    MessageId: id,
    ReceiptHandle: receiptHandle,
    MD5OfBody: md5(body),
    Body: body,
    ...(Object.keys(given).length > 0 && { Attributes: given }),
    ...(hash !== undefined && { MessageAttributes, MD5OfMessageAttributes: hash }),
  }
}

/** Names are given whole, as `All` or `.*`, or by a prefix such as `order.*`. */
function requested<Value>(all: Readonly<Record<string, Value>>, ...lists: readonly unknown[]): Record<string, Value> {
  const names = lists.flat().map(String)
  const isRequested = (key: string) =>
    names.some((name) => name === key || name === 'All' || (name.endsWith('.*') && key.startsWith(name.slice(0, -2))))
  return Object.fromEntries(Object.entries(all).filter(([key]) => isRequested(key)))
}

function attributesOf(body: RequestBody): Readonly<Record<string, MessageAttribute>> {
  const { MessageAttributes: given = {} } = body
  if (!isObject(given)) throw new AwsError('SerializationException', 'MessageAttributes must be an object')
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (isAttribute(value)) return [name, value]
      throw new AwsError('InvalidParameterValue', `The message attribute '${name}' must have a DataType`)
    }),
  )
}

/** Only the type is required. The other values are returned as the sender gave them. */
function isAttribute(value: unknown): value is MessageAttribute {
  return isObject(value) && typeof value.DataType === 'string'
}

function wholeNumber(body: RequestBody, name: string, least: number, most: number): number | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw new AwsError('InvalidParameterValue', `${name} must be from ${least} to ${most}`)
}

/** SDK clients compare this hash with what they sent. */
function md5(content: string | Buffer): string {
  return createHash('md5').update(content).digest('hex')
}

/**
 * The hash of all attributes in the order of their names: each name, type and value after its length, and a byte for the
 * kind of value before the latter. Source: Amazon SQS Developer Guide, "Calculating the MD5 message digest".
 */
function attributesHash(attributes: Readonly<Record<string, MessageAttribute>>): string | undefined {
  const entries = Object.entries(attributes).sort(([left], [right]) => (left < right ? -1 : 1))
  if (entries.length === 0) return undefined
  const sized = (content: Buffer) => [Buffer.from(Uint32Array.of(content.length).buffer).swap32(), content]
  const parts = entries.flatMap(([name, { BinaryValue, DataType, StringValue = '' }]) => [
    ...sized(Buffer.from(name)),
    ...sized(Buffer.from(DataType)),
    Buffer.of(BinaryValue === undefined ? 1 : 2),
    ...sized(BinaryValue === undefined ? Buffer.from(StringValue) : Buffer.from(BinaryValue, 'base64')),
  ])
  return md5(Buffer.concat(parts))
}

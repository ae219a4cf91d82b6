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
    return { MessageId: queue.send(text, attributesOf(body)), MD5OfMessageBody: md5(text) }
  },
  ReceiveMessage(queue, body) {
    const most = wholeNumber(body, 'MaxNumberOfMessages', 1, MOST_RECEIVED) ?? 1
    wholeNumber(body, 'WaitTimeSeconds', 0, MOST_WAIT_SECONDS)
    const messages = queue.receive(most, wholeNumber(body, 'VisibilityTimeout', 0, MOST_HIDDEN_SECONDS))
    return messages.length === 0 ? {} : { Messages: messages.map(wireMessage) }
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

/** Returns all system and message attributes, requested or not. */
function wireMessage({ attributes, body, id, receiptHandle, receiveCount, sentMs }: ReceivedMessage): object {
  return {
    MessageId: id,
    ReceiptHandle: receiptHandle,
    MD5OfBody: md5(body),
    Body: body,
    Attributes: { ApproximateReceiveCount: String(receiveCount), SentTimestamp: String(sentMs) },
    ...(Object.keys(attributes).length > 0 && { MessageAttributes: attributes }),
  }
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
function md5(text: string): string {
  return createHash('md5').update(text).digest('hex')
}

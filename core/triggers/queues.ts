// Puts messages into queues: the start for a deposit, and what nobody can handle. SQS or the caller may put a start
// twice, but its reader still starts each policy only once. A dead letter has its reason in the attributes that
// EventBridge uses too. Source: Amazon SQS API reference, SendMessage.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { awsFault } from '../aws-fault.ts'
import type { DepositStart } from '../contract/triggers.ts'
import { AWS_LIMITS, type AwsLimits, requestLimits } from '../keys/aws-limits.ts'

/** Resolves once the queue has stored the message. @throws Transient, OwnFault */
export type PutDeposit = (start: DepositStart) => Promise<void>

/** A client that stops in time. Its address and credentials come from the environment. */
export function sqsClient(limits: AwsLimits = AWS_LIMITS): SQSClient {
  // The address in a queue's URL is AWS's own, even where an endpoint is configured.
  return new SQSClient({ ...requestLimits(limits), useQueueUrlAsEndpoint: false })
}

export function createDepositQueue(client: SQSClient, queueUrl: string): PutDeposit {
  return async (start) => {
    const command = new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(start) })
    await client.send(command).catch((error: unknown) => {
      throw awsFault('SQS did not take the start of a deposit', error)
    })
  }
}

/** Maximum characters: a message and its attributes have 256 KB. */
const MOST_LETTERS = 2_000
/** SQS takes the characters of XML only. */
const NOT_IN_SQS = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD]/g

interface Reason {
  readonly code: string
  readonly message: string
}

/** Resolves once the queue has stored the letter. @throws Transient, OwnFault */
export function createDeadLetters(client: SQSClient, queueUrl: string) {
  return async (letter: object, { code, message }: Reason): Promise<void> => {
    const text = (value: string) => ({
      DataType: 'String',
      StringValue: value.replaceAll(NOT_IN_SQS, '?').slice(0, MOST_LETTERS),
    })
    const command = new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: JSON.stringify(letter),
      MessageAttributes: { ERROR_CODE: text(code), ERROR_MESSAGE: text(message) },
    })
    await client.send(command).catch((error: unknown) => {
      throw awsFault('SQS did not take a dead letter', error)
    })
  }
}

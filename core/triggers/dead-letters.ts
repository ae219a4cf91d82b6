// Puts what nobody can handle into the dead-letter queue, with its reason in the attributes that EventBridge uses too.
// Source: Amazon SQS API reference, SendMessage.
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { awsFault } from '../aws-fault.ts'

/** Maximum characters: a message and its attributes have 256 KB. */
const MOST_LETTERS = 2_000
/** SQS takes the characters of XML only. */
const NOT_IN_SQS = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD]/g

export interface Reason {
  readonly code: string
  readonly message: string
}

/** Resolves once the queue has stored the letter. @throws Transient, OwnFault */
export function createDeadLetters(client: Pick<SQSClient, 'send'>, queueUrl: string) {
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

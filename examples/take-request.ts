// Starts the conversion that a text asks for: `{"id": …, "request": …}`. The id is in the text, so the same text twice is one
// purchase. A text that can never be right is kept with its reason.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { type ConvertRequest, createClient, IdTaken, InvalidRequest } from '@sluice/client'

const sluice = createClient({ account: process.env.SLUICE_ACCOUNT ?? '' })
// On one machine a queue's URL has the address of AWS, and the client the local one.
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false })

interface Asked {
  readonly id: string
  readonly request: ConvertRequest
}

/** Why the text can never be right; undefined: its conversion is started. Any other failure is thrown. */
export async function findReason(text: string): Promise<string | undefined> {
  try {
    const { id, request } = (JSON.parse(text) ?? {}) as Asked
    await sluice.convert(request, { id })
    return undefined
  } catch (error) {
    if (error instanceof SyntaxError) return 'body: expected JSON'
    if (error instanceof InvalidRequest || error instanceof IdTaken) return error.message
    throw error
  }
}

/** Keeps a dead letter with its reason. */
export async function bury(body: string, reason: string): Promise<void> {
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: process.env.DEAD_LETTERS,
      MessageBody: body,
      MessageAttributes: { reason: { DataType: 'String', StringValue: reason } },
    }),
  )
}

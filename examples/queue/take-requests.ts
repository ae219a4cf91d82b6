// Starts a conversion for each message. Order and doubles are harmless: a message's id is the movement's id. A message that
// can never be right becomes a dead letter with its reason; any other failure leaves its message alone in the queue.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { type ConvertRequest, createClient, IdTaken, InvalidRequest } from '@sluice/client'
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'

const sluice = createClient({ account: process.env.SLUICE_ACCOUNT ?? '' })
// On one machine a queue's URL has the address of AWS, and the client the local one.
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false })

interface Message {
  readonly id: string
  readonly request: ConvertRequest
}

export async function handler({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  const taken = await Promise.all(Records.map(take))
  return { batchItemFailures: taken.flatMap((failure) => failure ?? []) }
}

/** The failure of this message alone. It comes again; undefined: it is done. */
async function take(record: SQSRecord): Promise<{ itemIdentifier: string } | undefined> {
  try {
    const reason = await findReason(record.body)
    if (reason !== undefined) await bury(record.body, reason)
    return undefined
  } catch (error) {
    console.error(JSON.stringify({ messageId: record.messageId, error: String(error) }))
    return { itemIdentifier: record.messageId }
  }
}

/** Why the message can never be right; undefined: its conversion is started. */
async function findReason(body: string): Promise<string | undefined> {
  try {
    const { id, request } = (JSON.parse(body) ?? {}) as Message
    await sluice.convert(request, { id })
    return undefined
  } catch (error) {
    if (error instanceof SyntaxError) return 'body: expected JSON'
    if (error instanceof InvalidRequest || error instanceof IdTaken) return error.message
    throw error
  }
}

async function bury(body: string, reason: string): Promise<void> {
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: process.env.DEAD_LETTERS,
      MessageBody: body,
      MessageAttributes: { reason: { DataType: 'String', StringValue: reason } },
    }),
  )
}

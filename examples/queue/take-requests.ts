// Starts a conversion for each message. Order and doubles are harmless: a message's id is the movement's id. A message that
// can never be right becomes a dead letter with its reason; any other failure leaves its message alone in the queue.
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { bury, findReason } from '../take-request.js'

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

// Starts the conversion that a notification asks for. SNS may deliver twice: the id is in the message.
import type { SNSEvent } from 'aws-lambda'
import { bury, findReason } from '../take-request.js'

/** SNS gives a function one notification a call. */
export async function handler({ Records }: SNSEvent): Promise<void> {
  for (const { Sns } of Records) {
    const reason = await findReason(Sns.Message)
    if (reason !== undefined) await bury(Sns.Message, reason)
  }
}

// Puts the start for a deposit into its queue. SQS or the caller may put the start twice, but the reader still starts
// each policy only once.
// Source: Amazon SQS API reference, SendMessage.
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

export function createDepositQueue(client: Pick<SQSClient, 'send'>, queueUrl: string): PutDeposit {
  return async (start) => {
    const command = new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(start) })
    await client.send(command).catch((error: unknown) => {
      throw awsFault('SQS did not take the start of a deposit', error)
    })
  }
}

// Puts the start that a deposit asks for into its queue. SQS may keep it twice, and so may whoever calls this: what takes it
// out starts each policy once all the same.
// Source: Amazon SQS API reference, SendMessage.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { awsFault } from '../aws-fault.ts'
import type { DepositStart } from '../contract/triggers.ts'
import { AWS_LIMITS, type AwsLimits, requestLimits } from '../keys/aws-limits.ts'

/** Resolves once the queue keeps it. @throws Transient, OwnFault */
export type PutDeposit = (start: DepositStart) => Promise<void>

/** A client that gives up in time; its address and credentials come from the environment. */
export function sqsClient(limits: AwsLimits = AWS_LIMITS): SQSClient {
  // The address in a queue's URL is AWS's own, also where an endpoint is configured.
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

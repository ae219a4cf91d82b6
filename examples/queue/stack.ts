// A queue whose messages are requests. Messages that can never be right go to the dead letters with their reason.
import type { Sluice } from '@sluice/infra'
import { Duration, Stack, type StackProps } from 'aws-cdk-lib'
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { ExampleFunction } from '../example-function.js'

export const REQUESTS = 'example-requests'
export const DEAD_REQUESTS = 'example-dead-requests'

export class QueueExample extends Stack {
  constructor(scope: Construct, id: string, { sluice, ...props }: StackProps & { readonly sluice: Sluice }) {
    super(scope, id, props)
    const sealed = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true }
    const dead = new Queue(this, 'Dead', { ...sealed, queueName: DEAD_REQUESTS, retentionPeriod: Duration.days(14) })
    const timeout = Duration.minutes(1)
    const requests = new Queue(this, 'Requests', {
      ...sealed,
      queueName: REQUESTS,
      // AWS recommends six times the function's time-out.
      visibilityTimeout: Duration.minutes(6),
      deadLetterQueue: { queue: dead, maxReceiveCount: 5 },
    })
    const taker = new ExampleFunction(this, 'Taker', {
      entry: `${__dirname}/take-requests.ts`,
      environment: { DEAD_LETTERS: dead.queueUrl },
      timeout,
    })
    taker.addEventSource(new SqsEventSource(requests, { batchSize: 10, reportBatchItemFailures: true }))
    dead.grantSendMessages(taker)
    sluice.grantConvert(taker)
  }
}

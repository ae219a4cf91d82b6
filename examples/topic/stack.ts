// An SNS topic whose notifications are requests. Those that can never be right go to the dead letters with their reason.
import type { Sluice } from '@sluice/infra'
import { Duration, Stack, type StackProps } from 'aws-cdk-lib'
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { LambdaSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { ExampleFunction } from '../example-function.js'

export const NOTIFIED = 'example-notified'
export const DEAD_NOTIFICATIONS = 'example-dead-notifications'

export class TopicExample extends Stack {
  constructor(scope: Construct, id: string, { sluice, ...props }: StackProps & { readonly sluice: Sluice }) {
    super(scope, id, props)
    const dead = new Queue(this, 'Dead', {
      ...{ queueName: DEAD_NOTIFICATIONS, encryption: QueueEncryption.SQS_MANAGED, retentionPeriod: Duration.days(14) },
    })
    const taker = new ExampleFunction(this, 'Taker', {
      functionName: NOTIFIED,
      entry: `${__dirname}/take-notification.ts`,
      environment: { DEAD_LETTERS: dead.queueUrl },
      // Lambda tries again twice. Then the notification goes to this queue, with the error.
      onFailure: new SqsDestination(dead),
    })
    dead.grantSendMessages(taker)
    sluice.grantConvert(taker)
    const requests = new Topic(this, 'Requests', { enforceSSL: true })
    requests.addSubscription(new LambdaSubscription(taker, { deadLetterQueue: dead }))
  }
}

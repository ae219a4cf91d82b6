// A bucket whose objects are requests. Objects that can never be right are named in the dead letters, with their reason.
import type { Sluice } from '@sluice/infra'
import { Duration, Stack, type StackProps } from 'aws-cdk-lib'
import { Rule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations'
import { BlockPublicAccess, Bucket } from 'aws-cdk-lib/aws-s3'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { ExampleFunction } from '../example-function.js'

export const DEAD_OBJECTS = 'example-dead-objects'

export class BucketExample extends Stack {
  constructor(scope: Construct, id: string, { sluice, ...props }: StackProps & { readonly sluice: Sluice }) {
    super(scope, id, props)
    const dead = new Queue(this, 'Dead', {
      ...{ queueName: DEAD_OBJECTS, encryption: QueueEncryption.SQS_MANAGED, retentionPeriod: Duration.days(14) },
    })
    const requests = new Bucket(this, 'Requests', {
      ...{ enforceSSL: true, blockPublicAccess: BlockPublicAccess.BLOCK_ALL },
      // The event names a version, so that what is read is what was announced.
      ...{ versioned: true, eventBridgeEnabled: true },
    })
    const taker = new ExampleFunction(this, 'Taker', {
      entry: `${__dirname}/take-object.ts`,
      environment: { DEAD_LETTERS: dead.queueUrl },
      // Lambda tries again twice. Then the event goes to this queue, with the error.
      onFailure: new SqsDestination(dead),
    })
    requests.grantRead(taker)
    dead.grantSendMessages(taker)
    sluice.grantConvert(taker)
    new Rule(this, 'Created', {
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: { bucket: { name: [requests.bucketName] }, object: { key: [{ suffix: '.json' }] } },
      },
      targets: [new LambdaFunction(taker, { deadLetterQueue: dead })],
    })
  }
}

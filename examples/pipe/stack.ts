// Two pipes of EventBridge put requests on the bus of Sluice, without code: each message of a queue, and each new item of a
// table. The id is in the message and in the item, so that what a pipe delivers twice is one purchase.
import { RequestEvent, type Sluice } from '@sluice/infra'
import { Duration, Stack, type StackProps } from 'aws-cdk-lib'
import { AttributeType, BillingMode, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { CfnPipe } from 'aws-cdk-lib/aws-pipes'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'

/** A text needs quotes, and an object none. */
const OF_MESSAGE = '{"version": 1, "id": "<$.body.id>", "request": <$.body.request>}'
const OF_ITEM = `{"version": 1, "id": "<$.dynamodb.NewImage.order.S>", "request": {"baseAsset": "BTC", "quoteAsset": "USDC",
  "side": "BUY", "amountAsset": "USDC", "amount": "<$.dynamodb.NewImage.amount.S>"}}`

export class PipeExample extends Stack {
  constructor(scope: Construct, id: string, { sluice, ...props }: StackProps & { readonly sluice: Sluice }) {
    super(scope, id, props)
    const sealed = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod: Duration.days(14) }
    const dead = new Queue(this, 'Dead', sealed)
    const requests = new Queue(this, 'Requests', { ...sealed, deadLetterQueue: { queue: dead, maxReceiveCount: 5 } })
    const orders = new Table(this, 'Orders', {
      partitionKey: { name: 'order', type: AttributeType.STRING },
      stream: StreamViewType.NEW_IMAGE,
      billingMode: BillingMode.PAY_PER_REQUEST,
    })
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('pipes.amazonaws.com') })
    requests.grantConsumeMessages(role)
    orders.grantStreamRead(role)
    dead.grantSendMessages(role)
    // The target is the bus, and no state machine: a pipe cannot name the execution, so that a message which comes twice
    // would be two purchases.
    sluice.grantRequest(role, RequestEvent.Conversion)
    const pipe = (
      id: string,
      source: string,
      inputTemplate: string,
      sourceParameters: CfnPipe.PipeSourceParametersProperty,
    ) =>
      new CfnPipe(this, id, {
        ...{ roleArn: role.roleArn, source, sourceParameters, target: sluice.bus.eventBusArn },
        targetParameters: {
          eventBridgeEventBusParameters: { source: 'example.orders', detailType: RequestEvent.Conversion },
          inputTemplate,
        },
      }).node.addDependency(role)
    pipe('FromQueue', requests.queueArn, OF_MESSAGE, { sqsQueueParameters: { batchSize: 10 } })
    pipe('FromTable', orders.tableStreamArn ?? '', OF_ITEM, {
      dynamoDbStreamParameters: {
        startingPosition: 'TRIM_HORIZON',
        // Otherwise a failing record holds up its shard until it expires.
        maximumRetryAttempts: 20,
        deadLetterConfig: { arn: dead.queueArn },
      },
      filterCriteria: { filters: [{ pattern: JSON.stringify({ eventName: ['INSERT'] }) }] },
    })
  }
}

// Owns the queue of starts after deposits, between the function that is open to the internet and the function that may
// start. A message that fails for an hour goes to the dead-letter queue. docs/decisions/0014 explains why the queue
// comes after the check of a signature. It exists without webhooks too, so that its messages survive when webhooks
// leave treasury.json.
import { Duration } from 'aws-cdk-lib'
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { CfnEventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda'
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { DEPOSIT_QUEUE } from '../../core/contract/events.ts'
import { STEPS } from '../steps.ts'
import { nameIn } from './deployed-name.ts'
import { SOURCE_FUNCTION, sourcesOf, type VerbFunction } from './verb-function.ts'

/** Time in which a received message is hidden from others. AWS advises six times the function's timeout. */
const HIDDEN = Duration.seconds(6 * STEPS.webhooks.startOnDeposit.timeoutSeconds)
/**
 * Most receives of a message. With the time above that is an hour, in which Step Functions, the journal or a permission
 * may recover.
 */
const MOST_RECEIVES = 10
const BATCH = 10
/**
 * Most concurrent invocations: Lambda's minimum. Many genuine deliveries then use no more of the account's concurrency.
 */
const MOST_AT_ONCE = 2

export class DepositQueue extends Construct {
  readonly queue: Queue

  constructor(scope: Construct, id: string, { deadLetters }: { readonly deadLetters: IQueue }) {
    super(scope, id)
    this.queue = new Queue(this, 'Queue', {
      queueName: nameIn(this, DEPOSIT_QUEUE),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // SQS's maximum, and equal to the dead-letter queue's, because a message keeps its age when it moves there.
      retentionPeriod: Duration.days(14),
      visibilityTimeout: HIDDEN,
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: MOST_RECEIVES },
    })
  }

  /**
   * `sender`: the function that is open to the internet, whose only permission this is. The queue refuses everybody else,
   * because its messages start runs without a signature. Without webhooks nobody may fill it.
   */
  filledBy(sender: VerbFunction | undefined): void {
    const sending = { actions: ['sqs:SendMessage'], resources: [this.queue.queueArn] }
    const role = sender?.lambda.role?.roleArn
    this.queue.addToResourcePolicy(
      new PolicyStatement({
        ...{ sid: 'OwnSender', effect: Effect.DENY, principals: [new AnyPrincipal()], ...sending },
        ...(role !== undefined && { conditions: { ArnNotEquals: { 'aws:PrincipalArn': role } } }),
      }),
    )
    sender?.lambda.addToRolePolicy(
      new PolicyStatement({
        ...sending,
        conditions: { ArnLike: { [SOURCE_FUNCTION]: sourcesOf(this, sender.verb) } },
      }),
    )
  }

  emptiedBy({ lambda }: VerbFunction): void {
    lambda.addToRolePolicy(
      new PolicyStatement({
        actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
        resources: [this.queue.queueArn],
      }),
    )
    this.handTo(lambda)
  }

  private handTo(lambda: IFunction): void {
    const mapping = new CfnEventSourceMapping(this, 'Mapping', {
      eventSourceArn: this.queue.queueArn,
      functionName: lambda.functionName,
      batchSize: BATCH,
      functionResponseTypes: ['ReportBatchItemFailures'],
      scalingConfig: { maximumConcurrency: MOST_AT_ONCE },
    })
    // When the mapping is created, Lambda checks the function's permission to receive messages.
    if (lambda.role !== undefined) mapping.node.addDependency(lambda.role)
  }
}

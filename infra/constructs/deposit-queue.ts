// Owns the queue of the starts that deposits ask for, between the function that faces the internet and the one that may start.
// What is not taken out within an hour of trying goes to the dead-letter queue. Why the queue stands behind the check of a
// signature is said in docs/decisions/0044. It is there without webhooks too: what it holds when they are taken out of
// treasury.json is not deleted with them.
import { Duration } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { CfnEventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda'
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { DEPOSIT_QUEUE } from '../../core/contract/events.ts'
import { STEPS } from '../steps.ts'
import { nameIn } from './deployed-name.ts'
import { functionArnOf, SOURCE_FUNCTION, type VerbFunction } from './verb-function.ts'

/** AWS advises six times as long as the function may run: a batch that is under way is handed to nobody else. */
const HIDDEN = Duration.seconds(6 * STEPS.webhooks.startOnDeposit.timeoutSeconds)
/** With the time above, an hour in which Step Functions, the journal or a permission may come back. */
const MOST_RECEIVES = 10
const BATCH = 10
/** The least that Lambda takes. A crowd of true deliveries takes no more of the account's concurrency than this. */
const MOST_AT_ONCE = 2

export class DepositQueue extends Construct {
  readonly queue: Queue

  constructor(scope: Construct, id: string, { deadLetters }: { readonly deadLetters: IQueue }) {
    super(scope, id)
    this.queue = new Queue(this, 'Queue', {
      queueName: nameIn(this, DEPOSIT_QUEUE),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // The longest that there is, and as long as the dead-letter queue: a message keeps its age when it goes there.
      retentionPeriod: Duration.days(14),
      visibilityTimeout: HIDDEN,
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: MOST_RECEIVES },
    })
  }

  /** All that whoever faces the internet may do. Another function with its role may not. */
  filledBy({ lambda, verb }: VerbFunction): void {
    lambda.addToRolePolicy(
      new PolicyStatement({
        actions: ['sqs:SendMessage'],
        resources: [this.queue.queueArn],
        conditions: { ArnLike: { [SOURCE_FUNCTION]: functionArnOf(this, verb) } },
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
    // Lambda checks when the mapping is made that the function may take messages.
    if (lambda.role !== undefined) mapping.node.addDependency(lambda.role)
  }
}

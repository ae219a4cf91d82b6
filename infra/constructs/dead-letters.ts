// Owns the dead-letter queue. It keeps what could not be handed over, and what fits no schema, each with its reason. An
// alarm rings while it holds anything; docs/runbook.md says what to do.
import { Duration, Stack, Validations } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { CfnEventInvokeConfig, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { DEAD_LETTER_QUEUE } from '../../core/contract/events.ts'
import { nameIn } from './deployed-name.ts'

export function deadLetterQueue(scope: Construct): Queue {
  const queue = new Queue(scope, 'DeadLetters', {
    queueName: nameIn(scope, DEAD_LETTER_QUEUE),
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    // The longest that there is: people may be away.
    retentionPeriod: Duration.days(14),
  })
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'It is the dead-letter queue itself, of rules, schedules and functions, which name it where they are.',
  })
  return queue
}

/** For other stacks. */
export function deadLettersByName(scope: Construct): IQueue {
  const arn = Stack.of(scope).formatArn({ service: 'sqs', resource: nameIn(scope, DEAD_LETTER_QUEUE) })
  return Queue.fromQueueArn(scope, 'DeadLettersByName', arn)
}

/** A function's own retries of an event that it failed on, a minute and two minutes after. */
const RETRIES = 2
/** An event that waited longer, because the function was throttled, is told instead of acted on. */
const MOST_AGE = Duration.hours(1)

/** Of events that `lambda` is handed and fails on: tried again, and then kept with what it said. */
export function keepFailures(lambda: LambdaFunction, queue: Queue): void {
  lambda.addToRolePolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] }))
  const config = new CfnEventInvokeConfig(lambda, 'Failures', {
    functionName: lambda.functionName,
    qualifier: '$LATEST',
    maximumRetryAttempts: RETRIES,
    maximumEventAgeInSeconds: MOST_AGE.toSeconds(),
    destinationConfig: { onFailure: { destination: queue.queueArn } },
  })
  // Lambda checks at creation that the function may send there.
  if (lambda.role !== undefined) config.node.addDependency(lambda.role)
}

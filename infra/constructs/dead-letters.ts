// Owns the dead-letter queue. It keeps undeliverable events and events that fit no schema, each with its reason. An
// alarm rings while it holds anything; docs/runbook.md says what to do.
import { Duration, Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { CfnEventInvokeConfig, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { DEAD_LETTER_QUEUE } from '../../core/contract/events.ts'
import { nameIn } from './deployed-name.ts'
import { filledByRules, type RuleName } from './rule-queues.ts'
import { setAside } from './set-aside.ts'

/** `rules`: the rules whose undeliverable events it keeps. */
export function deadLetterQueue(scope: Construct, rules: readonly RuleName[]): Queue {
  const queue = new Queue(scope, 'DeadLetters', {
    queueName: nameIn(scope, DEAD_LETTER_QUEUE),
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    // SQS's maximum, because people may be away.
    retentionPeriod: Duration.days(14),
  })
  setAside(queue, {
    id: 'AwsSolutions-SQS3',
    reason: 'It is the dead-letter queue itself, of rules, schedules and functions, which name it where they are.',
  })
  filledByRules(queue, rules)
  return queue
}

export function deadLettersByName(scope: Construct): IQueue {
  const arn = Stack.of(scope).formatArn({ service: 'sqs', resource: nameIn(scope, DEAD_LETTER_QUEUE) })
  return Queue.fromQueueArn(scope, 'DeadLettersByName', arn)
}

/** Lambda's retries of an event that the function failed on, after one and two minutes. */
const RETRIES = 2
/**
 * Longest wait of an event while the function is throttled. An older event goes to the queue instead of the function.
 */
const MOST_AGE = Duration.hours(1)

/** Retries the events that `lambda` fails on, then keeps them in `queue` with the error. */
export function keepFailures(lambda: LambdaFunction, queue: Queue): void {
  lambda.addToRolePolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] }))
  const config = new CfnEventInvokeConfig(lambda, 'Failures', {
    functionName: lambda.functionName,
    qualifier: '$LATEST',
    maximumRetryAttempts: RETRIES,
    maximumEventAgeInSeconds: MOST_AGE.toSeconds(),
    destinationConfig: { onFailure: { destination: queue.queueArn } },
  })
  // At creation Lambda checks the function's permission to send there.
  if (lambda.role !== undefined) config.node.addDependency(lambda.role)
}

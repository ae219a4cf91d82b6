// Owns the permission of EventBridge rules to send to a queue, in one statement for all rules of that queue. The CDK
// adds a statement with a condition for each rule, and SQS accepts ten conditions in a policy.
// Source: Amazon SQS Developer Guide, "Amazon SQS policy quotas".
import { Stack } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { noticeResource } from '../../core/contract/sent-notices.ts'
import { busIn, nameIn } from './deployed-name.ts'

/** A rule's name without the environment's prefix, and the bus that it is on. */
export interface RuleName {
  readonly name: string
  readonly isOnOurBus: boolean
}

/** Stands for the rules of all notices, so that the policy has the same size for any number of them. */
export const RULES_OF_NOTICES: RuleName = { name: noticeResource('*'), isOnOurBus: true }

/** Lets the rules send to the queue, and no other rule. */
export function filledByRules(queue: Queue, rules: readonly RuleName[]): void {
  queue.addToResourcePolicy(
    new PolicyStatement({
      sid: 'Rules',
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
      conditions: { ArnLike: { 'aws:SourceArn': rules.map((rule) => ruleArn(queue, rule)) } },
    }),
  )
}

/** The queue as a target of rules. It is known by its ARN only, so that the CDK adds no statement to its policy. */
export function asRuleTarget(scope: Construct, id: string, queue: IQueue): IQueue {
  return Queue.fromQueueArn(scope, id, queue.queueArn)
}

/** AWS omits the account's default bus from the ARN. */
function ruleArn(scope: Construct, { isOnOurBus, name }: RuleName): string {
  const bus = isOnOurBus ? [busIn(scope)] : []
  return Stack.of(scope).formatArn({
    ...{ service: 'events', resource: 'rule', resourceName: [...bus, nameIn(scope, name)].join('/') },
  })
}

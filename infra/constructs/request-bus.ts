// Owns the bus `sluice`: who may put requests on it, and what becomes of them. Requests are known by their
// detail-type; results go out on the same bus, where anybody with a rule may hear them.
import { Duration, Stack } from 'aws-cdk-lib'
import { CfnEventBus, EventBus, type IEventBus, Rule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import { AccountPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { EVENT_BUS, EVENT_SOURCE, RequestEvent } from '../../core/contract/events.ts'
import { nameIn } from './deployed-name.ts'

export const REQUESTS_RULE = 'sluice-requests'

export interface RequestBusProps {
  readonly startRun: IFunction
  readonly deadLetters: IQueue
  /** AWS accounts besides this one. */
  readonly requesters: readonly string[]
}

/** Of handing an event over to a function. What is older is told in the dead-letter queue, and starts nothing. */
export const HAND_OVER = { retryAttempts: 20, maxEventAge: Duration.hours(1) }

export class RequestBus extends Construct {
  readonly bus: IEventBus

  constructor(scope: Construct, id: string, { startRun, deadLetters, requesters }: RequestBusProps) {
    super(scope, id)
    const bus = new CfnEventBus(this, 'Bus', {
      name: nameIn(this, EVENT_BUS),
      // No description: some regions do not know one, and fail.
      // This account's own principals need nothing here: their IAM policies say whether they may.
      ...(requesters.length > 0 && { policy: admitting(requesters, Stack.of(this)) }),
    })
    const names = { eventBusName: bus.ref, eventBusArn: bus.attrArn, eventBusPolicy: bus.attrName }
    this.bus = EventBus.fromEventBusAttributes(this, 'BusByName', names)
    const rule = new Rule(this, 'Requests', {
      ruleName: nameIn(this, REQUESTS_RULE),
      description: 'Starts what is asked for.',
      eventBus: this.bus,
      // Of every version: one that is not known goes to the dead-letter queue, and not into the void.
      eventPattern: { detailType: Object.values(RequestEvent) },
    })
    rule.addTarget(new LambdaFunction(startRun, { deadLetterQueue: deadLetters, ...HAND_OVER }))
  }
}

/** To speak on the bus in our name, and of nothing else: on the same bus a request would start a movement. */
export function mayTell(bus: IEventBus, detailTypes: readonly string[]): PolicyStatement {
  return new PolicyStatement({
    actions: ['events:PutEvents'],
    resources: [bus.eventBusArn],
    conditions: { StringEquals: { 'events:source': EVENT_SOURCE, 'events:detail-type': detailTypes } },
  })
}

/**
 * Lets other accounts put requests, and nothing else: nobody else speaks in our name. One statement for all of them, because
 * the policy of a bus has at most 10,240 characters.
 */
function admitting(accounts: readonly string[], stack: Stack): PolicyDocument {
  return new PolicyDocument({
    statements: [
      new PolicyStatement({
        sid: 'Requests',
        principals: accounts.map((account) => new AccountPrincipal(account)),
        actions: ['events:PutEvents'],
        // Spelled out, because a resource cannot refer to itself.
        resources: [
          stack.formatArn({ service: 'events', resource: 'event-bus', resourceName: nameIn(stack, EVENT_BUS) }),
        ],
        conditions: {
          StringEquals: { 'events:detail-type': Object.values(RequestEvent) },
          StringNotEquals: { 'events:source': EVENT_SOURCE },
        },
      }),
    ],
  })
}

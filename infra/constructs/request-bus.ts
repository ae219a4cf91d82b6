// Owns the bus `sluice`: who may put requests on it, and what becomes of them. Requests are known by their
// detail-type; results go out on the same bus, where anybody with a rule may hear them.
import { Duration, Stack } from 'aws-cdk-lib'
import { CfnEventBus, EventBus, type IEventBus, Rule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import { AccountPrincipal, Effect, PolicyDocument, PolicyStatement, StarPrincipal } from 'aws-cdk-lib/aws-iam'
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
  readonly #bus: CfnEventBus
  readonly #requesters: readonly string[]

  constructor(scope: Construct, id: string, { startRun, deadLetters, requesters }: RequestBusProps) {
    super(scope, id)
    // No description: some regions do not know one, and fail.
    const bus = new CfnEventBus(this, 'Bus', { name: nameIn(this, EVENT_BUS) })
    this.#bus = bus
    this.#requesters = requesters
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

  /** Lets the roles of `speakers` put events in our name, and nobody else, whatever his own policies allow. */
  spokenOnBy(speakers: readonly IFunction[]): void {
    // This account's own principals need nothing here for requests: their IAM policies say whether they may.
    const statements = [
      inOurName(this, speakers),
      ...(this.#requesters.length > 0 ? [admitting(this, this.#requesters)] : []),
    ]
    this.#bus.policy = new PolicyDocument({ statements })
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

/** An event in our name that somebody else put would be told to people as a notice, and to listeners as a result. */
function inOurName(scope: Construct, speakers: readonly IFunction[]): PolicyStatement {
  return new PolicyStatement({
    sid: 'InOurName',
    effect: Effect.DENY,
    principals: [new StarPrincipal()],
    actions: ['events:PutEvents'],
    resources: [busArn(scope)],
    conditions: {
      StringEquals: { 'events:source': EVENT_SOURCE },
      ArnNotLike: { 'aws:PrincipalArn': speakers.map(({ role }) => role?.roleArn) },
    },
  })
}

/**
 * Lets other accounts put requests, and nothing else: nobody else speaks in our name. One statement for all of them, because
 * the policy of a bus has at most 10,240 characters.
 */
function admitting(scope: Construct, accounts: readonly string[]): PolicyStatement {
  return new PolicyStatement({
    sid: 'Requests',
    principals: accounts.map((account) => new AccountPrincipal(account)),
    actions: ['events:PutEvents'],
    resources: [busArn(scope)],
    conditions: {
      StringEquals: { 'events:detail-type': Object.values(RequestEvent) },
      StringNotEquals: { 'events:source': EVENT_SOURCE },
    },
  })
}

/** Spelled out, because a resource cannot refer to itself. */
function busArn(scope: Construct): string {
  const resourceName = nameIn(scope, EVENT_BUS)
  return Stack.of(scope).formatArn({ service: 'events', resource: 'event-bus', resourceName })
}

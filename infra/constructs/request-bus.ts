// Owns the bus `sluice`: who may put requests on it, and what handles them. The detail-type identifies a request.
// Results go out on the same bus, where anybody with a rule may receive them.
import { Duration, Stack } from 'aws-cdk-lib'
import { CfnEventBus, CfnEventBusPolicy, EventBus, type IEventBus, Rule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import { AccountPrincipal, Effect, PolicyDocument, PolicyStatement, StarPrincipal } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { EVENT_SOURCE, RequestEvent } from '../../core/contract/events.ts'
import { busIn, idOnBus, isGiven, nameIn } from './deployed-name.ts'
import { SoleUse } from './sole-use.ts'

export const REQUESTS_RULE = 'sluice-requests'

export interface RequestBusProps {
  readonly startRun: IFunction
  readonly deadLetters: IQueue
  /** Ids of other AWS accounts. */
  readonly requesters: readonly string[]
}

/** Retries of the delivery of an event to a target. An older event goes to the dead-letter queue and starts nothing. */
export const HAND_OVER = { retryAttempts: 20, maxEventAge: Duration.hours(1) }

export class RequestBus extends Construct {
  readonly bus: IEventBus
  /** Undefined for a bus that the account has already. */
  readonly #bus: CfnEventBus | undefined
  readonly #requesters: readonly string[]

  constructor(scope: Construct, id: string, { startRun, deadLetters, requesters }: RequestBusProps) {
    super(scope, id)
    this.#requesters = requesters
    if (isGiven(this, 'bus')) {
      const name = busIn(this)
      new SoleUse(this, 'bus', name)
      this.bus = EventBus.fromEventBusName(this, 'BusByName', name)
    } else {
      // No description, because some regions do not support it and fail.
      const bus = new CfnEventBus(this, 'Bus', { name: busIn(this) })
      this.#bus = bus
      const names = { eventBusName: bus.ref, eventBusArn: bus.attrArn, eventBusPolicy: bus.attrName }
      this.bus = EventBus.fromEventBusAttributes(this, 'BusByName', names)
    }
    const rule = new Rule(this, idOnBus(this, 'Requests'), {
      ruleName: nameIn(this, REQUESTS_RULE),
      description: 'Starts what is asked for.',
      eventBus: this.bus,
      // Matches every version: an unknown version goes to the dead-letter queue instead of being lost.
      eventPattern: { detailType: Object.values(RequestEvent) },
    })
    rule.addTarget(new LambdaFunction(startRun, { deadLetterQueue: deadLetters, ...HAND_OVER }))
  }

  /** Lets only the roles of `speakers` put events in our name, whatever other policies allow. */
  restrictPublishers(speakers: readonly IFunction[]): void {
    // This account's principals need no statement for requests: their IAM policies decide.
    const statements = [
      inOurName(this, speakers),
      ...(this.#requesters.length > 0 ? [admitting(this, this.#requesters)] : []),
    ]
    if (this.#bus !== undefined) {
      this.#bus.policy = new PolicyDocument({ statements })
      return
    }
    // The account's bus may have statements of its own, so each of ours is added to them.
    for (const statement of statements) {
      new CfnEventBusPolicy(this, `Policy${statement.sid}`, {
        eventBusName: this.bus.eventBusName,
        statementId: `sluice-${statement.sid}`,
        statement: { ...statement.toStatementJson(), Sid: `sluice-${statement.sid}` },
      })
    }
  }
}

/** Permission to publish in our name, and nothing else: a request on the same bus would start a movement. */
export function mayPublish(bus: IEventBus, detailTypes: readonly string[]): PolicyStatement {
  return new PolicyStatement({
    actions: ['events:PutEvents'],
    resources: [bus.eventBusArn],
    conditions: { StringEquals: { 'events:source': EVENT_SOURCE, 'events:detail-type': detailTypes } },
  })
}

/**
 * Denies others to publish in our name, because people would get such an event as a notice, and listeners as a result.
 */
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
 * Lets other accounts put requests, and nothing in our name. One statement for all accounts, because a bus's policy has
 * at most 10,240 characters.
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

/** Built from the name, because a resource cannot refer to itself. */
function busArn(scope: Construct): string {
  const resourceName = busIn(scope)
  return Stack.of(scope).formatArn({ service: 'events', resource: 'event-bus', resourceName })
}

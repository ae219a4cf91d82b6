// Another account asks by events on a bus of its own, and hears of the ends there. The first stack is that account's. The
// second is beside Sluice, whose treasury.json names the account in `requesters`.
import { RequestEvent, type Sluice } from '@sluice/infra'
import { Stack, type StackProps } from 'aws-cdk-lib'
import { EventBus, Rule } from 'aws-cdk-lib/aws-events'
import { EventBus as ToBus } from 'aws-cdk-lib/aws-events-targets'
import { AccountPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'

export const ORDERS_BUS = 'example-orders'

export interface AskingAccountProps extends StackProps {
  readonly sluiceAccount: string
  /** ARN of the bus of Sluice. */
  readonly sluiceBus: string
}

export class AskingAccountExample extends Stack {
  constructor(scope: Construct, id: string, { sluiceAccount, sluiceBus, ...props }: AskingAccountProps) {
    super(scope, id, props)
    const bus = new EventBus(this, 'Orders', { eventBusName: ORDERS_BUS })
    // An event keeps its source, its detail and the account that put it.
    new Rule(this, 'Ask', {
      eventBus: bus,
      eventPattern: { source: ['shop'], detailType: [RequestEvent.Conversion] },
      targets: [new ToBus(EventBus.fromEventBusArn(this, 'Sluice', sluiceBus))],
    })
    bus.addToResourcePolicy(
      new PolicyStatement({
        ...{ sid: 'Ends', principals: [new AccountPrincipal(sluiceAccount)] },
        ...{ actions: ['events:PutEvents'], resources: [bus.eventBusArn] },
        conditions: { StringEquals: { 'events:source': 'sluice' } },
      }),
    )
  }
}

export interface EndsElsewhereProps extends StackProps {
  readonly sluice: Sluice
  /** ARN of the other account's bus. */
  readonly theirBus: string
}

export class EndsElsewhereExample extends Stack {
  constructor(scope: Construct, id: string, { sluice, theirBus, ...props }: EndsElsewhereProps) {
    super(scope, id, props)
    const target = new ToBus(EventBus.fromEventBusArn(this, 'Theirs', theirBus))
    sluice.onConversionEnded('Bought', { target, crossStackScope: this })
  }
}

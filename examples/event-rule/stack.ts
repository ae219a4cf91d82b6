// A rule on your own bus pays an invoice when it is due. A rule on the bus of Sluice reports how the payment ended.
import type { Sluice } from '@sluice/infra'
import { Stack, type StackProps } from 'aws-cdk-lib'
import { EventBus, Rule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction, SqsQueue } from 'aws-cdk-lib/aws-events-targets'
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { ExampleFunction } from '../example-function.js'

export const INVOICES_BUS = 'example-invoices'
export const ENDS = 'example-payment-ends'

export class EventRuleExample extends Stack {
  constructor(scope: Construct, id: string, { sluice, ...props }: StackProps & { readonly sluice: Sluice }) {
    super(scope, id, props)
    const sealed = { encryption: QueueEncryption.SQS_MANAGED }
    const failed = new Queue(this, 'Failed', sealed)
    const payer = new ExampleFunction(this, 'Payer', {
      entry: `${__dirname}/pay-invoice.ts`,
      // Lambda tries again twice. Then the event goes to this queue, with the error.
      onFailure: new SqsDestination(failed),
    })
    sluice.grantWithdraw(payer)

    // The target is a function, and no state machine: a rule gives an execution a name of its own, so that an event
    // which is put twice would pay twice.
    const bus = new EventBus(this, 'Invoices', { eventBusName: INVOICES_BUS })
    new Rule(this, 'Due', {
      eventBus: bus,
      eventPattern: { source: ['billing'], detailType: ['Invoice Due'] },
      targets: [new LambdaFunction(payer, { deadLetterQueue: failed })],
    })

    const ends = new Queue(this, 'Ends', { ...sealed, queueName: ENDS })
    sluice.onWithdrawalEnded('Paid', { target: new SqsQueue(ends), crossStackScope: this })
  }
}

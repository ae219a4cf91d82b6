// A schedule of yours that buys each Monday. The purchase's id is the scheduled time, so that a time which EventBridge
// Scheduler delivers twice is one purchase.
import type { Sluice } from '@sluice/infra'
import { Stack, type StackProps, TimeZone } from 'aws-cdk-lib'
import { ContextAttribute, Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler'
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { ExampleFunction } from '../example-function.js'

export const MONDAYS = 'example-mondays'

export class ScheduleExample extends Stack {
  constructor(scope: Construct, id: string, { sluice, ...props }: StackProps & { readonly sluice: Sluice }) {
    super(scope, id, props)
    const buyer = new ExampleFunction(this, 'Buyer', { entry: `${__dirname}/buy-weekly.ts` })
    sluice.grantConvert(buyer)
    // The target is a function, and no state machine: Scheduler gives each execution a name of its own.
    new Schedule(this, 'Mondays', {
      scheduleName: MONDAYS,
      schedule: ScheduleExpression.cron({ minute: '0', hour: '9', weekDay: 'MON', timeZone: TimeZone.EUROPE_MADRID }),
      target: new LambdaInvoke(buyer, {
        input: ScheduleTargetInput.fromObject({ time: ContextAttribute.scheduledTime, amount: '250' }),
        deadLetterQueue: new Queue(this, 'Missed', { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true }),
      }),
    })
  }
}

// Owns LookAgain: its function and its schedule, every five minutes by EventBridge Scheduler.
import { PolicyStatement, Role } from 'aws-cdk-lib/aws-iam'
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler'
import { Construct } from 'constructs'
import type { LookAgainInput } from '../../core/contract/look-again.ts'
import { nameIn } from './deployed-name.ts'
import { DEFAULT_GROUP, onBehalfOfSchedules } from './service-trust.ts'
import type { Place } from './step-rights.ts'
import { functionsOf } from './verb-function.ts'

const INPUT: LookAgainInput = {}

export class LookAgain extends Construct {
  /** `place`: with the machines that it may enter. */
  constructor(scope: Construct, id: string, place: Place) {
    super(scope, id)
    const { lookAgain } = functionsOf(this, 'lookAgain', place)
    const role = new Role(this, 'Role', { assumedBy: onBehalfOfSchedules(this, DEFAULT_GROUP) })
    const { functionArn: arn } = lookAgain.lambda
    role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [arn] }))
    new CfnSchedule(this, 'Schedule', {
      name: nameIn(this, 'sluice-look-again'),
      description: 'Looks again at what stopped in doubt.',
      // A cron, because EventBridge counts a rate anew from each change of the schedule.
      scheduleExpression: 'cron(0/5 * * * ? *)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn,
        roleArn: role.roleArn,
        input: JSON.stringify(INPUT),
        // No retry, because the next call makes up for a missed one.
        retryPolicy: { maximumRetryAttempts: 0, maximumEventAgeInSeconds: 300 },
      },
    })
  }
}

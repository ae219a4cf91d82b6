// Owns LookAgain: its function and its schedule, every five minutes by EventBridge Scheduler.
import { PolicyStatement, Role } from 'aws-cdk-lib/aws-iam'
import { CfnSchedule, type CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler'
import { Construct } from 'constructs'
import { CHECKS_GROUP } from '../../core/contract/deployed-names.ts'
import type { LookAgainInput } from '../../core/contract/look-again.ts'
import { nameIn } from './deployed-name.ts'
import { onBehalfOfSchedules } from './service-trust.ts'
import type { Place } from './step-rights.ts'
import { functionsOf } from './verb-function.ts'

const INPUT: LookAgainInput = {}

export class LookAgain extends Construct {
  /** `place`: with the machines that it may enter. */
  constructor(scope: Construct, id: string, group: CfnScheduleGroup, place: Place) {
    super(scope, id)
    const { lookAgain } = functionsOf(this, 'lookAgain', place)
    const role = new Role(this, 'Role', { assumedBy: onBehalfOfSchedules(this, nameIn(this, CHECKS_GROUP)) })
    const { functionArn: arn } = lookAgain.lambda
    role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [arn] }))
    const schedule = new CfnSchedule(this, 'Schedule', {
      groupName: nameIn(this, CHECKS_GROUP),
      name: nameIn(this, 'sluice-look-again'),
      description: 'Looks again at what stopped in doubt.',
      // A cron, because EventBridge counts a rate anew from each change of the schedule.
      scheduleExpression: 'cron(0/5 * * * ? *)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn,
        roleArn: role.roleArn,
        input: JSON.stringify(INPUT),
        // Until the next call, which makes up for a missed one. A delivery that is given up rings.
        retryPolicy: { maximumRetryAttempts: 2, maximumEventAgeInSeconds: 300 },
      },
    })
    schedule.addResourceDependency(group)
    // The service tests the role's permissions when the schedule is created.
    schedule.node.addDependency(role)
  }
}

// Owns when the audit runs: once an hour, by EventBridge Scheduler, under a role that may invoke it alone.
import { PolicyStatement, Role } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler'
import { Construct } from 'constructs'
import type { ReconcileInput } from '../../core/contract/reconcile.ts'
import { nameIn } from './deployed-name.ts'
import { DEFAULT_GROUP, onBehalfOfSchedules } from './service-trust.ts'

export interface AuditScheduleProps {
  readonly reconcile: IFunction
}

/** From the last audit's end, which the journal remembers: a run that is left out delays, and loses nothing. */
const INPUT: ReconcileInput = {}

export class AuditSchedule extends Construct {
  constructor(scope: Construct, id: string, { reconcile }: AuditScheduleProps) {
    super(scope, id)
    const role = new Role(this, 'Role', { assumedBy: onBehalfOfSchedules(this, DEFAULT_GROUP) })
    role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [reconcile.functionArn] }))
    new CfnSchedule(this, 'Schedule', {
      name: nameIn(this, 'sluice-audit'),
      description: 'Holds what moved against the journal.',
      // Not a rate: the service counts that anew from each change of the schedule.
      scheduleExpression: 'cron(0 * * * ? *)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: reconcile.functionArn,
        roleArn: role.roleArn,
        input: JSON.stringify(INPUT),
        // Of handing it over; the next hour's audit goes on where this one did not.
        retryPolicy: { maximumRetryAttempts: 3, maximumEventAgeInSeconds: 1800 },
      },
    })
  }
}

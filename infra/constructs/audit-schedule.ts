// Runs the audit once an hour, by EventBridge Scheduler, under a role that may only invoke the audit.
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

/** An empty input continues from the end of the last audit, which the journal remembers. A missed run only delays. */
const INPUT: ReconcileInput = {}

export class AuditSchedule extends Construct {
  constructor(scope: Construct, id: string, { reconcile }: AuditScheduleProps) {
    super(scope, id)
    const role = new Role(this, 'Role', { assumedBy: onBehalfOfSchedules(this, DEFAULT_GROUP) })
    role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [reconcile.functionArn] }))
    new CfnSchedule(this, 'Schedule', {
      name: nameIn(this, 'sluice-audit'),
      description: 'Holds what moved against the journal.',
      // A cron, because EventBridge counts a rate anew from each change of the schedule.
      scheduleExpression: 'cron(0 * * * ? *)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: reconcile.functionArn,
        roleArn: role.roleArn,
        input: JSON.stringify(INPUT),
        // Retries of the delivery. The next hour's audit continues where a failed audit stopped.
        retryPolicy: { maximumRetryAttempts: 3, maximumEventAgeInSeconds: 1800 },
      },
    })
  }
}

// Runs the audit once an hour, by EventBridge Scheduler, under a role that may only invoke the audit. Three times in
// between it continues an audit that had too much for one call.
import { PolicyStatement, Role } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { CfnSchedule, type CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler'
import { Construct } from 'constructs'
import { CHECKS_GROUP } from '../../core/contract/deployed-names.ts'
import type { ReconcileInput } from '../../core/contract/reconcile.ts'
import { nameIn } from './deployed-name.ts'
import { onBehalfOfSchedules } from './service-trust.ts'

export interface AuditScheduleProps {
  readonly group: CfnScheduleGroup
  readonly reconcile: IFunction
}

/** Begins where the last audit ended, which the journal remembers. A missed run only delays. */
const BEGIN: ReconcileInput = {}
/** Does nothing where the last call left nothing. One call works for ten minutes, and ends before the next begins. */
const CONTINUE: ReconcileInput = { continues: true }

export class AuditSchedule extends Construct {
  constructor(scope: Construct, id: string, { group, reconcile }: AuditScheduleProps) {
    super(scope, id)
    const role = new Role(this, 'Role', { assumedBy: onBehalfOfSchedules(this, nameIn(this, CHECKS_GROUP)) })
    role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [reconcile.functionArn] }))
    for (const [name, minutes, input, description] of [
      ['', '0', BEGIN, 'Holds what moved against the journal.'],
      ['-continued', '15,30,45', CONTINUE, 'Continues an audit that one call did not end.'],
    ] as const) {
      const schedule = new CfnSchedule(this, `Schedule${name}`, {
        groupName: nameIn(this, CHECKS_GROUP),
        name: nameIn(this, `sluice-audit${name}`),
        description,
        // A cron, because EventBridge counts a rate anew from each change of the schedule.
        scheduleExpression: `cron(${minutes} * * * ? *)`,
        flexibleTimeWindow: { mode: 'OFF' },
        target: {
          arn: reconcile.functionArn,
          roleArn: role.roleArn,
          input: JSON.stringify(input),
          // Retries of the delivery. The next run continues where a failed audit stopped.
          retryPolicy: { maximumRetryAttempts: 3, maximumEventAgeInSeconds: 1800 },
        },
      })
      schedule.addResourceDependency(group)
      // The service tests the role's permissions when the schedule is created.
      schedule.node.addDependency(role)
    }
  }
}

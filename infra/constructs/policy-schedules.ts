// Runs policies on schedule: one schedule of EventBridge Scheduler for each policy that has one, also in shadow mode. A
// schedule passes its due time to StartRun, so that a repeated delivery gives one run. It has no start, end or rate,
// because these would move or stop a later deployment. StartRun enforces start and end.
import { PolicyStatement, Role } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { CfnSchedule, CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { SCHEDULE_GROUP } from '../../core/contract/deployed-names.ts'
import type { Schedule } from '../../core/contract/policies.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import type { ScheduledStart } from '../../core/contract/triggers.ts'
import { scheduledTick } from '../../core/treasury/due-times.ts'
import { nameIn } from './deployed-name.ts'
import { onBehalfOfSchedules } from './service-trust.ts'

export interface PolicySchedulesProps {
  readonly policies: Treasury['policies']
  readonly startRun: IFunction
  /** Queue for undeliverable starts. */
  readonly deadLetters: IQueue
}

/** Placeholder that EventBridge Scheduler replaces with the due time at each delivery, not the time of the attempt. */
const SCHEDULED_TIME = '<aws.scheduler.scheduled-time>'

export class PolicySchedules extends Construct {
  constructor(scope: Construct, id: string, { policies, startRun, deadLetters }: PolicySchedulesProps) {
    super(scope, id)
    const scheduled = Object.entries(policies).flatMap(([name, { schedule }]) =>
      schedule === undefined ? [] : [[name, schedule] as const],
    )
    if (scheduled.length === 0) return
    const group = new CfnScheduleGroup(this, 'Group', { name: nameIn(this, SCHEDULE_GROUP) })
    const role = new Role(this, 'Role', { assumedBy: onBehalfOfSchedules(this, nameIn(this, SCHEDULE_GROUP)) })
    role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [startRun.functionArn] }))
    role.addToPolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [deadLetters.queueArn] }))

    const schedules = new Construct(this, 'Policies')
    for (const [policy, schedule] of scheduled) {
      const deployed = new CfnSchedule(schedules, policy, {
        name: policy,
        groupName: nameIn(this, SCHEDULE_GROUP),
        description: `Runs the policy ${policy} of treasury.json.`,
        ...timingOf(schedule),
        target: {
          arn: startRun.functionArn,
          roleArn: role.roleArn,
          input: inputOf(policy),
          retryPolicy: {
            maximumRetryAttempts: schedule.retries,
            maximumEventAgeInSeconds: schedule.maxEventAgeSeconds,
          },
          deadLetterConfig: { arn: deadLetters.queueArn },
        },
      })
      deployed.addResourceDependency(group)
      // The service tests the role's permissions when the schedule is created.
      deployed.node.addDependency(role)
    }
  }
}

function timingOf(schedule: Schedule) {
  const { expression, timeZone } = scheduledTick(schedule)
  return {
    scheduleExpression: expression,
    scheduleExpressionTimezone: timeZone,
    // Off, because a run reads current balances: spreading runs over time has no use.
    flexibleTimeWindow: { mode: 'OFF' },
  }
}

function inputOf(policy: string): string {
  const input: ScheduledStart = { source: 'schedule', policy, scheduledTime: SCHEDULED_TIME }
  return JSON.stringify(input)
}

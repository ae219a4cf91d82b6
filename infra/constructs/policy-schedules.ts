// Owns when policies run: one schedule of EventBridge Scheduler for each policy that has one, in shadow mode
// too. A schedule hands the time at which it was due to StartRun, so that a start handed over twice is one run. It is told
// neither start nor end, and no rate: those would move, or stop, a later deployment. StartRun holds to them.
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
  /** What could not be handed over. */
  readonly deadLetters: IQueue
}

/** Filled in by EventBridge Scheduler at each delivery: the time that was due, not that of the attempt. */
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
      const one = new CfnSchedule(schedules, policy, {
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
      one.addResourceDependency(group)
      // The service tries the role's permissions when the schedule is made.
      one.node.addDependency(role)
    }
  }
}

function timingOf(schedule: Schedule) {
  const { expression, timeZone } = scheduledTick(schedule)
  return {
    scheduleExpression: expression,
    scheduleExpressionTimezone: timeZone,
    // A run reads balances as they are: it is no use to spread runs, nor to start one at another time.
    flexibleTimeWindow: { mode: 'OFF' },
  }
}

function inputOf(policy: string): string {
  const input: ScheduledStart = { source: 'schedule', policy, scheduledTime: SCHEDULED_TIME }
  return JSON.stringify(input)
}

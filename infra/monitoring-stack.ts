// Owns the alarms: what each watches. What it is called, means and how urgent it is, is said in core/contract/alarms.ts. Each
// has a section in docs/runbook.md, named in its description; a test compares them. Most go by metrics that functions write.
import { Duration, Stack, type StackProps } from 'aws-cdk-lib'
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IMetric,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import { StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import type { Construct } from 'constructs'
import { alarmOf, alarmTerms, type Watched } from '../core/contract/alarms.ts'
import { Dimension, METRIC_NAMESPACE, type MetricName } from '../core/contract/metrics.ts'
import { StateMachine as MachineName, type Verb } from '../core/contract/states.ts'
import type { Treasury } from '../core/contract/treasury.ts'
import { AlarmTopics } from './constructs/alarm-topics.ts'
import { deadLettersByName } from './constructs/dead-letters.ts'
import { nameIn } from './constructs/deployed-name.ts'
import { Overview } from './constructs/overview.ts'
import { runbookLink } from './constructs/runbook-link.ts'
import { logGroupNameOf } from './constructs/verb-function.ts'
import {
  eachWritten,
  MINUTE,
  moreIn,
  ofFunctions,
  ofPeople,
  oldestDeposit,
  undeliveredEvents,
  undeliveredSchedules,
  writtenMetric,
} from './constructs/watched-metrics.ts'
import { verbsOf } from './steps.ts'

export interface MonitoringStackProps extends StackProps {
  readonly treasury: Treasury
}

type Ring = Pick<
  AlarmProps,
  'comparisonOperator' | 'datapointsToAlarm' | 'evaluationPeriods' | 'threshold' | 'treatMissingData'
>
/** One is enough: each of these is about something that a person should look at. */
const AT_THE_FIRST: Ring = {
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  threshold: 1,
  evaluationPeriods: 1,
  treatMissingData: TreatMissingData.NOT_BREACHING,
}
/**
 * For what each look of five minutes meets anew: it rings once, until a quarter of an hour has gone by without it. An alarm
 * that let go between two looks would call somebody every five minutes, for one and the same thing. A fault of another
 * function rings meanwhile: such an alarm has a line for each.
 */
const ONCE: Ring = { ...AT_THE_FIRST, evaluationPeriods: 15, datapointsToAlarm: 1 }
/** For what should be there: silence rings. */
const AT_NONE: Ring = {
  ...AT_THE_FIRST,
  comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
  treatMissingData: TreatMissingData.BREACHING,
}
/** Steps are tried again after a failure: what matters is that they go on failing. */
const AGAIN_AND_AGAIN: Ring = { ...AT_THE_FIRST, threshold: 10, evaluationPeriods: 3 }
/** A token lives for a minute at most. It is dated by the service's clock as it was measured up to an hour before. */
const FAR_OFF: Ring = { ...AT_THE_FIRST, threshold: 10_000 }
/** Percent. The client slows down its reads; sends it never holds up. */
const NEARLY_USED_UP: Ring = {
  ...AT_THE_FIRST,
  comparisonOperator: ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
  threshold: 10,
}

/** A start that was queued is made within a second; one that failed comes again after six minutes. */
const LATE_SECONDS = 300

const EVERY = { statistic: Stats.SUM, period: MINUTE }
const FIVE_MINUTES = Duration.minutes(5)
/** Two may be left out: after that, nobody would see what does not tie out. */
const AUDIT_PERIOD = Duration.hours(3)

/** A function that is ended writes no metric: Lambda's own lines tell. */
const KILLED = 'FunctionsKilled'
const KILLED_LINES = [
  'Task timed out after',
  'Runtime.ExitError',
  'Runtime.OutOfMemory',
  'Runtime.ImportModuleError',
  'Runtime.HandlerNotFound',
  'Runtime.UnhandledPromiseRejection',
]

export class MonitoringStack extends Stack {
  constructor(scope: Construct, id: string, props: MonitoringStackProps) {
    super(scope, id, props)
    const { treasury } = props
    // Each is known here by its name, and may change.
    const functions = verbsOf(treasury)
    const topics = new AlarmTopics(this, 'Topics', { alarms: treasury.alarms })
    const alarms: Alarm[] = []

    const alarm = (name: Watched, metric: IMetric, ring: Ring = AT_THE_FIRST) => {
      const { means, severity } = alarmTerms(name)
      const raised = new Alarm(this, name, {
        alarmName: nameIn(this, alarmOf(name)),
        alarmDescription: `${severity}: ${means} What to do: ${runbookLink(alarmOf(name))}`,
        metric,
        ...ring,
      })
      raised.addAlarmAction(...topics.actionsOf(severity))
      alarms.push(raised)
    }
    const written = (name: MetricName, period = MINUTE) => writtenMetric(this, name, period)
    const machine = (name: MachineName) => StateMachine.fromStateMachineName(this, name, nameIn(this, name))

    const convert = machine(MachineName.Convert)
    const withdraw = machine(MachineName.Withdraw)
    const rebalance = machine(MachineName.Rebalance)
    const sweep = machine(MachineName.Sweep)
    alarm('convert-failed', convert.metricFailed(EVERY))
    alarm('convert-timed-out', convert.metricTimedOut(EVERY))
    alarm('convert-aborted', convert.metricAborted(EVERY))
    alarm('withdraw-failed', withdraw.metricFailed(EVERY))
    alarm('withdraw-timed-out', withdraw.metricTimedOut(EVERY))
    alarm('withdraw-aborted', withdraw.metricAborted(EVERY))
    alarm('rebalance-failed', rebalance.metricFailed(EVERY))
    alarm('rebalance-timed-out', rebalance.metricTimedOut(EVERY))
    alarm('rebalance-aborted', rebalance.metricAborted(EVERY))
    alarm('sweep-failed', sweep.metricFailed(EVERY))
    alarm('sweep-timed-out', sweep.metricTimedOut(EVERY))
    alarm('sweep-aborted', sweep.metricAborted(EVERY))

    // Such a run has been settled, so its execution succeeds: its step tells.
    alarm('run-attention', written('RunsInNeed'))
    alarm('breaker', written('BreakersOpened'))
    // The step is tried again for some 23 minutes, in which somebody may put the key right.
    alarm('key-fault', eachWritten(this, 'KeyFaults', Dimension.Verb), ONCE)
    alarm('own-fault', eachWritten(this, 'OwnFaults', Dimension.Verb), ONCE)
    alarm('entry-refused', eachWritten(this, 'EntriesRefused', Dimension.Kind), ONCE)
    alarm('defect', written('Defects'))

    alarm('schedules-waiting', written('UnverifiedStarts'))
    alarm('policy-late', written('LateStarts'))
    alarm('schedule-undelivered', undeliveredSchedules(this))
    alarm('event-undelivered', undeliveredEvents(this))
    const queue = deadLettersByName(this)
    const deadLetters = queue.metricApproximateNumberOfMessagesVisible({ ...EVERY, statistic: Stats.MAXIMUM })
    alarm('dead-letters', deadLetters)
    // While the first one is on, which may be for days.
    alarm('more-dead-letters', moreIn(queue))
    alarm('deposit-late', oldestDeposit(this), { ...AT_THE_FIRST, threshold: LATE_SECONDS })

    for (const verb of functions) this.countKilled(verb)
    alarm('function-killed', new Metric({ ...EVERY, namespace: nameIn(this, METRIC_NAMESPACE), metricName: KILLED }))
    alarm('function-errors', ofFunctions(this, functions, 'Errors', FIVE_MINUTES), AGAIN_AND_AGAIN)
    alarm('people-errors', ofPeople(this, 'people-errors', FIVE_MINUTES))
    alarm('doubt-errors', ofPeople(this, 'doubt-errors', FIVE_MINUTES))
    alarm('function-throttled', ofFunctions(this, functions, 'Throttles', FIVE_MINUTES))
    alarm('clock-offset', written('ClockOffset', FIVE_MINUTES), FAR_OFF)
    alarm('rate-limit', written('RateLimitLeft', FIVE_MINUTES), NEARLY_USED_UP)

    alarm('audit-finding', written('AuditFindings'))
    alarm('audit-silent', written('Audits', AUDIT_PERIOD), AT_NONE)
    new Overview(this, 'Overview', { alarms, functions, deadLetters })
  }

  private countKilled(verb: Verb): void {
    new MetricFilter(this, `${verb}Killed`, {
      logGroup: LogGroup.fromLogGroupName(this, `${verb}Log`, logGroupNameOf(this, verb)),
      filterPattern: FilterPattern.literal(KILLED_LINES.map((text) => `?"${text}"`).join(' ')),
      metricNamespace: nameIn(this, METRIC_NAMESPACE),
      metricName: KILLED,
      metricValue: '1',
    })
  }
}

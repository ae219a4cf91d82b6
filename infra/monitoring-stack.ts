// Owns the alarms and what each watches. Their names, meanings and severities are in core/contract/alarms.ts. Each
// alarm's description names its section in docs/runbook.md; a test compares them. Most alarms watch metrics that
// functions write.
import { Duration } from 'aws-cdk-lib'
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
import { StateMachine as MachineName, Verb } from '../core/contract/states.ts'
import { AlarmTopics, type AlarmTopicsProps } from './constructs/alarm-topics.ts'
import { deadLettersByName } from './constructs/dead-letters.ts'
import { nameIn } from './constructs/deployed-name.ts'
import { Overview } from './constructs/overview.ts'
import { runbookLink } from './constructs/runbook-link.ts'
import { logGroupNameOf } from './constructs/verb-function.ts'
import {
  callsOf,
  eachWritten,
  failedBackups,
  MINUTE,
  moreIn,
  ofFunctions,
  ofPeople,
  oldestDeposit,
  UNATTENDED,
  undeliveredEvents,
  undeliveredSchedules,
  writtenMetric,
} from './constructs/watched-metrics.ts'
import { SluiceStack, type SluiceStackProps } from './sluice-stack.ts'
import { verbsOf } from './steps.ts'

export interface MonitoringStackProps extends SluiceStackProps {
  /** Topics that the alarms of a severity notify as well. */
  readonly alarmTopics?: AlarmTopicsProps['also'] | undefined
}

type Ring = Pick<
  AlarmProps,
  'comparisonOperator' | 'datapointsToAlarm' | 'evaluationPeriods' | 'threshold' | 'treatMissingData'
>
/** Rings at the first event, because a person should examine each. */
const AT_THE_FIRST: Ring = {
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  threshold: 1,
  evaluationPeriods: 1,
  treatMissingData: TreatMissingData.NOT_BREACHING,
}
/**
 * Rings once for a fault that repeats every five minutes, until 15 minutes pass without it. An alarm that ended between
 * two repetitions would call a person every five minutes for the same fault. A fault of another function still rings,
 * because such an alarm has one line for each function.
 */
const ONCE: Ring = { ...AT_THE_FIRST, evaluationPeriods: 15, datapointsToAlarm: 1 }
/** Rings when an expected event is missing. */
const WHEN_MISSING: Ring = {
  ...AT_THE_FIRST,
  comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
  treatMissingData: TreatMissingData.BREACHING,
}
/**
 * Rings at the first event that AWS's services count. Their metrics may come late, so it looks again at earlier periods.
 * Source: Amazon CloudWatch User Guide, "Using math expressions" (FILL).
 */
const AT_THE_FIRST_OF_AWS: Ring = { ...AT_THE_FIRST, evaluationPeriods: 3, datapointsToAlarm: 1 }
/** Rings after 10 failures in each of 3 periods. Steps are retried, so only lasting failure matters. */
const WHEN_LASTING: Ring = { ...AT_THE_FIRST, threshold: 10, evaluationPeriods: 4, datapointsToAlarm: 3 }
/**
 * Rings at 10,000 ms. A token lives for a minute at most, and is dated by a clock offset that was measured up to an
 * hour before.
 */
const FAR_OFF: Ring = { ...AT_THE_FIRST, threshold: 10_000 }
/** Rings at 10 percent or less of the rate limit. The client slows down its reads, and never its sends. */
const NEARLY_USED_UP: Ring = {
  ...AT_THE_FIRST,
  comparisonOperator: ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
  threshold: 10,
}

/**
 * Age in seconds at which a queued start is late. A start takes a second, and a failed start comes again after six
 * minutes.
 */
const LATE_SECONDS = 300

const EVERY = { statistic: Stats.SUM, period: MINUTE }
const FIVE_MINUTES = Duration.minutes(5)
/** Three hours without an audit: two may fail before findings go unnoticed. */
const AUDIT_PERIOD = Duration.hours(3)
/** Three calls of LookAgain. */
const LOOK_AGAIN_PERIOD = Duration.minutes(15)

/** Metric for killed functions, counted from Lambda's own log lines, because a killed function writes no metric. */
const KILLED = 'FunctionsKilled'
const KILLED_LINES = [
  'Task timed out after',
  'Runtime.ExitError',
  'Runtime.OutOfMemory',
  'Runtime.ImportModuleError',
  'Runtime.HandlerNotFound',
  'Runtime.UnhandledPromiseRejection',
]

export class MonitoringStack extends SluiceStack {
  constructor(scope: Construct, { alarmTopics, ...props }: MonitoringStackProps) {
    super(scope, 'SluiceMonitoring', { description: 'Sluice: alarms.', ...props })
    const { treasury } = props
    // Each is known here by its name, and may change.
    const functions = verbsOf(treasury)
    const topics = new AlarmTopics(this, 'Topics', {
      alarms: treasury.alarms,
      ...(alarmTopics !== undefined && { also: alarmTopics }),
    })
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

    // The execution of this run succeeds, because the run was settled. So its step's metric rings.
    alarm('run-attention', written('RunsInNeed'))
    alarm('breaker', written('BreakersOpened'))
    // The step is retried for some 23 minutes, in which somebody may fix the key.
    alarm('key-fault', eachWritten(this, 'KeyFaults', Dimension.Verb), ONCE)
    alarm('own-fault', eachWritten(this, 'OwnFaults', Dimension.Verb), ONCE)
    alarm('entry-refused', eachWritten(this, 'EntriesRefused', Dimension.Kind), ONCE)
    alarm('defect', written('Defects'))

    alarm('schedules-waiting', written('UnverifiedStarts'))
    alarm('policy-late', written('LateStarts'))
    // A schedule whose role lost its permission fails every five minutes.
    alarm('schedule-undelivered', undeliveredSchedules(this), ONCE)
    alarm('event-undelivered', undeliveredEvents(this, functions.includes(Verb.StartOnFile)), AT_THE_FIRST_OF_AWS)
    const queue = deadLettersByName(this)
    const deadLetters = queue.metricApproximateNumberOfMessagesVisible({ ...EVERY, statistic: Stats.MAXIMUM })
    alarm('dead-letters', deadLetters)
    // Rings while the first alarm is already on, which may last for days.
    alarm('more-dead-letters', moreIn(queue), AT_THE_FIRST_OF_AWS)
    alarm('deposit-late', oldestDeposit(this), { ...AT_THE_FIRST, threshold: LATE_SECONDS })

    for (const verb of functions) this.countKilled(verb)
    alarm('function-killed', new Metric({ ...EVERY, namespace: nameIn(this, METRIC_NAMESPACE), metricName: KILLED }))
    const watched = { deployed: functions, period: FIVE_MINUTES }
    for (const name of UNATTENDED) alarm(name, ofFunctions(this, name, 'Errors', watched), WHEN_LASTING)
    alarm('people-errors', ofPeople(this, 'people-errors', FIVE_MINUTES), AT_THE_FIRST_OF_AWS)
    alarm('doubt-errors', ofPeople(this, 'doubt-errors', FIVE_MINUTES), AT_THE_FIRST_OF_AWS)
    alarm('function-throttled', ofFunctions(this, 'function-errors', 'Throttles', watched), AT_THE_FIRST_OF_AWS)
    alarm('run-throttled', ofFunctions(this, 'run-errors', 'Throttles', watched), AT_THE_FIRST_OF_AWS)
    alarm('trigger-throttled', ofFunctions(this, 'trigger-errors', 'Throttles', watched), AT_THE_FIRST_OF_AWS)
    alarm('clock-offset', written('ClockOffset', FIVE_MINUTES), FAR_OFF)
    alarm('rate-limit', written('RateLimitLeft', FIVE_MINUTES), NEARLY_USED_UP)

    alarm('audit-finding', written('AuditFindings'))
    alarm('backup-failed', failedBackups(this, treasury.journal?.copyRegion !== undefined), AT_THE_FIRST_OF_AWS)
    alarm('audit-silent', written('Audits', AUDIT_PERIOD), WHEN_MISSING)
    alarm('look-again-silent', callsOf(this, Verb.LookAgain, LOOK_AGAIN_PERIOD), WHEN_MISSING)
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

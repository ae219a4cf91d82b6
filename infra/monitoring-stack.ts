// Owns the alarms: what each watches. What it is called, means and how urgent it is, is said in core/contract/alarms.ts. Each
// has a section in docs/runbook.md, named in its description; a test compares them.
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
import { FilterPattern, type ILogGroup, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import { StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import type { Construct } from 'constructs'
import { alarmOf, alarmTerms, type Watched } from '../core/contract/alarms.ts'
import { ErrorName } from '../core/contract/errors.ts'
import { RunEnd } from '../core/contract/runs.ts'
import { StateMachine as MachineName, Verb } from '../core/contract/states.ts'
import type { Treasury } from '../core/contract/treasury.ts'
import { StartOutcome } from '../core/contract/triggers.ts'
import { AlarmTopics } from './constructs/alarm-topics.ts'
import { deadLettersByName } from './constructs/dead-letters.ts'
import { nameIn } from './constructs/deployed-name.ts'
import { runbookLink } from './constructs/runbook-link.ts'
import { logGroupNameOf } from './constructs/verb-function.ts'

export interface MonitoringStackProps extends StackProps {
  readonly treasury: Treasury
  /** What runs: each is known here by its name, and may change. */
  readonly functions: readonly Verb[]
}

type Ring = Pick<AlarmProps, 'comparisonOperator' | 'treatMissingData'>
/** One is enough: each of these is about money that a person should look at. */
const AT_THE_FIRST: Ring = {
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  treatMissingData: TreatMissingData.NOT_BREACHING,
}
/** For what should be there: silence rings. */
const AT_NONE: Ring = {
  comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
  treatMissingData: TreatMissingData.BREACHING,
}

const EVERY = { statistic: Stats.SUM, period: Duration.minutes(1) }
/** Two may be left out: after that, nobody would see what does not tie out. */
const AUDIT_PERIOD = Duration.hours(3)
const NAMESPACE = 'Sluice'
/** Names of metrics. */
const DEFECTS = 'Defects'
const KEY_FAULTS = 'KeyFaults'
const UNVERIFIED = 'UnverifiedStarts'
const FINDINGS = 'AuditFindings'
const RUNS_IN_NEED = 'RunsInNeed'
const BREAKERS = 'BreakersOpened'
const AUDITS = 'Audits'

/** Those that plan and settle runs, whose logs tell of breakers. */
const OF_RUNS = [Verb.PlanRebalance, Verb.PlanSweep, Verb.SettleRun]

export class MonitoringStack extends Stack {
  private readonly logGroups = new Map<Verb, ILogGroup>()

  constructor(scope: Construct, id: string, props: MonitoringStackProps) {
    super(scope, id, props)
    const topics = new AlarmTopics(this, 'Topics', { alarms: props.treasury.alarms })

    const alarm = (name: Watched, metric: IMetric, ring: Ring = AT_THE_FIRST) => {
      const { means, severity } = alarmTerms(name)
      const raised = new Alarm(this, name, {
        alarmName: nameIn(this, alarmOf(name)),
        alarmDescription: `${severity}: ${means} What to do: ${runbookLink(alarmOf(name))}`,
        metric,
        threshold: 1,
        evaluationPeriods: 1,
        ...ring,
      })
      raised.addAlarmAction(...topics.actionsOf(severity))
    }

    const namespace = nameIn(this, NAMESPACE)
    const counted = (metricName: string, period = EVERY.period) =>
      new Metric({ ...EVERY, namespace, metricName, period })
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

    // Such a run has been settled, so its execution succeeds: its log tells.
    const inNeed = `"\\"verb\\":\\"${Verb.SettleRun}\\"" "\\"outcome\\":\\"${RunEnd.NeedsAttention}\\""`
    this.countLines(Verb.SettleRun, 'InNeed', RUNS_IN_NEED, inNeed)
    alarm('run-attention', counted(RUNS_IN_NEED))
    for (const verb of OF_RUNS) this.countLines(verb, 'Breakers', BREAKERS, '"\\"breaker\\":"')
    alarm('breaker', counted(BREAKERS))

    alarm('key-fault', counted(KEY_FAULTS))

    const unverified = `"\\"verb\\":\\"${Verb.StartRun}\\"" "\\"outcome\\":\\"${StartOutcome.NotVerified}\\""`
    this.countLines(Verb.StartRun, 'Unverified', UNVERIFIED, unverified)
    alarm('schedules-waiting', counted(UNVERIFIED))

    const waiting = deadLettersByName(this).metricApproximateNumberOfMessagesVisible({
      ...EVERY,
      statistic: Stats.MAXIMUM,
    })
    alarm('dead-letters', waiting)

    for (const verb of props.functions) {
      // Lambda logs an error that leaves a handler with its name as errorType.
      const thrown = (name: ErrorName) => `"\\"errorType\\":\\"${name}\\""`
      const defects = [ErrorName.Defect, ErrorName.IntentLost].map((name) => `?${thrown(name)}`)
      this.countLines(verb, 'Defects', DEFECTS, defects.join(' '))
      // The step is tried again for some 23 minutes, in which somebody may put the key right.
      this.countLines(verb, 'KeyFaults', KEY_FAULTS, thrown(ErrorName.KeyFault))
    }

    this.countLines(Verb.Reconcile, 'Findings', FINDINGS, '"\\"finding\\":"')
    alarm('audit-finding', counted(FINDINGS))
    this.countLines(Verb.Reconcile, 'Audits', AUDITS, `"\\"verb\\":\\"${Verb.Reconcile}\\"" "\\"outcome\\":"`)
    const audits = counted(AUDITS, AUDIT_PERIOD)
    alarm('audit-silent', audits, AT_NONE)
    alarm('defect', counted(DEFECTS))
  }
  /** Counts the lines of a function's log that hold each text of `pattern`, or any of those with a `?`. */
  private countLines(verb: Verb, what: string, metricName: string, pattern: string): void {
    const logGroup =
      this.logGroups.get(verb) ?? LogGroup.fromLogGroupName(this, `${verb}Log`, logGroupNameOf(this, verb))
    this.logGroups.set(verb, logGroup)
    new MetricFilter(this, `${verb}${what}`, {
      logGroup,
      filterPattern: FilterPattern.literal(pattern),
      metricNamespace: nameIn(this, NAMESPACE),
      metricName,
      metricValue: '1',
    })
  }
}

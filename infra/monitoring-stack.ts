// Owns the alarms. Each has a section in docs/runbook.md, named in its description; a test compares them.
// They notify the topic of treasury.json (`alarms.topicArn`), and are silent but visible without one.
import { Duration, Stack, type StackProps } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, type IMetric, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs'
import { Topic } from 'aws-cdk-lib/aws-sns'
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import type { Construct } from 'constructs'
import { ErrorName } from '../functions/contract/errors.ts'
import type { Treasury } from '../functions/contract/treasury.ts'
import type { VerbFunction } from './constructs/verb-function.ts'

export interface MonitoringStackProps extends StackProps {
  readonly treasury: Treasury
  readonly convert: StateMachine
  readonly withdraw: StateMachine
  readonly functions: readonly VerbFunction[]
}

const EVERY = { statistic: Stats.SUM, period: Duration.minutes(1) }
const DEFECTS = { namespace: 'Sluice', metricName: 'Defects' }

export class MonitoringStack extends Stack {
  constructor(scope: Construct, id: string, props: MonitoringStackProps) {
    super(scope, id, props)
    const topicArn = props.treasury.alarms?.topicArn
    const action = topicArn === undefined ? undefined : new SnsAction(Topic.fromTopicArn(this, 'Topic', topicArn))

    const alarm = (name: string, what: string, metric: IMetric) => {
      const raised = new Alarm(this, name, {
        alarmName: `sluice-${name}`,
        alarmDescription: `${what} See "sluice-${name}" in docs/runbook.md.`,
        metric,
        // One is enough: each of these is about money that a person should look at.
        threshold: 1,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: 1,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      })
      if (action !== undefined) raised.addAlarmAction(action)
    }

    alarm('convert-failed', 'A conversion ended STUCK or NEEDS_ATTENTION.', props.convert.metricFailed(EVERY))
    alarm('convert-timed-out', 'A conversion met its last time bound.', props.convert.metricTimedOut(EVERY))
    alarm('convert-aborted', 'Somebody stopped a conversion under way.', props.convert.metricAborted(EVERY))
    alarm('withdraw-failed', 'A withdrawal ended STUCK or NEEDS_ATTENTION.', props.withdraw.metricFailed(EVERY))
    alarm('withdraw-timed-out', 'A withdrawal met its last time bound.', props.withdraw.metricTimedOut(EVERY))
    alarm('withdraw-aborted', 'Somebody stopped a withdrawal under way.', props.withdraw.metricAborted(EVERY))

    for (const { node, logGroup } of props.functions) {
      new MetricFilter(this, `${node.id}Defects`, {
        logGroup,
        // Lambda logs an error that leaves a handler with its name as errorType.
        filterPattern: FilterPattern.literal(`"\\"errorType\\":\\"${ErrorName.Defect}\\""`),
        metricNamespace: DEFECTS.namespace,
        metricName: DEFECTS.metricName,
        metricValue: '1',
      })
    }
    alarm('defect', 'A function met a bug or a broken contract of the service.', new Metric({ ...DEFECTS, ...EVERY }))
  }
}

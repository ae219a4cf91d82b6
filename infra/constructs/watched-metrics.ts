// Owns the metrics that alarms and the dashboard watch: those that functions write, by the table of
// core/contract/metrics.ts, and AWS's own.
import { Duration } from 'aws-cdk-lib'
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { backupVault, CHECKS_GROUP, SCHEDULE_GROUP } from '../../core/contract/deployed-names.ts'
import { DEPOSIT_QUEUE } from '../../core/contract/events.ts'
import { type Dimension, METRIC_NAMESPACE, METRICS, type MetricName } from '../../core/contract/metrics.ts'
import type { Verb } from '../../core/contract/states.ts'
import { verbsRinging } from '../steps.ts'
import { busIn, nameIn } from './deployed-name.ts'
import { ABORTED_RULE, ENDS_RULE } from './event-rules.ts'
import { ownKeyArn } from './own-keys.ts'
import { FILES_RULE } from './payout-files.ts'
import { REQUESTS_RULE } from './request-bus.ts'
import { functionNameOf } from './verb-function.ts'

export const MINUTE = Duration.minutes(1)
/** AWS Backup reports every five minutes, at times late. */
const HOUR = Duration.hours(1)

export function writtenMetric(scope: Construct, metricName: MetricName, period = MINUTE): Metric {
  const namespace = nameIn(scope, METRIC_NAMESPACE)
  return new Metric({ namespace, metricName, period, statistic: METRICS[metricName].statistic })
}

/**
 * One line for each value of a dimension. An alarm on it rings for each line separately: while it is on for one
 * function, it rings again for a second function. Source: Amazon CloudWatch User Guide, "Acting on alarm changes" (SNS
 * notifications of contributors).
 */
export function eachWritten(scope: Construct, metricName: MetricName, dimension: Dimension, period = MINUTE): IMetric {
  const schema = `SCHEMA("${nameIn(scope, METRIC_NAMESPACE)}", ${dimension})`
  // AWS requires the order as well as the groups.
  const expression = `SELECT SUM(${metricName}) FROM ${schema} GROUP BY ${dimension} ORDER BY SUM() DESC`
  return new MathExpression({ expression, period, label: `${metricName} of each ${dimension}` })
}

/** Deliveries that EventBridge Scheduler stopped retrying, or could not put into the dead-letter queue either. */
export function undeliveredSchedules(scope: Construct): IMetric {
  const groups = [SCHEDULE_GROUP, CHECKS_GROUP].map((group) => ({ ScheduleGroup: nameIn(scope, group) }))
  const names = ['InvocationDroppedCount', 'InvocationsFailedToBeSentToDeadLetterCount']
  return sumOf(
    groups.flatMap((dimensionsMap) =>
      names.map((metricName) => new Metric({ namespace: 'AWS/Scheduler', metricName, dimensionsMap, ...SUM })),
    ),
  )
}

/** Deliveries that a rule stopped retrying. A retried delivery does not count. */
export function undeliveredEvents(scope: Construct, hasFiles: boolean): IMetric {
  const rules = [
    { EventBusName: busIn(scope), RuleName: nameIn(scope, REQUESTS_RULE) },
    // This rule is on the account's default bus, which AWS omits from the dimensions.
    { RuleName: nameIn(scope, ENDS_RULE) },
    { RuleName: nameIn(scope, ABORTED_RULE) },
    ...(hasFiles ? [{ RuleName: nameIn(scope, FILES_RULE) }] : []),
  ]
  const names = ['FailedInvocations', 'InvocationsFailedToBeSentToDlq']
  return sumOf(
    rules.flatMap((dimensionsMap) =>
      names.map((metricName) => new Metric({ namespace: 'AWS/Events', metricName, dimensionsMap, ...SUM })),
    ),
  )
}

/**
 * Jobs of AWS Backup that failed, were aborted or did not start in time, and copies that failed. AWS counts a job under
 * the name of a vault. It does not document whether a copy counts under the vault that it comes from or goes to.
 * Source: AWS Backup Developer Guide, "AWS Backup metrics with Amazon CloudWatch".
 */
export function failedBackups(scope: Construct, hasCopies: boolean): IMetric {
  const vaultOf = (data: 'journal' | 'copies') => nameIn(scope, backupVault(ownKeyArn(scope, data)))
  const count = (metricName: string, BackupVaultName: string) =>
    new Metric({ namespace: 'AWS/Backup', metricName, dimensionsMap: { BackupVaultName }, ...SUM, period: HOUR })
  const jobs = ['NumberOfBackupJobsFailed', 'NumberOfBackupJobsAborted', 'NumberOfBackupJobsExpired']
  const vaults = hasCopies ? new Set([vaultOf('journal'), vaultOf('copies')]) : []
  return sumOf(
    [
      ...jobs.map((metricName) => count(metricName, vaultOf('journal'))),
      ...[...vaults].map((vault) => count('NumberOfCopyJobsFailed', vault)),
    ],
    HOUR,
  )
}

/**
 * How many messages a queue gained in the last minute, if it was not empty before: an alarm on its content is already
 * on then. Includes messages that somebody is reading, which are hidden for half a minute. A queue that is quiet for
 * hours reports nothing: the alarm on its content ends then, and rings at its next message.
 */
export function moreIn(queue: IQueue): IMetric {
  const held = { statistic: Stats.MAXIMUM, period: MINUTE }
  const usingMetrics = {
    seen: queue.metricApproximateNumberOfMessagesVisible(held),
    read: queue.metricApproximateNumberOfMessagesNotVisible(held),
  }
  const all = '(seen + read)'
  const expression = `IF((DIFF${all} > 0) AND (${all} > DIFF${all}), DIFF${all}, 0)`
  return new MathExpression({ expression, usingMetrics, period: MINUTE })
}

/** Age of the oldest start that a deposit asked for, in seconds. */
export function oldestDeposit(scope: Construct): IMetric {
  return new Metric({
    namespace: 'AWS/SQS',
    metricName: 'ApproximateAgeOfOldestMessage',
    dimensionsMap: { QueueName: nameIn(scope, DEPOSIT_QUEUE) },
    statistic: Stats.MAXIMUM,
    period: MINUTE,
  })
}

/** Calls of a function. A failed call counts too, and rings its own alarms. */
export function callsOf(scope: Construct, verb: Verb, period: Duration): IMetric {
  return ofFunction(scope, verb, 'Invocations', period)
}

/** Errors and throttles of the functions that ring `alarm`, in one sum. */
export function ofPeople(scope: Construct, alarm: 'people-errors' | 'doubt-errors', period: Duration): IMetric {
  const verbs = verbsRinging(alarm)
  return sumOf(
    verbs.flatMap((verb) => (['Errors', 'Throttles'] as const).map((name) => ofFunction(scope, verb, name, period))),
    period,
  )
}

/** Alarms of functions that nobody waits for. Each watches the functions of a part of the work, at most ten. */
export const UNATTENDED = ['function-errors', 'run-errors', 'trigger-errors'] as const

/**
 * Sum over the deployed functions that ring `alarm`. A query could not name them: the WHERE of Metrics Insights joins
 * conditions by AND only.
 */
export function ofFunctions(
  scope: Construct,
  alarm: (typeof UNATTENDED)[number],
  metricName: 'Errors' | 'Throttles',
  { deployed, period }: { readonly deployed: readonly Verb[]; readonly period: Duration },
): IMetric {
  const verbs = verbsRinging(alarm).filter((verb) => deployed.includes(verb))
  // A dashboard shows several sums side by side, so their ids differ.
  const named = verbs.map((verb) => [
    `${metricName.toLowerCase()}_${verb}`,
    ofFunction(scope, verb, metricName, period),
  ])
  const usingMetrics: Record<string, IMetric> = Object.fromEntries(named)
  return new MathExpression({
    ...{ expression: sumExpression(Object.keys(usingMetrics)), usingMetrics, period },
    label: `${metricName} of ${alarm}`,
  })
}

function ofFunction(
  scope: Construct,
  verb: Verb,
  metricName: 'Errors' | 'Throttles' | 'Invocations',
  period: Duration,
): IMetric {
  const dimensionsMap = { FunctionName: functionNameOf(scope, verb) }
  return new Metric({ namespace: 'AWS/Lambda', metricName, dimensionsMap, ...SUM, period })
}

const SUM = { statistic: Stats.SUM, period: MINUTE }

/** The sum of at most ten metrics, which is CloudWatch's maximum for an alarm. */
function sumOf(metrics: readonly IMetric[], period = MINUTE): IMetric {
  const usingMetrics = Object.fromEntries(metrics.map((metric, at) => [`m${at}`, metric]))
  return new MathExpression({ expression: sumExpression(Object.keys(usingMetrics)), usingMetrics, period })
}

/**
 * SUM leaves out missing values, such as those of a function that never ran. FILL must not stand for them in an alarm: the
 * newest minute of a late metric would always have its value. Source: Amazon CloudWatch User Guide, "Using math expressions"
 * (FILL).
 */
function sumExpression(ids: readonly string[]): string {
  return `SUM([${ids.join(', ')}])`
}

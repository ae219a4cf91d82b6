// Checks whether somebody hears when something goes wrong: each alarm of the deployment is there, acts, and the topic behind
// it has a subscriber. Reads only.
import { CloudWatchClient, DescribeAlarmsCommand, type MetricAlarm } from '@aws-sdk/client-cloudwatch'
import { ALARMS } from '../../../core/contract/alarms.ts'
import { deployedName } from '../../../core/contract/deployed-names.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { AWS_LIMITS, awsErrorName, requestLimits } from '../../../core/keys/aws-limits.ts'
import { topicCheck } from '../before-deploy/resources.ts'
import { type Check, fail, ok, warn } from '../check.ts'

const CHECK = 'alarms'
/** One page has them all. */
const PAGE = 100
/** Each costs a request. */
const MOST_TOPICS = 5

export async function alarmChecks({
  alarms,
  environment,
}: Pick<Treasury, 'alarms' | 'environment'>): Promise<readonly Check[]> {
  const client = new CloudWatchClient(requestLimits(AWS_LIMITS))
  const names = ALARMS.map((name) => deployedName(name, environment))
  try {
    const region = await client.config.region()
    const { MetricAlarms: found = [] } = await client.send(
      new DescribeAlarmsCommand({ AlarmNames: names, MaxRecords: PAGE }),
    )
    const named = alarms === undefined ? [] : [alarms.topicArn]
    const topics = [...new Set([...named, ...found.flatMap(topicsOf)])].slice(0, MOST_TOPICS)
    const heard =
      topics.length === 0
        ? [await topicCheck({ alarms: undefined }, { region })]
        : await Promise.all(topics.map((topicArn) => topicCheck({ alarms: { topicArn } }, { region })))
    return [...judgeAlarms(names, found, topics.length > 0), ...heard]
  } catch (error) {
    return [warn(CHECK, `not known (${awsErrorName(error)})`, 'let these credentials call cloudwatch:DescribeAlarms')]
  } finally {
    client.destroy()
  }
}

function topicsOf({ AlarmActions = [] }: MetricAlarm): string[] {
  return AlarmActions.filter((action) => action.split(':')[2] === 'sns')
}

/** `isWired`: false where no alarm has anybody to tell. That is one finding, and not one of each alarm. */
function judgeAlarms(names: readonly string[], found: readonly MetricAlarm[], isWired: boolean): readonly Check[] {
  const missing = names.filter((name) => !found.some(({ AlarmName }) => AlarmName === name))
  if (missing.length === names.length)
    return [fail(CHECK, `none of the ${names.length} alarms of this deployment is there`, 'npm run deploy')]
  const silenced = namesOf(found.filter(({ ActionsEnabled }) => ActionsEnabled === false))
  const mute = namesOf(found.filter(({ AlarmActions = [] }) => AlarmActions.length === 0))
  const findings = [
    ...(missing.length === 0 ? [] : [fail(CHECK, `missing: ${missing.join(', ')}`, 'npm run deploy')]),
    ...(silenced.length === 0
      ? []
      : [
          warn(
            CHECK,
            `their actions are switched off: ${silenced.join(', ')}`,
            `aws cloudwatch enable-alarm-actions --alarm-names ${silenced.join(' ')}`,
          ),
        ]),
    ...(isWired && mute.length > 0
      ? [warn(CHECK, `they tell nobody: ${mute.join(', ')}`, 'npm run deploy: it wires them to alarms.topicArn')]
      : []),
  ]
  return findings.length > 0 ? findings : [ok(CHECK, `all ${names.length} are there, and switched on`)]
}

function namesOf(alarms: readonly MetricAlarm[]): string[] {
  return alarms.map(({ AlarmName = '(unnamed)' }) => AlarmName)
}

// Checks whether somebody hears alarms. Each alarm of the deployment exists and acts, and each topic has a subscriber,
// or another topic for the same alarms has. Before a deployment it checks the addresses and topics of treasury.json.
// Reads only.

import { CloudWatchClient, DescribeAlarmsCommand, type MetricAlarm } from '@aws-sdk/client-cloudwatch'
import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns'
import { ALARMS, Severity, topicOf } from '../../../core/contract/alarms.ts'
import { deployedName } from '../../../core/contract/deployed-names.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { errorName } from '../../../core/error-name.ts'
import { AWS_LIMITS, requestLimits } from '../../../core/keys/aws-limits.ts'
import { counted } from '../../../core/printable.ts'
import { withClient } from '../../../place/aws/with-client.ts'
import { advice, DEPLOY } from '../../../place/next-step.ts'
import { type Check, fail, notKnown, ok, warn } from '../check.ts'

const CHECK = 'alarms'
/** Alarms in one request; all of them fit. */
const PAGE = 100
/** Maximum topics that are checked, because each costs a request. */
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
    const named = [alarms?.topicArn, ...Object.values(alarms?.topics ?? {})].flatMap((arn) => arn ?? [])
    const topics = [...new Set([...named, ...found.flatMap(topicsOf)])].slice(0, MOST_TOPICS)
    const heard =
      topics.length === 0
        ? [await listenersCheck({ alarms: undefined }, { region })]
        : await topicChecks(topics, { region, hearsAll: alarms?.topicArn })
    return [...judgeAlarms(names, found, topics.length > 0), ...heard]
  } catch (error) {
    return [notKnown(CHECK, error, 'let these credentials call cloudwatch:DescribeAlarms')]
  } finally {
    client.destroy()
  }
}

const MADE: readonly string[] = Object.values(Severity).map(topicOf)

/**
 * The topic of treasury.json receives every alarm. Where it has a subscriber, the topics of the deployment need none.
 */
async function topicChecks(
  topics: readonly string[],
  { hearsAll, region }: { readonly region: string; readonly hearsAll: string | undefined },
): Promise<readonly Check[]> {
  const asked = await Promise.all(
    topics.map(async (topicArn) => {
      const name = topicArn.slice(topicArn.lastIndexOf(':') + 1)
      const isMade = MADE.some((made) => name === made || name.endsWith(`-${made}`))
      return { isMade, topicArn, check: await topicCheck({ topicArn, region, ...(isMade && { made: name }) }) }
    }),
  )
  const isHeardAnyway = asked.some(({ check, topicArn }) => topicArn === hearsAll && check.status === 'ok')
  return asked.map(({ check, isMade }) =>
    isHeardAnyway && isMade && check.status === 'warn'
      ? ok(check.check, `${check.detail}; alarms.topicArn hears all`)
      : check,
  )
}

function topicsOf({ AlarmActions = [] }: MetricAlarm): string[] {
  return AlarmActions.filter((action) => action.split(':')[2] === 'sns')
}

/** `isWired`: false where no alarm has a topic. That is reported once, and not for each alarm. */
function judgeAlarms(names: readonly string[], found: readonly MetricAlarm[], isWired: boolean): readonly Check[] {
  const missing = names.filter((name) => !found.some(({ AlarmName }) => AlarmName === name))
  if (missing.length === names.length)
    return [fail(CHECK, `none of the ${names.length} alarms of this deployment is there`, DEPLOY)]
  const silenced = namesOf(found.filter(({ ActionsEnabled }) => ActionsEnabled === false))
  const mute = namesOf(found.filter(({ AlarmActions = [] }) => AlarmActions.length === 0))
  const findings = [
    ...(missing.length === 0 ? [] : [fail(CHECK, `missing: ${missing.join(', ')}`, DEPLOY)]),
    ...(silenced.length === 0
      ? []
      : [
          warn(CHECK, `their actions are switched off: ${silenced.join(', ')}`, {
            do: 'call-aws',
            call: 'cloudwatch enable-alarm-actions',
            options: { 'alarm-names': silenced.join(' ') },
          }),
        ]),
    ...(isWired && mute.length > 0
      ? [warn(CHECK, `nobody receives them: ${mute.join(', ')}`, advice`${DEPLOY}: it wires them to the topics`)]
      : []),
  ]
  return findings.length > 0 ? findings : [ok(CHECK, `all ${names.length} are there, and switched on`)]
}

function namesOf(alarms: readonly MetricAlarm[]): string[] {
  return alarms.map(({ AlarmName = '(unnamed)' }) => AlarmName)
}

const CLOUDWATCH = 'cloudwatch.amazonaws.com'

const TOPIC_CHECK = 'topic of alarms'
const NAME_AN_ADDRESS = 'name an address in treasury.json: "alarms": {"page": ["mailto:on-call@example.com"]}'

/** Whether somebody will hear the alarms, before there is a deployment. */
export async function listenersCheck(
  { alarms }: Pick<Treasury, 'alarms'>,
  { region }: { readonly region: string },
): Promise<Check> {
  const { page = [], ticket = [], topicArn = alarms?.topics?.page } = alarms ?? {}
  if (topicArn !== undefined) return topicCheck({ topicArn, region })
  if (page.length > 0)
    return ok(TOPIC_CHECK, `the deployment subscribes ${counted(page.length + ticket.length, 'address', 'addresses')}`)
  if (ticket.length > 0) return warn(TOPIC_CHECK, 'nobody hears what is urgent', NAME_AN_ADDRESS)
  return warn(TOPIC_CHECK, 'alarms ring and nobody hears them', NAME_AN_ADDRESS)
}

interface CheckedTopic {
  readonly topicArn: string
  readonly region: string
  /** The name of a topic that the deployment makes. Absent: treasury.json names the topic. */
  readonly made?: string
}

export async function topicCheck({ topicArn, region, made }: CheckedTopic): Promise<Check> {
  const check = made === undefined ? TOPIC_CHECK : `topic ${made}`
  if (topicArn.split(':')[3] !== region)
    return fail(
      check,
      `it is in ${topicArn.split(':')[3]}; alarms reach topics of ${region} only`,
      'name one of this region',
    )
  return withClient(new SNSClient(requestLimits(AWS_LIMITS)), async (client) => {
    const { Attributes: { Policy = '', SubscriptionsConfirmed = '0', SubscriptionsPending = '0' } = {} } =
      await client.send(new GetTopicAttributesCommand({ TopicArn: topicArn }))
    if (SubscriptionsConfirmed === '0') {
      if (SubscriptionsPending !== '0')
        return warn(
          check,
          `${SubscriptionsPending} asked, and nobody has confirmed yet`,
          'open the link in the mail of AWS Notifications; aws sns subscribe sends another one',
        )
      const next = made === undefined ? 'subscribe whoever is on call' : advice`${NAME_AN_ADDRESS}, and ${DEPLOY}`
      return warn(check, 'nobody has subscribed to it', next)
    }
    // A topic's default policy lets its own account publish, and CloudWatch with it.
    const letsIn =
      Policy.includes(CLOUDWATCH) || Policy.includes('AWS:SourceOwner') || Policy.includes('aws:SourceAccount')
    if (letsIn) return ok(check, `${SubscriptionsConfirmed} subscribed`)
    return warn(check, `its policy does not name ${CLOUDWATCH}`, `let ${CLOUDWATCH} call sns:Publish on it`)
  }).catch((error: unknown) => {
    const name = errorName(error)
    if (name === 'NotFoundException')
      return made === undefined
        ? fail(check, 'it does not exist', 'create it, or correct its ARN in alarms')
        : fail(check, 'it does not exist', DEPLOY)
    return notKnown(check, error, 'let these credentials call sns:GetTopicAttributes')
  })
}

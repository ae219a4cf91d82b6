// Checks whether the notices of treasury.json reach anybody: the address of each webhook is in its secret and allowed,
// and each topic has a subscriber. Reads only, and posts nothing; `sluice events notices test` posts.

import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { deployedName } from '../../../core/contract/deployed-names.ts'
import { noticeResource } from '../../../core/contract/sent-notices.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { errorName } from '../../../core/error-name.ts'
import { Refused } from '../../../core/errors.ts'
import { AWS_LIMITS, requestLimits } from '../../../core/keys/aws-limits.ts'
import { secretsManagerClient } from '../../../core/keys/secrets-manager-key-source.ts'
import { parseWebhookTarget } from '../../../core/notices/webhook-target.ts'
import { withClient } from '../../../place/aws/with-client.ts'
import { DEPLOY } from '../../../place/next-step.ts'
import { type Check, fail, notKnown, ok, warn } from '../check.ts'

export async function noticeChecks({
  environment,
  notices = [],
}: Pick<Treasury, 'environment' | 'notices'>): Promise<readonly Check[]> {
  if (notices.length === 0) return []
  const secrets = secretsManagerClient()
  const sns = new SNSClient(requestLimits(AWS_LIMITS))
  try {
    return await Promise.all(
      notices.map(({ name, to }) =>
        to.webhook === undefined
          ? topicCheck(sns, name, to.topicArn ?? deployedName(noticeResource(name), environment))
          : secretCheck(secrets, name, to.webhook.secret),
      ),
    )
  } finally {
    secrets.destroy()
    sns.destroy()
  }
}

async function secretCheck(client: SecretsManagerClient, name: string, secret: string): Promise<Check> {
  const check = `notice ${name}`
  const next = { do: 'set-notice', notice: name, at: { aws: true } } as const
  try {
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: secret }))
    parseWebhookTarget(SecretString, { isDesk: false })
    return ok(check, `its address is in the secret ${secret}`)
  } catch (error) {
    // The message names what is expected, and quotes nothing.
    if (error instanceof Refused) return fail(check, `${secret}: ${error.message}`, next)
    const why = errorName(error)
    if (why === 'ResourceNotFoundException') return fail(check, `there is no secret ${secret} with a value`, next)
    return notKnown(check, error, `let these credentials read the secret ${secret}`)
  }
}

async function topicCheck(client: SNSClient, name: string, topic: string): Promise<Check> {
  const check = `notice ${name}`
  try {
    const { Attributes: { SubscriptionsConfirmed = '0' } = {} } = await client.send(
      new GetTopicAttributesCommand({
        TopicArn: topic.startsWith('arn:') ? topic : await arnOf(topic, await client.config.region()),
      }),
    )
    if (SubscriptionsConfirmed !== '0') return ok(check, `${SubscriptionsConfirmed} subscribed`)
    return warn(check, 'nobody has subscribed, or confirmed yet', 'open the link in the mail of AWS Notifications')
  } catch (error) {
    const why = errorName(error)
    const make = topic.startsWith('arn:') ? 'make the topic, or correct to.topicArn' : DEPLOY
    if (why === 'NotFoundException') return fail(check, 'its topic does not exist', make)
    return notKnown(check, error, 'let these credentials call sns:GetTopicAttributes')
  }
}

/** The ARN of a topic in the caller's account. Throws the SDK's own errors. */
async function arnOf(topic: string, region: string): Promise<string> {
  return withClient(new STSClient(requestLimits(AWS_LIMITS)), async (client) => {
    const { Account = '', Arn = '' } = await client.send(new GetCallerIdentityCommand({}))
    return `arn:${Arn.split(':')[1]}:sns:${region}:${Account}:${topic}`
  })
}

// Builds the ports of Notify: the secrets of webhooks, the topics, and the way out. Has no access to the journal, to a
// key of the service, or to starts of runs.

import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager'
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns'
import { awsFault } from '../../core/aws-fault.ts'
import { systemClock } from '../../core/clock.ts'
import { type NoticeTopic, noticeResource, type PlainNotice } from '../../core/contract/sent-notices.ts'
import { errorName } from '../../core/error-name.ts'
import { Refused } from '../../core/errors.ts'
import { AWS_LIMITS, requestLimits } from '../../core/keys/aws-limits.ts'
import { secretsManagerClient } from '../../core/keys/secrets-manager-key-source.ts'
import { personText, subjectOf } from '../../core/notices/shapes.ts'
import { parseWebhookTarget, type WebhookTarget } from '../../core/notices/webhook-target.ts'
import { readTreasuryFile } from './deployed-configuration.ts'
import { readIsDesk, readTopicPrefix } from './environment.ts'
import { type Post, postNotice } from './post-notice.ts'

export function wireNotices(env: NodeJS.ProcessEnv) {
  const { environment, notices = [], service } = readTreasuryFile(env)
  const isDesk = readIsDesk(env)
  return {
    notices,
    // A desk has no environment, so its names carry no prefix.
    teller: { environment: isDesk ? undefined : environment, stage: service.stage, isDesk },
    clock: systemClock,
    target: wireTargets({ isDesk }),
    post: (post: Post) => postNotice(post, { isDesk }),
    // A desk has none of the account's topics, and a topic of its own for each.
    publish: wireTopics(readTopicPrefix(env), { isDesk }),
  }
}

/** Errors for a missing secret. Without its ARN AWS finds no permission, so it may answer AccessDenied. */
const NOT_THERE: ReadonlySet<string> = new Set(['AccessDeniedException', 'ResourceNotFoundException'])

/** Reads the secret for each notice, because notices are few and a replaced address counts at once. */
function wireTargets(place: { readonly isDesk: boolean }): (secret: string) => Promise<WebhookTarget> {
  const client = secretsManagerClient()
  return async (secret) => {
    const command = new GetSecretValueCommand({ SecretId: secret, VersionStage: 'AWSCURRENT' })
    const { SecretString } = await client.send(command).catch((error: unknown) => {
      const name = errorName(error)
      if (!NOT_THERE.has(name)) throw awsFault('the secret of a notice was not read', error)
      throw new Refused(
        'secret of the notice: it does not exist, or this function may not read it; set it with sluice events notices set',
      )
    })
    if (SecretString === undefined) throw new Refused('secret of the notice: expected a text, it holds bytes')
    return parseWebhookTarget(SecretString, place)
  }
}

/** `prefix`: the beginning of the ARNs of the deployment's topics, up to their names. */
function wireTopics(
  prefix: string,
  { isDesk }: { readonly isDesk: boolean },
): (topic: NoticeTopic, notice: PlainNotice) => Promise<void> {
  const client = new SNSClient(requestLimits(AWS_LIMITS))
  return async ({ name, topicArn }, notice) => {
    const TopicArn = isDesk || topicArn === undefined ? `${prefix}${noticeResource(name)}` : topicArn
    const command = new PublishCommand({ TopicArn, Subject: subjectOf(notice), Message: personText(notice) })
    await client.send(command).catch((error: unknown) => {
      throw awsFault('SNS did not take a notice', error)
    })
  }
}

// Reads what targets of rules and of schedules have in common: the retry policy and the dead-letter queue.
import type { RetryPolicy } from '../delivery/delivery.ts'
import type { Fields } from '../fields.ts'

/** AWS: what holds where a target says nothing, and the most of it. */
const MOST_RETRIES = 185
const MOST_AGE_SECONDS = 86_400
const LEAST_AGE_SECONDS = 60

export function readRetryPolicy(target: Fields): RetryPolicy {
  if (!target.has('RetryPolicy')) return { maxRetries: MOST_RETRIES, maxAgeSeconds: MOST_AGE_SECONDS }
  const policy = target.object('RetryPolicy')
  const read = {
    maxRetries: policy.findWhole('MaximumRetryAttempts', 0, MOST_RETRIES) ?? MOST_RETRIES,
    maxAgeSeconds:
      policy.findWhole('MaximumEventAgeInSeconds', LEAST_AGE_SECONDS, MOST_AGE_SECONDS) ?? MOST_AGE_SECONDS,
  }
  policy.close()
  return read
}

/** The ARN of a queue, or undefined. */
export function readDeadLetterArn(target: Fields): string | undefined {
  if (!target.has('DeadLetterConfig')) return undefined
  const config = target.object('DeadLetterConfig')
  const arn = config.findText('Arn')
  config.close()
  return arn
}

// Reads the parts that targets of rules and of schedules share: retry policy and dead-letter queue.
import type { RetryPolicy } from '../delivery/delivery.ts'
import type { Fields } from '../fields.ts'

/** The limits of AWS. The maximums are also the defaults of a target. */
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

/** Returns the ARN of the dead-letter queue, or undefined. */
export function readDeadLetterArn(target: Fields): string | undefined {
  if (!target.has('DeadLetterConfig')) return undefined
  const config = target.object('DeadLetterConfig')
  const arn = config.findText('Arn')
  config.close()
  return arn
}

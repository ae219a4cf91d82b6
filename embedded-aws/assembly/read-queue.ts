// Reads queues, which are dead-letter queues here, and how a function is tried again whose answer
// nobody waits for, from their resolved properties.
import type { Fields } from '../fields.ts'
import type { AsyncSettings } from '../lambda/async-invocations.ts'
import type { QueueDefinition } from '../sqs/queue-store.ts'
import type { Placed } from './identity.ts'

/** AWS: what holds where a queue says nothing. */
const VISIBILITY_TIMEOUT_SECONDS = 30
const RETENTION_SECONDS = 345_600

export function readQueue(properties: Fields, { arn, name }: Placed): QueueDefinition {
  properties.ignore([
    'QueueName',
    'KmsDataKeyReusePeriodSeconds',
    'KmsMasterKeyId',
    'ReceiveMessageWaitTimeSeconds',
    'SqsManagedSseEnabled',
    'Tags',
  ])
  return {
    name,
    arn,
    visibilityTimeoutSeconds: properties.findWhole('VisibilityTimeout', 0, 43_200) ?? VISIBILITY_TIMEOUT_SECONDS,
    retentionSeconds: properties.findWhole('MessageRetentionPeriod', 60, 1_209_600) ?? RETENTION_SECONDS,
  }
}

/** An AWS::Lambda::EventInvokeConfig: its function by name or ARN, and what it sets. */
export function readAsyncSettings(properties: Fields): Partial<AsyncSettings> & { readonly functionName: string } {
  const qualifier = properties.text('Qualifier')
  if (qualifier !== '$LATEST') throw properties.refuse('Qualifier', 'only $LATEST is supported')
  const maxRetries = properties.findWhole('MaximumRetryAttempts', 0, 2)
  const maxAgeSeconds = properties.findWhole('MaximumEventAgeInSeconds', 60, 21_600)
  return {
    functionName: properties.text('FunctionName'),
    ...(maxRetries !== undefined && { maxRetries }),
    ...(maxAgeSeconds !== undefined && { maxAgeSeconds }),
    ...readDestination(properties),
  }
}

function readDestination(properties: Fields): { readonly onFailureArn?: string } {
  if (!properties.has('DestinationConfig')) return {}
  const config = properties.object('DestinationConfig')
  const onFailure = config.object('OnFailure')
  const onFailureArn = onFailure.text('Destination')
  onFailure.close()
  config.close()
  return { onFailureArn }
}

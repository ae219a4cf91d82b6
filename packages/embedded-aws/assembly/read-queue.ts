// Reads queues, event source mappings, and the retry settings of asynchronous invocations from their resolved
// properties.
// Source: CloudFormation template reference, AWS::SQS::Queue, AWS::Lambda::EventSourceMapping.
import type { Fields } from '../fields.ts'
import type { AsyncSettings } from '../lambda/async-invocations.ts'
import type { EventSourceDefinition } from '../sqs/event-source.ts'
import type { QueueDefinition } from '../sqs/queue-store.ts'
import type { Placed } from './identity.ts'

/** The defaults of AWS for a queue. */
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
    redrive: readRedrive(properties),
  }
}

function readRedrive(properties: Fields): QueueDefinition['redrive'] {
  return properties.findWithin('RedrivePolicy', (policy) => {
    const deadLetterArn = policy.text('deadLetterTargetArn')
    const mostReceives = policy.findWhole('maxReceiveCount', 1, 1000)
    if (mostReceives === undefined) throw policy.refuse('maxReceiveCount', 'is missing')
    return { deadLetterArn, mostReceives }
  })
}

/** Reads an AWS::Lambda::EventSourceMapping of a queue. Refuses other sources. */
export function readEventSource(properties: Fields, arnOf: (nameOrArn: string) => string): EventSourceDefinition {
  properties.ignore(['Tags'])
  const queueArn = properties.text('EventSourceArn')
  if (!queueArn.startsWith('arn:aws:sqs:')) throw properties.refuse('EventSourceArn', 'only queues are supported')
  // Above ten, AWS requires a window to gather batches, which does not exist here.
  const batchSize = properties.findWhole('BatchSize', 1, 10) ?? 10
  properties.findWhole('MaximumBatchingWindowInSeconds', 0, 0)
  const types = properties.findList('FunctionResponseTypes').map(String)
  const other = types.find((type) => type !== 'ReportBatchItemFailures')
  if (other !== undefined) throw properties.refuse('FunctionResponseTypes', `${other} is not supported`)
  return {
    queueArn,
    functionArn: arnOf(properties.text('FunctionName')),
    batchSize,
    mostAtOnce: properties.findWithin('ScalingConfig', (scaling) => scaling.findWhole('MaximumConcurrency', 2, 1000)),
    reportsItems: types.length > 0,
  }
}

/** Reads an AWS::Lambda::EventInvokeConfig: its function, by name or ARN, and its settings. */
export function readAsyncSettings(properties: Fields): Partial<AsyncSettings> & { readonly functionName: string } {
  const qualifier = properties.text('Qualifier')
  if (qualifier !== '$LATEST') throw properties.refuse('Qualifier', 'only $LATEST is supported')
  const maxRetries = properties.findWhole('MaximumRetryAttempts', 0, 2)
  const maxAgeSeconds = properties.findWhole('MaximumEventAgeInSeconds', 60, 21_600)
  return {
    functionName: properties.text('FunctionName'),
    ...(maxRetries !== undefined && { maxRetries }),
    ...(maxAgeSeconds !== undefined && { maxAgeSeconds }),
    ...properties.findWithin('DestinationConfig', (config) => ({
      onFailureArn: config.within('OnFailure', (destination) => destination.text('Destination')),
    })),
  }
}

// The notifications of a new object: S3's event for EventBridge, and its own record for functions and queues.
// Source: Amazon S3 User Guide, "Event message structure" and "EventBridge event message structure".
import { DEFAULT_BUS, type Entry } from '../events/put-events.ts'
import type { BucketDefinition, NotifiedTarget, ObjectVersion } from './bucket-store.ts'
import { UNVERSIONED } from './bucket-store.ts'

export interface Place {
  readonly account: string
  readonly region: string
}

const THIS_MACHINE = '127.0.0.1'

/** Returns the event that EventBridge's default bus gets. */
export function busEvent(bucket: BucketDefinition, version: ObjectVersion, requestId: string, account: string): Entry {
  const { etag, key, size, versionId, writtenMs } = version
  return {
    source: 'aws.s3',
    detailType: 'Object Created',
    bus: DEFAULT_BUS,
    resources: [bucket.arn],
    timeMs: writtenMs,
    detail: {
      version: '0',
      bucket: { name: bucket.name },
      object: { key, size, etag, ...versioned('version-id', versionId), sequencer: sequencerOf(version) },
      'request-id': requestId,
      requester: account,
      'source-ip-address': THIS_MACHINE,
      reason: 'PutObject',
    },
  }
}

/** Returns the message for a function or a queue. Its key is encoded as in a form. */
export function record(
  bucket: BucketDefinition,
  version: ObjectVersion,
  requestId: string,
  { account, region }: Place,
): object {
  const { etag, key, size, versionId, writtenMs } = version
  const eTag = etag
  const object = {
    ...{ key: formEncoded(key), size, eTag },
    ...versioned('versionId', versionId),
    sequencer: sequencerOf(version),
  }
  return {
    eventVersion: '2.1',
    eventSource: 'aws:s3',
    awsRegion: region,
    eventTime: new Date(writtenMs).toISOString(),
    eventName: 'ObjectCreated:Put',
    userIdentity: { principalId: account },
    requestParameters: { sourceIPAddress: THIS_MACHINE },
    responseElements: { 'x-amz-request-id': requestId },
    s3: {
      s3SchemaVersion: '1.0',
      configurationId: 'embedded',
      bucket: { name: bucket.name, ownerIdentity: { principalId: account }, arn: bucket.arn },
      object,
    },
  }
}

export function isNotified({ prefix, suffix }: NotifiedTarget, key: string): boolean {
  return key.startsWith(prefix) && key.endsWith(suffix)
}

function versioned(name: string, versionId: string): Readonly<Record<string, string>> {
  return versionId === UNVERSIONED ? {} : { [name]: versionId }
}

/** Orders the events of one key, as hexadecimal text. */
function sequencerOf({ sequence }: ObjectVersion): string {
  return sequence.toString(16).toUpperCase().padStart(18, '0')
}

function formEncoded(key: string): string {
  return key
    .split('/')
    .map((part) => encodeURIComponent(part).replaceAll('%20', '+'))
    .join('/')
}

// Starts the conversion that a new object asks for. The id is in the object, so that the same event twice, or the same content
// put again, is one purchase. An object that can never be right becomes a dead letter with its reason.
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { S3ObjectCreatedNotificationEvent } from 'aws-lambda'
import { bury, findReason } from '../take-request.js'

/** A request has less. */
const MOST_BYTES = 10_000

const s3 = new S3Client({})

export async function handler({ detail }: S3ObjectCreatedNotificationEvent): Promise<void> {
  const reason = detail.object.size > MOST_BYTES ? `body: expected at most ${MOST_BYTES} bytes` : await reasonOf(detail)
  if (reason === undefined) return
  const { bucket, object } = detail
  // The dead letter names the version, which has the content.
  await bury(JSON.stringify({ bucket: bucket.name, key: object.key, versionId: object['version-id'] }), reason)
}

/** Reads the version of the event. A later object under the same key has an event of its own. */
async function reasonOf({ bucket, object }: S3ObjectCreatedNotificationEvent['detail']): Promise<string | undefined> {
  const request = { Bucket: bucket.name, Key: object.key, VersionId: object['version-id'] }
  const { Body } = await s3.send(new GetObjectCommand(request))
  return findReason((await Body?.transformToString()) ?? '')
}

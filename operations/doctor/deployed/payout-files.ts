// Checks the buckets from which payout files come: without events for EventBridge nobody hears of a file, and without versions
// every file is refused. Reads only.

import { GetBucketNotificationConfigurationCommand, GetBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { errorName } from '../../../core/error-name.ts'
import { placesOfFiles } from '../../../core/treasury/policy-files.ts'
import { clientConfigAt, deploymentOf } from '../../../place/aws/aws-address.ts'
import { withClient } from '../../../place/aws/with-client.ts'
import { type Check, fail, notKnown, ok } from '../check.ts'

/** One check for each bucket; empty without payout files. */
export async function payoutFileChecks(treasury: Treasury): Promise<readonly Check[]> {
  const buckets = [...new Set(placesOfFiles(treasury.policies).map(({ files }) => files.bucket))]
  if (buckets.length === 0) return []
  return withClient(new S3Client(clientConfigAt(deploymentOf(treasury))), async (client) =>
    Promise.all(buckets.map((bucket) => bucketCheck(bucket, client))),
  )
}

/** Settings of a bucket on which payout files depend. */
interface BucketFacts {
  readonly bucket: string
  readonly keepsVersions: boolean
  readonly sendsEvents: boolean
}

async function bucketCheck(Bucket: string, client: S3Client): Promise<Check> {
  try {
    const [versioning, notifications] = await Promise.all([
      client.send(new GetBucketVersioningCommand({ Bucket })),
      client.send(new GetBucketNotificationConfigurationCommand({ Bucket })),
    ])
    return checkOf({
      bucket: Bucket,
      keepsVersions: versioning.Status === 'Enabled',
      sendsEvents: notifications.EventBridgeConfiguration !== undefined,
    })
  } catch (error) {
    if (errorName(error) === 'NoSuchBucket') {
      const next = `make the bucket, or correct files.bucket; docs/policies.md, "Payout files from S3", has the settings`
      return fail(checkName(Bucket), 'it does not exist: no file can come', next)
    }
    const permit = 'let these credentials call s3:GetBucketVersioning and s3:GetBucketNotification'
    return notKnown(checkName(Bucket), error, permit)
  }
}

const checkName = (bucket: string) => `payout files ${bucket}`

/** Pure. */
export function checkOf({ bucket, keepsVersions, sendsEvents }: BucketFacts): Check {
  const name = checkName(bucket)
  const next = 'docs/policies.md, "Payout files from S3", has the command'
  if (!sendsEvents) return fail(name, 'it sends no events to EventBridge: nobody hears of a file', next)
  if (!keepsVersions) return fail(name, 'it keeps no versions: every file is refused', next)
  return ok(name, 'it keeps versions, and sends events to EventBridge')
}

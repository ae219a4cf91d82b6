// Reads one version of an object of S3, up to a bound. A version never changes.
// Source: Amazon S3 API reference, GetObject.
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { awsFault } from '../aws-fault.ts'
import type { VersionOfObject } from './names.ts'

/** Undefined for a version of more than `mostBytes`, of which nothing is kept. @throws Transient, OwnFault */
export type ReadVersion = (version: VersionOfObject, mostBytes: number) => Promise<Uint8Array | undefined>

export function createObjectReader(client: S3Client): ReadVersion {
  return async ({ bucket, key, versionId }, mostBytes) => {
    const command = new GetObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId })
    // Aborting ends a body that nobody reads.
    const controller = new AbortController()
    try {
      const { Body, ContentLength } = await client.send(command, { abortSignal: controller.signal })
      if (ContentLength === undefined || ContentLength > mostBytes) return undefined
      return (await Body?.transformToByteArray()) ?? new Uint8Array()
    } catch (error) {
      throw awsFault('S3 did not give a version of an object', error)
    } finally {
      controller.abort()
    }
  }
}

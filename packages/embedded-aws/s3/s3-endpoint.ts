// Answers the S3 API on the wire (REST), with the bucket in the path: PutObject, GetObject, HeadObject, ListObjectsV2,
// ListObjectVersions and HeadBucket. Only the template creates buckets, and nothing deletes objects.
// Source: Amazon S3 API Reference.
import { AwsError } from '../aws-error.ts'
import {
  findText,
  isSignedFor,
  type Permission,
  type RequestBody,
  type RestEndpoint,
  textOf,
} from '../endpoint/endpoint.ts'
import { isObject } from '../fields.ts'
import type { BucketStore, ObjectVersion } from './bucket-store.ts'
import { type Content, contentAnswer, type List, listAnswer, refusalAnswer, writtenAnswer } from './s3-answer.ts'
import { readRequest } from './s3-request.ts'

/** S3's maximum of one page. */
const MOST_LISTED = 1000

export interface S3Options {
  readonly buckets: readonly BucketStore[]
  /** Called for each new object, which is on disk. Its notifications are on disk when it returns. */
  readonly onCreated: (bucket: BucketStore, version: ObjectVersion) => void
}

export function s3Endpoint({ buckets, onCreated }: S3Options): RestEndpoint {
  const find = (body: RequestBody) => buckets.find(({ definition }) => definition.name === body.Bucket)
  return {
    service: 's3',
    find(head) {
      if (!isSignedFor('s3', head)) return undefined
      const { fields, operation } = readRequest(head)
      return {
        operation,
        bodyOf: (payload) => (operation === 'PutObject' ? { ...fields, Body: payload } : fields),
        answerOf: (performed) => ANSWERS[operation]?.(performed) ?? { headers: {}, body: '' },
        refusalOf: refusalAnswer,
      }
    },
    permissionsFor(operation, body) {
      const bucket = find(body)
      const arn = bucket?.definition.arn ?? `arn:aws:s3:::${findText(body, 'Bucket') ?? ''}`
      return permissionsFor(operation, body, arn, bucket)
    },
    async perform(operation, body) {
      const bucket = find(body)
      if (bucket === undefined) throw new AwsError('NoSuchBucket', 'The specified bucket does not exist', 404)
      switch (operation) {
        case 'PutObject': {
          const version = put(bucket, body)
          onCreated(bucket, version)
          return version
        }
        case 'GetObject':
        case 'HeadObject':
          return contentIn(bucket, body)
        case 'ListObjectsV2':
          return objectsIn(bucket, body)
        case 'ListObjectVersions':
          return versionsIn(bucket, body)
        default:
          return undefined
      }
    },
  }
}

const ANSWERS: Readonly<Record<string, (performed: unknown) => ReturnType<typeof contentAnswer>>> = {
  PutObject: (performed) => writtenAnswer(performed as ObjectVersion),
  GetObject: (performed) => contentAnswer(performed as Content),
  HeadObject: (performed) => contentAnswer(performed as Content),
  ListObjectsV2: (performed) => listAnswer(performed as List),
  ListObjectVersions: (performed) => listAnswer(performed as List),
}

function permissionsFor(
  operation: string,
  body: RequestBody,
  arn: string,
  bucket: BucketStore | undefined,
): readonly Permission[] | undefined {
  const list = { action: 's3:ListBucket', resource: arn }
  const key = findText(body, 'Key') ?? ''
  const resource = `${arn}/${key}`
  switch (operation) {
    case 'PutObject':
      return [{ action: 's3:PutObject', resource }]
    case 'GetObject':
    case 'HeadObject': {
      const versionId = findText(body, 'VersionId')
      const action = versionId === undefined ? 's3:GetObject' : 's3:GetObjectVersion'
      const isKnown = bucket?.find(key, versionId) !== undefined
      // Without the permission to list, a caller must not learn which keys are free.
      return [{ action, resource }, ...(isKnown ? [] : [list])]
    }
    case 'HeadBucket':
    case 'ListObjectsV2':
      return [list]
    case 'ListObjectVersions':
      return [{ action: 's3:ListBucketVersions', resource: arn }]
    default:
      return undefined
  }
}

function put(bucket: BucketStore, body: RequestBody): ObjectVersion {
  const content = body.Body
  if (!Buffer.isBuffer(content)) throw new AwsError('MissingRequestBodyError', 'Request Body is empty')
  return bucket.put({
    key: textOf(body, 'Key'),
    content,
    contentType: textOf(body, 'ContentType'),
    metadata: isObject(body.Metadata) ? (body.Metadata as Readonly<Record<string, string>>) : {},
    mustBeNew: findText(body, 'IfNoneMatch') !== undefined,
  })
}

function contentIn(bucket: BucketStore, body: RequestBody): Content {
  const [key, versionId] = [textOf(body, 'Key'), findText(body, 'VersionId')]
  const version = bucket.find(key, versionId)
  if (version !== undefined) return { version, content: bucket.contentOf(version) }
  if (versionId === undefined) throw new AwsError('NoSuchKey', 'The specified key does not exist.', 404)
  throw new AwsError('NoSuchVersion', 'The specified version does not exist.', 404)
}

/** A page begins behind the last key, or the last folder, of the page before. */
function objectsIn(bucket: BucketStore, body: RequestBody): List {
  const token = findText(body, 'ContinuationToken')
  const after = token === undefined ? findText(body, 'StartAfter') : Buffer.from(token, 'base64url').toString()
  const [prefix, delimiter] = [findText(body, 'Prefix') ?? '', findText(body, 'Delimiter') ?? '']
  const folderOf = (key: string) => {
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
    return end < 0 ? undefined : key.slice(0, end + delimiter.length)
  }
  const latest = bucket.versions().filter((version) => bucket.find(version.key) === version)
  const left = latest.filter(({ key }) => after === undefined || (isBehind(key, after) && folderOf(key) !== after))
  // The first key of each folder stands for the folder, whose keys follow each other.
  const shown = left.filter(({ key }, index) => {
    const folder = folderOf(key)
    return folder === undefined || folderOf(left[index - 1]?.key ?? '') !== folder
  })
  const list = page('ListObjectsV2', bucket, body, shown)
  const last = list.listed.at(-1)
  const next = list.next &&
    last && { NextContinuationToken: Buffer.from(folderOf(last.key) ?? last.key).toString('base64url') }
  return {
    ...list,
    listed: list.listed.filter(({ key }) => folderOf(key) === undefined),
    folders: list.listed.flatMap(({ key }) => folderOf(key) ?? []),
    next,
  }
}

function versionsIn(bucket: BucketStore, body: RequestBody): List {
  const [key, versionId] = [findText(body, 'KeyMarker'), findText(body, 'VersionIdMarker')]
  const all = bucket.versions()
  const marked = all.findIndex((version) => version.key === key && version.versionId === versionId)
  const behind = all.findIndex((version) => key === undefined || isBehind(version.key, key))
  const from = marked >= 0 ? marked + 1 : behind < 0 ? all.length : behind
  const list = page('ListObjectVersions', bucket, body, all.slice(from))
  const last = list.listed.at(-1)
  if (list.next === undefined || last === undefined) return list
  return { ...list, next: { NextKeyMarker: last.key, NextVersionIdMarker: last.versionId } }
}

function page(
  operation: List['operation'],
  bucket: BucketStore,
  body: RequestBody,
  versions: readonly ObjectVersion[],
): List {
  const prefix = findText(body, 'Prefix') ?? ''
  const given = Number(findText(body, 'MaxKeys') ?? MOST_LISTED)
  if (!Number.isInteger(given) || given < 0) throw new AwsError('InvalidArgument', 'Provided max-keys is not a number')
  const most = Math.min(given, MOST_LISTED)
  const found = versions.filter(({ key }) => key.startsWith(prefix))
  const listed = found.slice(0, most)
  return {
    ...{ operation, prefix, most, bucket: bucket.definition.name },
    isUrlEncoded: findText(body, 'EncodingType') === 'url',
    folders: [],
    listed: listed.map((version) => ({ ...version, isLatest: bucket.find(version.key) === version })),
    next: most > 0 && found.length > most ? {} : undefined,
  }
}

/** S3 orders keys by their bytes. */
function isBehind(key: string, other: string): boolean {
  return Buffer.compare(Buffer.from(key), Buffer.from(other)) > 0
}

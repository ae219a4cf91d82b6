// Forms S3's answers: headers for objects, XML for lists and errors, with S3's own names and statuses of errors.
// Source: Amazon S3 API Reference, the response syntax of each operation, and "Error responses".
import type { WireAnswer } from '../endpoint/endpoint.ts'
import { type ObjectVersion, UNVERSIONED } from './bucket-store.ts'

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'
const XML = { 'content-type': 'application/xml' }

export interface Content {
  readonly version: ObjectVersion
  readonly content: Buffer
}

export interface List {
  readonly operation: 'ListObjectsV2' | 'ListObjectVersions'
  readonly bucket: string
  readonly prefix: string
  readonly isUrlEncoded: boolean
  readonly most: number
  readonly listed: readonly (ObjectVersion & { readonly isLatest: boolean })[]
  /** The common beginnings of keys, up to the delimiter, in place of those keys. */
  readonly folders: readonly string[]
  /** Where the next page begins; undefined after the last one. */
  readonly next: Readonly<Record<string, string>> | undefined
}

export function writtenAnswer(version: ObjectVersion): WireAnswer {
  return { headers: { etag: `"${version.etag}"`, ...versionHeader(version) }, body: '' }
}

/** Answers HeadObject too: HTTP then leaves the content out, and keeps its length. */
export function contentAnswer({ content, version }: Content): WireAnswer {
  const metadata = Object.entries(version.metadata).map(([name, value]) => [`x-amz-meta-${name}`, value])
  return {
    headers: {
      ...Object.fromEntries(metadata),
      'content-type': version.contentType,
      etag: `"${version.etag}"`,
      'last-modified': new Date(version.writtenMs).toUTCString(),
      ...versionHeader(version),
    },
    body: content,
  }
}

export function listAnswer(list: List): WireAnswer {
  const { isUrlEncoded, operation } = list
  const text = (value: string) => escaped(isUrlEncoded ? encodeURIComponent(value).replaceAll('%2F', '/') : value)
  const isOfVersions = operation === 'ListObjectVersions'
  const root = isOfVersions ? 'ListVersionsResult' : 'ListBucketResult'
  const entries = list.listed.map(({ etag, isLatest, key, size, versionId, writtenMs }) => {
    const common = `<Key>${text(key)}</Key><LastModified>${new Date(writtenMs).toISOString()}</LastModified><ETag>&quot;${etag}&quot;</ETag><Size>${size}</Size><StorageClass>STANDARD</StorageClass>`
    if (!isOfVersions) return `<Contents>${common}</Contents>`
    return `<Version>${common}<VersionId>${versionId}</VersionId><IsLatest>${isLatest}</IsLatest></Version>`
  })
  const folders = list.folders.map((name) => `<CommonPrefixes><Prefix>${text(name)}</Prefix></CommonPrefixes>`)
  const next = Object.entries(list.next ?? {}).map(([name, value]) => `<${name}>${text(value)}</${name}>`)
  const head = [
    `<Name>${list.bucket}</Name><Prefix>${text(list.prefix)}</Prefix><MaxKeys>${list.most}</MaxKeys>`,
    ...(isUrlEncoded ? ['<EncodingType>url</EncodingType>'] : []),
    ...(isOfVersions ? [] : [`<KeyCount>${entries.length + list.folders.length}</KeyCount>`]),
    `<IsTruncated>${list.next !== undefined}</IsTruncated>`,
  ]
  return xml(`<${root} xmlns="${NAMESPACE}">${[...head, ...next, ...entries, ...folders].join('')}</${root}>`)
}

/** S3's names for the refusals of the endpoint, and their statuses. */
const REFUSALS: Readonly<Record<string, readonly [code: string, status: number]>> = {
  AccessDeniedException: ['AccessDenied', 403],
  IncompleteSignatureException: ['AuthorizationHeaderMalformed', 400],
  InternalFailure: ['InternalError', 500],
  InvalidSignatureException: ['SignatureDoesNotMatch', 403],
  RequestEntityTooLargeException: ['EntityTooLarge', 400],
  ThrottlingException: ['SlowDown', 503],
  UnknownOperationException: ['NotImplemented', 501],
  UnrecognizedClientException: ['InvalidAccessKeyId', 403],
}

export function refusalAnswer({ message, name }: { readonly name: string; readonly message: string }): WireAnswer {
  const [code, status] = REFUSALS[name] ?? [name, undefined]
  const body = xml(`<Error><Code>${escaped(code)}</Code><Message>${escaped(message)}</Message></Error>`)
  return { ...body, ...(status !== undefined && { status }) }
}

function versionHeader({ versionId }: ObjectVersion): Readonly<Record<string, string>> {
  return versionId === UNVERSIONED ? {} : { 'x-amz-version-id': versionId }
}

function xml(body: string): WireAnswer {
  return { headers: XML, body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}` }
}

function escaped(text: string): string {
  return (
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      // A reader of XML changes a carriage return, and some other control characters are not XML at all.
      .replaceAll('\r', '&#13;')
  )
}

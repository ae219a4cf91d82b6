// Reads the operation and the fields of an S3 request from its method, path, query and headers. Buckets are in the path.
// An operation, a parameter or a header that the embedded AWS does not know becomes an unknown operation, so that nothing is
// ignored silently.
// Source: Amazon S3 API Reference, the request syntax of each operation.
import type { RequestHead } from '../endpoint/endpoint.ts'

export interface S3Request {
  readonly operation: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** Parameters of each operation, with the names of the API's fields. */
const QUERY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PutObject: {},
  GetObject: { versionId: 'VersionId' },
  HeadObject: { versionId: 'VersionId' },
  HeadBucket: {},
  ListObjectsV2: {
    'continuation-token': 'ContinuationToken',
    delimiter: 'Delimiter',
    'encoding-type': 'EncodingType',
    'fetch-owner': 'FetchOwner',
    'list-type': 'ListType',
    'max-keys': 'MaxKeys',
    prefix: 'Prefix',
    'start-after': 'StartAfter',
  },
  ListObjectVersions: {
    'encoding-type': 'EncodingType',
    'key-marker': 'KeyMarker',
    'max-keys': 'MaxKeys',
    prefix: 'Prefix',
    'version-id-marker': 'VersionIdMarker',
    versions: 'Versions',
  },
}
/** The SDK names the operation in it. */
const IGNORED_QUERY = ['x-id']

const METADATA = 'x-amz-meta-'
/** Headers without an effect here. The signature has the hash of the body, and nothing is encrypted. */
const IGNORED_HEADERS = [
  ...['x-amz-content-sha256', 'x-amz-date', 'x-amz-security-token', 'x-amz-user-agent'],
  ...['x-amz-checksum-mode', 'x-amz-checksum-crc32', 'x-amz-checksum-crc64nvme', 'x-amz-sdk-checksum-algorithm'],
  ...['x-amz-server-side-encryption', 'x-amz-server-side-encryption-aws-kms-key-id'],
]
/** Headers that change what S3 does, besides those of AWS. */
const CONDITIONS = ['if-match', 'if-modified-since', 'if-none-match', 'if-unmodified-since', 'range']

export function readRequest(head: RequestHead): S3Request {
  const [path = '', query = ''] = head.target.split('?', 2)
  const [, bucket = '', ...parts] = path.split('/')
  const key = decoded(parts.join('/'))
  const parameters = new URLSearchParams(query)
  const operation = operationOf(head.method, key, parameters)
  const unknown = operation === undefined ? head.method : findUnknown(operation, parameters, head)
  if (operation === undefined || unknown !== undefined) return { operation: `${unknown} of ${path}`, fields: {} }
  const known = QUERY[operation] ?? {}
  const given = [...parameters].flatMap(([name, value]) => (known[name] === undefined ? [] : [[known[name], value]]))
  return {
    operation,
    fields: {
      ...Object.fromEntries(given),
      Bucket: decoded(bucket),
      ...(key !== '' && { Key: key }),
      ...(operation === 'PutObject' && {
        ContentType: head.header('content-type') ?? 'binary/octet-stream',
        IfNoneMatch: head.header('if-none-match'),
        Metadata: metadataOf(head),
      }),
    },
  }
}

function operationOf(method: string, key: string, parameters: URLSearchParams): string | undefined {
  if (key !== '') return { GET: 'GetObject', HEAD: 'HeadObject', PUT: 'PutObject' }[method]
  if (method === 'HEAD') return 'HeadBucket'
  if (method !== 'GET') return undefined
  if (parameters.has('versions')) return 'ListObjectVersions'
  return parameters.get('list-type') === '2' ? 'ListObjectsV2' : undefined
}

function findUnknown(operation: string, parameters: URLSearchParams, head: RequestHead): string | undefined {
  const known = [...Object.keys(QUERY[operation] ?? {}), ...IGNORED_QUERY]
  const isUnknownHeader = (name: string) =>
    name.startsWith('x-amz-') && !IGNORED_HEADERS.includes(name) && !(operation === 'PutObject' && isMetadata(name))
  return (
    [...parameters.keys()].find((name) => !known.includes(name)) ??
    head.names().find(isUnknownHeader) ??
    CONDITIONS.find((name) => head.header(name) !== undefined && !isHonoured(operation, name, head))
  )
}

/** PutObject writes once with `If-None-Match: *`. */
function isHonoured(operation: string, name: string, head: RequestHead): boolean {
  return operation === 'PutObject' && name === 'if-none-match' && head.header(name) === '*'
}

const isMetadata = (name: string) => name.startsWith(METADATA)

function metadataOf(head: RequestHead): Readonly<Record<string, string>> {
  const names = head.names().filter(isMetadata)
  return Object.fromEntries(names.map((name) => [name.slice(METADATA.length), head.header(name) ?? '']))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

// The algorithm of Signature Version 4: reads the Authorization header, and computes the signature that a request must
// have. authentication.ts decides.
// Source: AWS IAM User Guide, "Create a signed AWS API request".
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'

export const ALGORITHM = 'AWS4-HMAC-SHA256'
export const TERMINATOR = 'aws4_request'

/** A request, as on the wire. */
export interface SignedRequest {
  readonly method: string
  /** Path and query, as they were sent. */
  readonly target: string
  /** Every header in its order: name, value, name, value. */
  readonly rawHeaders: readonly string[]
}

export interface Scope {
  /** YYYYMMDD */
  readonly date: string
  readonly region: string
  readonly service: string
}

export interface Authorization {
  readonly accessKeyId: string
  readonly scope: Scope
  readonly terminator: string
  /** Names in lower case, in the order of signing. */
  readonly signedHeaders: readonly string[]
  /** 64 hexadecimal digits. */
  readonly signature: string
}

const SIGNATURE = /^[0-9a-f]{64}$/

/** Returns undefined when a part is missing or malformed. */
export function parseAuthorization(header: string): Authorization | undefined {
  if (!header.startsWith(`${ALGORITHM} `)) return undefined
  const parts = new Map(
    header
      .slice(ALGORITHM.length)
      .split(',')
      .map((part) => {
        const [name = '', ...value] = part.trim().split('=')
        return [name, value.join('=')] as const
      }),
  )
  const [accessKeyId, date, region, service, terminator, ...rest] = parts.get('Credential')?.split('/') ?? []
  const signedHeaders = parts.get('SignedHeaders')?.split(';') ?? []
  const signature = parts.get('Signature') ?? ''
  if (!accessKeyId || !date || !region || !service || !terminator || rest.length > 0) return undefined
  if (signedHeaders.length === 0 || signedHeaders.some((name) => name === '' || name !== name.toLowerCase())) {
    return undefined
  }
  if (!SIGNATURE.test(signature)) return undefined
  return { accessKeyId, scope: { date, region, service }, terminator, signedHeaders, signature }
}

/** Returns every value of each header, by name in lower case. */
export function headerValues(rawHeaders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase()
    const value = rawHeaders[index + 1] ?? ''
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return values
}

/** Returns the signing key of one date, region and service. It can be kept; signing with a KeyObject costs a fifth. */
export function signingKey(secretAccessKey: string, { date, region, service }: Scope): KeyObject {
  const ofDate = hmac(`AWS4${secretAccessKey}`, date)
  return createSecretKey(hmac(hmac(hmac(ofDate, region), service), TERMINATOR))
}

export interface ToSign {
  readonly request: SignedRequest
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly signedHeaders: readonly string[]
  readonly scope: Scope
  /** The time of signing, in the format of `X-Amz-Date`. */
  readonly timestamp: string
  /** SHA-256 of the body, as hex. */
  readonly payloadHash: string
}

export function signatureOf(toSign: ToSign, key: KeyObject): Buffer {
  const { scope, timestamp } = toSign
  const scopeText = `${scope.date}/${scope.region}/${scope.service}/${TERMINATOR}`
  return hmac(key, [ALGORITHM, timestamp, scopeText, sha256(canonicalRequest(toSign))].join('\n'))
}

function canonicalRequest({ request, headers, scope, signedHeaders, payloadHash }: ToSign): string {
  const question = request.target.indexOf('?')
  const path = question === -1 ? request.target : request.target.slice(0, question)
  const query = question === -1 ? '' : request.target.slice(question + 1)
  return [
    request.method,
    // The sent path is encoded once. The canonical form encodes it twice, except for S3.
    scope.service === 's3' ? path : path.split('/').map(encoded).join('/'),
    canonicalQuery(query),
    ...signedHeaders.map(
      (name) => `${name}:${(headers.get(name) ?? []).map((value) => value.trim().replaceAll(/ +/g, ' ')).join(',')}`,
    ),
    '',
    signedHeaders.join(';'),
    payloadHash,
  ].join('\n')
}

function canonicalQuery(query: string): string {
  if (query === '') return ''
  const pairs = query.split('&').map((pair) => (pair.includes('=') ? pair : `${pair}=`))
  return pairs.sort().join('&')
}

function encoded(segment: string): string {
  return encodeURIComponent(segment).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function hmac(key: string | Buffer | KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Treats header text as bytes, one per character, as Node reads it. */
export function sha256(content: string | Buffer): string {
  return hash('sha256', typeof content === 'string' ? Buffer.from(content, 'latin1') : content)
}

// Finds out who sent a request, by its signature, before anything is done for it. Refuses as AWS does.
// Accepts only the Authorization header, not a signature in the query string.
import { type KeyObject, timingSafeEqual } from 'node:crypto'
import { AwsError } from '../aws-error.ts'
import type { Caller, Callers } from './callers.ts'
import {
  type Authorization,
  headerValues,
  parseAuthorization,
  type Scope,
  type SignedRequest,
  sha256,
  signatureOf,
  signingKey,
  TERMINATOR,
  type ToSign,
} from './sigv4.ts'

/**
 * How far a request's date may be off. On AWS a request is valid for five to fifteen minutes, and its messages name
 * fifteen.
 */
const DATED_WITHIN_MS = 15 * 60 * 1000
/** Maximum signing keys kept. A worker signs for a few services only. */
const MOST_KEYS = 500

export interface AuthenticationOptions {
  readonly callers: Callers
  readonly region: string
  /** Clock of the clients that sign. */
  readonly nowMs: () => number
}

/** A request with valid headers. Its body has not been read yet. */
export interface Examined {
  readonly caller: Caller | 'administrator'
  readonly accessKeyId: string
  /** The user name; set for the administrator and for users. */
  readonly userName: string | undefined
  /**
   * Whether the signature is verified already. This is possible before the body arrives if a header has the body's
   * hash.
   */
  readonly isSigned: boolean
  /** Throws AwsError when the body differs from the signed one, or the key is no longer valid. */
  assertSigned(body: Buffer): void
}

export class Authentication {
  readonly #options: AuthenticationOptions
  readonly #keys = new Map<string, KeyObject>()

  constructor(options: AuthenticationOptions) {
    this.#options = options
  }

  /** `service`: the requested service; undefined for an unknown one. Throws AwsError. */
  examine(request: SignedRequest, service: string | undefined): Examined {
    const headers = headerValues(request.rawHeaders)
    const [header] = headers.get('authorization') ?? []
    if (header === undefined) {
      throw new AwsError('MissingAuthenticationTokenException', 'Request is missing Authentication Token')
    }
    const authorization = parseAuthorization(header)
    if (authorization === undefined) throw incomplete("Authorization header must be 'AWS4-HMAC-SHA256' with all parts")
    const { callers } = this.#options
    const holder = callers.find(authorization.accessKeyId)
    if (holder === undefined) throw unrecognised()
    const timestamp = this.#timestamp(headers)
    this.#checkScope(authorization, timestamp, service)
    checkSignedHeaders(headers, authorization.signedHeaders)

    const { scope, signature, signedHeaders } = authorization
    const key = this.#keyFor(authorization.accessKeyId, holder.secretAccessKey, scope)
    const assertSignedWith = (payloadHash: string) =>
      assertEqual(signatureOf({ request, headers, signedHeaders, scope, timestamp, payloadHash }, key), signature)
    const [statedHash] = headers.get('x-amz-content-sha256') ?? []
    const isSigned = statedHash !== undefined
    if (isSigned) assertSignedWith(statedHash)
    const assertSigned = (body: Buffer) => {
      // A worker may have been killed while its request was on the way.
      if (callers.find(authorization.accessKeyId) === undefined) throw unrecognised()
      const hash = sha256(body)
      if (statedHash?.startsWith('STREAMING-') === true) throw streamed()
      if (!isSigned) assertSignedWith(hash)
      else if (hash !== statedHash)
        throw mismatch("The provided 'x-amz-content-sha256' header is not that of the body.")
    }
    const { accessKeyId } = authorization
    return { caller: holder.caller, accessKeyId, userName: holder.userName, isSigned, assertSigned }
  }

  #timestamp(headers: ToSign['headers']): string {
    const [timestamp = ''] = headers.get('x-amz-date') ?? []
    const atMs = parseTimestamp(timestamp)
    if (atMs === undefined) throw incomplete("Authorization header requires existence of an 'X-Amz-Date' header.")
    const nowMs = this.#options.nowMs()
    const [now, earliest, latest] = [nowMs, nowMs - DATED_WITHIN_MS, nowMs + DATED_WITHIN_MS].map(timestampOf)
    if (atMs < nowMs - DATED_WITHIN_MS) {
      throw mismatch(`Signature expired: ${timestamp} is now earlier than ${earliest} (${now} - 15 min.)`)
    }
    if (atMs > nowMs + DATED_WITHIN_MS) {
      throw mismatch(`Signature not yet current: ${timestamp} is still later than ${latest} (${now} + 15 min.)`)
    }
    return timestamp
  }

  #checkScope({ scope, terminator }: Authorization, timestamp: string, service: string | undefined): void {
    if (terminator !== TERMINATOR)
      throw mismatch(`Credential should be scoped with a valid terminator: '${TERMINATOR}'.`)
    if (scope.region !== this.#options.region) throw mismatch('Credential should be scoped to a valid region.')
    if (service !== undefined && scope.service !== service) {
      throw mismatch(`Credential should be scoped to correct service: '${service}'.`)
    }
    if (scope.date !== timestamp.slice(0, 8)) {
      throw mismatch('Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP.')
    }
  }

  #keyFor(accessKeyId: string, secretAccessKey: string, scope: Scope): KeyObject {
    const name = `${accessKeyId}/${scope.date}/${scope.region}/${scope.service}`
    const known = this.#keys.get(name)
    if (known !== undefined) return known
    const [oldest] = this.#keys.keys()
    if (oldest !== undefined && this.#keys.size >= MOST_KEYS) this.#keys.delete(oldest)
    const key = signingKey(secretAccessKey, scope)
    this.#keys.set(name, key)
    return key
  }
}

/**
 * Requires signatures over the headers that select the operation, so that nobody who forwards a request can add one.
 */
function checkSignedHeaders(headers: ToSign['headers'], signedHeaders: readonly string[]): void {
  const mustBeSigned = [...headers.keys()].filter((name) => name.startsWith('x-amz-'))
  const unsigned = ['host', ...mustBeSigned].find((name) => !signedHeaders.includes(name))
  if (unsigned !== undefined) throw mismatch(`'${unsigned}' must be a 'SignedHeader' in the AWS Authorization.`)
}

function assertEqual(computed: Buffer, signature: string): void {
  if (timingSafeEqual(computed, Buffer.from(signature, 'hex'))) return
  throw mismatch(
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
  )
}

const TIMESTAMP = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

function parseTimestamp(text: string): number | undefined {
  const [, year, month, day, hour, minute, second] = TIMESTAMP.exec(text) ?? []
  const atMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(atMs) ? undefined : atMs
}

function timestampOf(atMs: number): string {
  return `${new Date(atMs).toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}Z`
}

/** S3's clients send a stream in signed chunks, whose length is not known before. */
function streamed(): AwsError {
  const message = 'The embedded AWS takes no body from a stream: send a string or a buffer'
  return new AwsError('UnknownOperationException', message)
}

function unrecognised(): AwsError {
  return new AwsError('UnrecognizedClientException', 'The security token included in the request is invalid.')
}

function incomplete(message: string): AwsError {
  return new AwsError('IncompleteSignatureException', message)
}

function mismatch(message: string): AwsError {
  return new AwsError('InvalidSignatureException', message)
}

// Owns signed requests that move money: serialised once, hashed, signed, and sent once as the same bytes. An answer is
// a success or proves nothing. Silence proves nothing. Owns the token of Tier 2 too (section "Tier 2 rules"): it signs
// one request, by its method, its target as sent, and its exact bytes. Must never send twice, retry or follow a
// redirect, and must not store or log a token.
import { createHash } from 'node:crypto'
import type { NewId } from '../clock.ts'
import { Defect } from '../errors.ts'
import type { KeySource, ServiceKey } from '../keys/key-source.ts'
import { serviceErrorOf } from './classify.ts'
import { type Answered, refuseLiveKeyUnencrypted, type Transport } from './http.ts'
import type { Prepared, SendFacts, ServiceError } from './ports.ts'
import { problemFrom } from './problem.ts'
import { CLOCK_AGE_LIMIT_MS, type MeasuredClock } from './service-clock.ts'

type Unproven = { readonly kind: 'unproven'; readonly said: ServiceError }

export interface SignedSender {
  /** Serialises and signs in service time. Sends nothing. Throws as KeySource and ServiceClock do. */
  prepare<Success>(request: SignedRequest<Success>): Promise<Prepared<Success | Unproven>>
}

export interface SignedRequest<Success> {
  /** Method and path template, for messages. */
  readonly endpoint: string
  /** Path and query of the POST, encoded. */
  readonly target: string
  readonly content: Readonly<Record<string, string>>
  readonly tokenLifeSeconds: number
  /** Whether a status is a success whose body is not needed. */
  readonly isDecidedBy?: (status: number) => boolean
  /** Returns the meaning of a success, by its status, or `undefined` for another answer. Must not throw. */
  readonly successOf: (answer: Answered) => Success | undefined
}

interface SignedSenderParts {
  readonly transport: Transport
  readonly keys: KeySource
  readonly clock: MeasuredClock
  readonly newId: NewId
}

export function createSignedSender({ transport, keys, clock, newId }: SignedSenderParts): SignedSender {
  async function prepare<Success>(request: SignedRequest<Success>): Promise<Prepared<Success | Unproven>> {
    const key = await keys.current()
    refuseLiveKeyUnencrypted(key, transport)
    const body = Buffer.from(JSON.stringify(request.content), 'utf8')
    await clock.ensure(CLOCK_AGE_LIMIT_MS)
    const iat = Math.floor(clock.nowMs() / 1000)
    const facts: SendFacts = {
      nonce: newId(),
      kid: key.prefix,
      iat,
      exp: iat + request.tokenLifeSeconds,
      bodySha256: sha256Hex(body),
    }
    const token = await signToken(key, {
      sub: facts.kid,
      uri: `POST ${transport.wireTarget(request.target)}`,
      nonce: facts.nonce,
      iat: facts.iat,
      exp: facts.exp,
      bodyHash: facts.bodySha256,
    })

    let isSent = false
    async function send(): Promise<Success | Unproven> {
      if (isSent) throw new Defect(`${request.endpoint}: a prepared request is sent once`)
      isSent = true
      const answer = await transport.exchange({
        method: 'POST',
        target: request.target,
        headers: {
          accept: 'application/json, application/problem+json',
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'x-api-key': facts.kid,
        },
        body,
        ...(request.isDecidedBy === undefined ? {} : { isDecidedBy: request.isDecidedBy }),
      })
      const success = answer.kind === 'answered' ? request.successOf(answer) : undefined
      if (success !== undefined) return success
      const summary = serviceErrorOf(problemFrom(request.endpoint, answer))
      if (summary.code === 'clock_skew') clock.distrust()
      return { kind: 'unproven', said: summary }
    }
    return { facts, send }
  }

  return { prepare }
}

/** Longest life in seconds that the service accepts. */
const MAX_LIFE_SECONDS = 60

export interface TokenClaims {
  /** The key's prefix, identical to X-API-Key. */
  readonly sub: string
  /** `<METHOD> <path>?<query>` exactly as sent. */
  readonly uri: string
  readonly nonce: string
  /** Epoch seconds, service time. */
  readonly iat: number
  readonly exp: number
  /** SHA-256 of the raw body bytes, hex. */
  readonly bodyHash: string
}

/**
 * Signs `claims` as a compact JWS (RFC 7515, section 7.1) with the key's algorithm. The signer may be a key in this
 * process or in KMS. Throws Defect for a key that cannot sign or a life outside 1 to 60 s, and whatever the signer
 * throws.
 */
export async function signToken(key: ServiceKey, claims: TokenClaims): Promise<string> {
  const { signer } = key
  if (signer === undefined) throw new Defect('this key has no signing key: it only reads')
  const lifeSeconds = claims.exp - claims.iat
  if (
    !Number.isSafeInteger(claims.iat) ||
    !Number.isInteger(lifeSeconds) ||
    lifeSeconds < 1 ||
    lifeSeconds > MAX_LIFE_SECONDS
  )
    throw new Defect(`token life: expected 1 to ${MAX_LIFE_SECONDS} whole seconds`)
  const { sub, uri, nonce, iat, exp, bodyHash } = claims
  // Each claim is named here, so that their order, and with it the token, is always the same.
  return signer.sign(Buffer.from(JSON.stringify({ sub, uri, nonce, iat, exp, bodyHash }), 'utf8'))
}

/** SHA-256 of `bytes`, lower-case hex. */
export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

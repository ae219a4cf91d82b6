// Decides who sends a request, and whether they may (description, "Authentication"). Tier 1 is a bearer secret; tier 2
// is a prefix and a signed JWT. Only money movement takes tier 2. The token is verified check by check ("Tier 2
// rules"), so that a refusal names the first failed one.

import { hash, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Held, KeyRing, Scope, SigningKey } from './keys.ts'
import type { Nonces } from './nonces.ts'
import { Problem } from './problem.ts'
import type { RateLimit } from './rate-limit.ts'

export type Access =
  | { readonly tier: 'none' }
  | { readonly tier: 'bearer'; readonly scope: Scope }
  | { readonly tier: 'signed'; readonly scope: Scope }

export interface Presented {
  readonly headers: IncomingHttpHeaders
  readonly remoteAddress: string
  /** '<METHOD> <target>', as on the request line. */
  readonly uri: string
  readonly body: Buffer
  readonly nowMs: number
  readonly trail: Trail
}

/** Facts about a request that the request log keeps, even when the request is refused later. */
export interface Trail {
  kid?: string
  /** Set after the signature has verified. */
  nonce?: string
  /** The RateLimit-* headers of the answer. Set when the key is known. */
  rateLimit?: Readonly<Record<string, string>>
}

export interface Caller {
  readonly keyName: string
  /** Prefix of the secret in use. */
  readonly kid: string
  /** Set for a signed request. The nonce must be marked as used before anything else happens. */
  readonly signed: { readonly nonce: string; readonly deadAtMs: number } | undefined
}

export interface Gate {
  readonly keys: KeyRing
  readonly nonces: Nonces
  readonly rateLimit: RateLimit
}

/**
 * Checks everything except the scope: who sends, and whether too often. Throws a 401, ip_not_allowed or rate_limited.
 */
export function authenticate(tier: 'bearer' | 'signed', presented: Presented, gate: Gate): Caller {
  return tier === 'bearer' ? byBearer(presented, gate) : bySignature(presented, gate)
}

export function requireScope(caller: Caller, scope: Scope, ring: KeyRing): void {
  if (!ring.keys.get(caller.keyName)?.scopes.has(scope)) {
    throw new Problem('insufficient_scope', `The key lacks the scope ${scope}.`)
  }
}

const LOOKS_SIGNED = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

function byBearer(presented: Presented, gate: Gate): Caller {
  const token = bearerToken(presented.headers)
  if (presented.headers['x-api-key'] !== undefined || LOOKS_SIGNED.test(token)) {
    throw new Problem(
      'unauthorized',
      'This route takes the bearer secret, without X-API-Key and without a signature.',
      {
        reason: 'signed_jwt_on_bearer_route',
      },
    )
  }
  const held = gate.keys.findBySecret(token)
  if (held === undefined) throw new Problem('unauthorized', 'The key is unknown.')
  admit(held, presented, gate)
  return { keyName: held.key.name, kid: held.credential.prefix, signed: undefined }
}

function bySignature(presented: Presented, gate: Gate): Caller {
  const prefix = presented.headers['x-api-key']
  if (typeof prefix !== 'string') {
    throw new Problem('unauthorized', 'This route takes the key prefix in X-API-Key and a signed JWT as bearer.', {
      reason: 'signed_jwt_required',
    })
  }
  // A full secret in place of the prefix is refused as unknown, like any other wrong value.
  const held = gate.keys.findByPrefix(prefix)
  if (held === undefined) throw new Problem('unauthorized', 'The API key in X-API-Key is unknown.')
  admit(held, presented, gate)
  const { nonce, deadAtMs } = verifySignedToken(bearerToken(presented.headers), {
    prefix,
    uri: presented.uri,
    body: presented.body,
    signingKeys: held.key.signingKeys,
    nowMs: presented.nowMs,
  })
  presented.trail.nonce = nonce
  if (gate.nonces.isUsed(held.key.name, nonce)) {
    throw new Problem('nonce_reused', 'The nonce has been used before.', { reason: 'nonce_reused' })
  }
  return { keyName: held.key.name, kid: prefix, signed: { nonce, deadAtMs } }
}

/** Checks a known key: its rate, whether it is alive, and the address it is used from. */
function admit({ key, credential }: Held, presented: Presented, gate: Gate): void {
  presented.trail.kid = credential.prefix
  const { allowed, headers } = gate.rateLimit.count(key.name, presented.nowMs)
  presented.trail.rateLimit = headers
  if (key.revoked) throw new Problem('key_revoked', 'The key has been revoked.')
  if (credential.expiresAtMs !== undefined && presented.nowMs >= credential.expiresAtMs) {
    throw new Problem('key_expired', 'The secret was rotated, and its grace period is over.')
  }
  if (key.allowedIps !== undefined && !key.allowedIps.includes(presented.remoteAddress)) {
    throw new Problem('ip_not_allowed', 'The key may not be used from this address.')
  }
  if (!allowed) throw new Problem('rate_limited', 'The key or the account has used up its requests of this minute.')
}

function bearerToken(headers: IncomingHttpHeaders): string {
  const match = /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? '')
  if (match === null) throw new Problem('unauthorized', 'The header Authorization: Bearer is missing or malformed.')
  return match[1] as string
}

/** Maximum of exp - iat. */
const LONGEST_LIFE_SECONDS = 60
/** How far a client's clock may be ahead (`iat`) or behind (`exp`). */
const LEEWAY_SECONDS = 5
/** Maximum characters of a token. A larger one cannot come from a real client. */
const LONGEST_TOKEN = 8_192
const LONGEST_NONCE = 256

export interface Expected {
  readonly prefix: string
  /** '<METHOD> <path>?<query>', as on the request line. */
  readonly uri: string
  readonly body: Buffer
  readonly signingKeys: readonly SigningKey[]
  readonly nowMs: number
}

export interface Accepted {
  readonly nonce: string
  /** The first moment at which the token is no longer acceptable, in epoch milliseconds. */
  readonly deadAtMs: number
}

/** Throws invalid_signature or clock_skew, with the reason of the first failed check. */
export function verifySignedToken(token: string, expected: Expected): Accepted {
  const [head, payload, signature, ...rest] = token.split('.')
  if (token.length > LONGEST_TOKEN || head === undefined || payload === undefined || !signature || rest.length > 0) {
    throw refused('malformed_token', 'The token is not a compact JWS.')
  }
  const header = decodeObject(head)
  const alg = header.alg
  if (alg !== 'EdDSA' && alg !== 'RS256') {
    throw refused('unsupported_algorithm', 'The algorithm of the token is neither EdDSA nor RS256.')
  }
  if (header.crit !== undefined) throw refused('unsupported_critical_header', 'The token has a critical header.')
  const candidates = expected.signingKeys.filter((key) => key.active && key.alg === alg)
  if (candidates.length === 0) throw refused('no_signing_key', `The key has no active signing key for ${alg}.`)
  const signed = Buffer.from(`${head}.${payload}`, 'latin1')
  const signatureBytes = fromBase64url(signature)
  const digest = alg === 'RS256' ? 'sha256' : null
  if (!candidates.some((key) => verify(digest, signed, key.publicKey, signatureBytes))) {
    throw refused('signature_mismatch', 'The signature verifies with none of the active signing keys.')
  }
  return checkClaims(decodeObject(payload), expected)
}

function checkClaims(claims: Record<string, unknown>, expected: Expected): Accepted {
  const { sub, uri, nonce, iat, exp, bodyHash } = claims
  if (sub !== expected.prefix) throw refused('sub_mismatch', 'The claim sub is not the key prefix of X-API-Key.')
  if (uri !== expected.uri) throw refused('uri_mismatch', 'The claim uri is not the method and target as sent.')
  if (typeof nonce !== 'string' || nonce === '' || nonce.length > LONGEST_NONCE) {
    throw refused('nonce_missing', `The claim nonce is not a string of 1 to ${LONGEST_NONCE} characters.`)
  }
  if (!isEpochSeconds(iat)) throw refused('iat_missing', 'The claim iat is not a number of epoch seconds.')
  if (!isEpochSeconds(exp)) throw refused('exp_missing', 'The claim exp is not a number of epoch seconds.')
  if (exp <= iat) throw refused('exp_before_iat', 'The token expires before it is issued.')
  if (exp - iat > LONGEST_LIFE_SECONDS) {
    throw refused('lifetime_too_long', `The token lives longer than ${LONGEST_LIFE_SECONDS} seconds.`)
  }
  const nowSeconds = expected.nowMs / 1000
  if (iat > nowSeconds + LEEWAY_SECONDS) {
    throw new Problem('clock_skew', 'The token is issued too far ahead of server time.', { reason: 'iat_ahead' })
  }
  if (nowSeconds > exp + LEEWAY_SECONDS) throw refused('token_expired', 'The token has expired.')
  if (bodyHash !== hash('sha256', expected.body, 'hex')) {
    throw refused('body_hash_mismatch', 'The claim bodyHash is not the SHA-256 of the body as received, in hex.')
  }
  return { nonce, deadAtMs: (exp + LEEWAY_SECONDS) * 1000 }
}

function isEpochSeconds(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function decodeObject(segment: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(fromBase64url(segment).toString('utf8'))
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return parsed as Record<string, unknown>
    }
  } catch (error) {
    if (error instanceof Problem) throw error
  }
  throw refused('malformed_token', 'A part of the token is not a JSON object.')
}

function fromBase64url(segment: string): Buffer {
  if (!/^[A-Za-z0-9_-]*$/.test(segment)) throw refused('malformed_token', 'A part of the token is not base64url.')
  return Buffer.from(segment, 'base64url')
}

function refused(reason: string, detail: string): Problem {
  return new Problem('invalid_signature', detail, { reason })
}

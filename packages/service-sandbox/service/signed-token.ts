// Verifies the signed JWT of each Tier 2 request (description, "Tier 2 rules"), one check after another, so that a
// refusal names the first failed check. Knows no routes, no scopes and no nonces.
import { hash, verify } from 'node:crypto'
import type { SigningKey } from './keys.ts'
import { Problem } from './problem.ts'

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

// Owns the signed token of Tier 2 (section "Tier 2 rules"): its claims and its life. A token signs one request: its
// method, its target as sent, and its exact bytes. Must not send, and must not store or log a token.
import { createHash } from 'node:crypto'
import { Defect } from '../errors.ts'
import type { ServiceKey } from '../keys/key-source.ts'

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

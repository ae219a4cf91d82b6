// Owns the signed token of Tier 2 (section "Tier 2 rules"): its claims and their life. One token
// signs one request: its method, its target as sent, its very bytes. It must not send, and no
// token is ever stored or logged.
import { createHash } from 'node:crypto'
import { Defect } from '../errors.ts'
import type { ServiceKey } from '../keys/key-source.ts'

/** The service refuses a longer life. */
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
 * Compact JWS (RFC 7515, section 7.1) over `claims` with the key's algorithm, whoever signs: a key
 * in this process or one in KMS. Throws Defect for a key that cannot sign, and as its signer does.
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
  // Written out, so that the order of the claims, and with it the token, is always the same.
  return signer.sign(Buffer.from(JSON.stringify({ sub, uri, nonce, iat, exp, bodyHash }), 'utf8'))
}

/** SHA-256 of `bytes`, lower-case hex. */
export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

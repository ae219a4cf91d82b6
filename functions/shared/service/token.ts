// Owns the signed token of Tier 2 (section "Tier 2 rules"): header, claims, signature. One token
// signs one request: its method, its target as sent, its very bytes. It must not send, and no
// token is ever stored or logged.
import { createHash } from 'node:crypto'
import { SignJWT } from 'jose/jwt/sign'
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

/** Compact JWT over `claims` with the key's algorithm. Throws Defect for a key that cannot sign. */
export async function signToken(key: ServiceKey, claims: TokenClaims): Promise<string> {
  if (key.signingKey === undefined) throw new Defect('this key has no signing key: it only reads')
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
  return new SignJWT({ sub, uri, nonce, iat, exp, bodyHash })
    .setProtectedHeader({ alg: key.alg, typ: 'JWT' })
    .sign(key.signingKey)
}

/** SHA-256 of `bytes`, lower-case hex. */
export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

// Decides who sends a request, and whether they may (description, "Authentication"). Tier 1 is a bearer secret; tier 2
// is a prefix and a signed JWT. Only money movement takes tier 2.
import type { IncomingHttpHeaders } from 'node:http'
import type { Held, KeyRing, Scope } from './keys.ts'
import type { Nonces } from './nonces.ts'
import { Problem } from './problem.ts'
import type { RateLimit } from './rate-limit.ts'
import { verifySignedToken } from './signed-token.ts'

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

// The key set of webhooks as publishers serve it: with members that a verifier of Ed25519 cannot use and, by RFC 7517
// (section 5), must ignore. The signing key is always in it.
import { type Answer, ok } from '../exchange.ts'
import { seededBytes } from '../seeded.ts'
import { webhookKeySet } from '../webhooks/webhook-key.ts'
import type { Manners } from './manners.ts'

const RETIRED_KEYS = 120

export function publishedKeySet({ jwks }: Manners, seed: string): Answer {
  const { keys } = webhookKeySet(seed)
  if (jwks !== 'untidy') return ok({ keys })
  const kid = keys[0]?.kid
  return {
    status: 200,
    contentType: 'application/jwk-set+json; charset=utf-8',
    body: { keys: [...oddMembers(seed), ...sharingKid(seed, kid), ...retired(seed), ...keys] },
  }
}

function oddMembers(seed: string): readonly unknown[] {
  return [null, 'retired', rsa(seed), { kty: 'AKP', alg: 'ML-DSA-65', pub: 'AAAA' }, { kty: 'oct', kid: 7, crv: null }]
}

/** An encryption key, an RSA key and an earlier Ed25519 key, all with the `kid` of the signing key. */
function sharingKid(seed: string, kid: unknown): readonly unknown[] {
  const x25519 = { kty: 'OKP', crv: 'X25519', x: bytes(seed, 'x25519', 32), use: 'enc' }
  const earlier = { kty: 'OKP', crv: 'Ed25519', x: bytes(seed, 'before', 32), alg: 'EdDSA', use: 'sig' }
  return [x25519, rsa(seed), earlier].map((key) => ({ ...key, kid }))
}

function retired(seed: string): readonly unknown[] {
  return Array.from({ length: RETIRED_KEYS }, (_, index) => {
    const x = bytes(seed, `retired ${index}`, 32)
    return { kty: 'OKP', crv: 'Ed25519', x, kid: `webhook-retired-${index}`, alg: 'EdDSA', use: 'sig' }
  })
}

function rsa(seed: string) {
  return { kty: 'RSA', n: bytes(seed, 'rsa n', 256), e: 'AQAB', alg: 'RS256', use: 'sig' }
}

function bytes(seed: string, label: string, length: number): string {
  return seededBytes(seed, `key set ${label}`, length).toString('base64url')
}

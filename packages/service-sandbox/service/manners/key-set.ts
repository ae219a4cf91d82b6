// Makes the set of public keys with which a receiver verifies the webhooks. In the manner `untidy` it is as large services
// publish theirs: most members are not the signing key, and a receiver must ignore those (RFC 7517, section 5). The signing
// key is always in the set.
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

/** Makes an encryption key, an RSA key and an earlier Ed25519 key, all with the `kid` of the signing key. */
function sharingKid(seed: string, kid: unknown): readonly unknown[] {
  const x25519 = { kty: 'OKP', crv: 'X25519', x: base64Of(seed, 'x25519', 32), use: 'enc' }
  const earlier = { kty: 'OKP', crv: 'Ed25519', x: base64Of(seed, 'before', 32), alg: 'EdDSA', use: 'sig' }
  return [x25519, rsa(seed), earlier].map((key) => ({ ...key, kid }))
}

function retired(seed: string): readonly unknown[] {
  return Array.from({ length: RETIRED_KEYS }, (_, index) => {
    const x = base64Of(seed, `retired ${index}`, 32)
    return { kty: 'OKP', crv: 'Ed25519', x, kid: `webhook-retired-${index}`, alg: 'EdDSA', use: 'sig' }
  })
}

function rsa(seed: string) {
  return { kty: 'RSA', n: base64Of(seed, 'rsa n', 256), e: 'AQAB', alg: 'RS256', use: 'sig' }
}

function base64Of(seed: string, label: string, length: number): string {
  return seededBytes(seed, `key set ${label}`, length).toString('base64url')
}

// Answers what the host says of itself: its health, its time and the keys of its webhooks.
import { type Answer, action, ok } from '../exchange.ts'
import { timeBody } from '../manners/bodies.ts'
import type { Manners } from '../manners/manners.ts'
import { showTime } from '../representation.ts'
import { seededBytes } from '../seeded.ts'
import { webhookKeySet } from '../webhooks/webhook-deliveries.ts'

export const getHealth = action({
  method: 'GET',
  path: '/v2/health',
  summary: 'Whether the service is up',
  access: { tier: 'none' },
  query: {},
  answers: { 200: 'Health' },
  answer: ({ world, nowMs }) => ok({ status: world.inMaintenance ? 'MAINTENANCE' : 'OK', time: showTime(nowMs) }),
})

export const getTime = action({
  method: 'GET',
  path: '/v2/time',
  summary: 'Service time',
  access: { tier: 'none' },
  query: {},
  answers: { 200: 'Time' },
  answer: ({ world, nowMs }) => ok(timeBody(world.manners, world.origin.seed, nowMs)),
})

const RETIRED_KEYS = 120

function publishedKeySet({ jwks }: Manners, seed: string): Answer {
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

export const getWebhookKeys = action({
  method: 'GET',
  path: '/v2/.well-known/webhook-jwks.json',
  summary: 'Key set for webhook signatures',
  access: { tier: 'none' },
  query: {},
  answers: { 200: 'WebhookKeySet' },
  answer: ({ world }) => publishedKeySet(world.manners, world.origin.seed),
})

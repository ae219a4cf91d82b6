// Checks that the service signed a webhook delivery (section "Events"). A delivery carries a JWS without its payload
// (RFC 7515, appendix F), EdDSA over Ed25519. The caller knows in which header. jose parses and verifies, because
// anyone may send a delivery. Reads the webhook keys from GET /v2/.well-known/webhook-jwks.json, at most so often,
// because a sender can cause those reads. Reads no payload.

import type { FlattenedJWSInput } from 'jose'
import { decodeProtectedHeader } from 'jose/decode/protected_header'
import { flattenedVerify } from 'jose/jws/flattened/verify'
import * as z from 'zod/mini'
import type { Clock } from '../clock.ts'
import { Refused, Transient } from '../errors.ts'
import { text } from './fields.ts'
import type { Reader } from './reader.ts'

/** An Ed25519 key for signatures (RFC 8037). */
const webhookKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  kid: text,
  /** Public key: 32 bytes in base64url. */
  x: z.string().check(z.regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/)),
  use: z.nullish(z.literal('sig')),
})
export type WebhookKey = z.output<typeof webhookKey>
/** The transport's limit on an answer also bounds the number of members. */
const keySet = z.object({ keys: z.array(z.unknown()) })

/** The usable public keys for deliveries. Needs no key of ours. */
export async function readWebhookKeys(reader: Reader): Promise<readonly WebhookKey[]> {
  const endpoint = 'GET /v2/.well-known/webhook-jwks.json'
  const { keys } = await reader.readOpenly({ endpoint, target: '/v2/.well-known/webhook-jwks.json', shape: keySet })
  return usableKeys(keys)
}

/**
 * Drops every member other than an Ed25519 key with a `kid`, as RFC 7517 asks (section 5), so that it does not spoil
 * the others.
 */
export function usableKeys(members: readonly unknown[]): readonly WebhookKey[] {
  return members.flatMap((member) => webhookKey.safeParse(member).data ?? [])
}

/** A delivery: the value of its signature header, and its body byte for byte. */
export interface Delivery {
  readonly signature: string
  readonly body: Uint8Array
}

export type VerifyWebhook = (delivery: Delivery) => Promise<void>

/** Age in milliseconds (5 minutes) after which the key set is read again before use. Keys are revoked without grace. */
export const KEYS_AGE_LIMIT_MS = 300_000
/**
 * Maximum reads of the key set within `KEY_READS_WITHIN_MS`, failed reads included. Anyone can send an unknown `kid`
 * and so cause a read.
 */
export const MOST_KEY_READS = 5
/** Window for `MOST_KEY_READS`, in milliseconds. */
export const KEY_READS_WITHIN_MS = 60_000
/**
 * Maximum number of keys of one `kid` that a delivery is checked against. A publisher has one, and perhaps two during a
 * rotation.
 */
export const MOST_KEYS_OF_A_KID = 20

/**
 * Creates a check that passes for a delivery of the service and throws Refused for any other. Caches the key set, and
 * reads it again for an unknown `kid`. When the set cannot be read, or not now, the delivery stays undecided: the check
 * then throws as a read does.
 */
export function createWebhookVerifier(readKeys: () => Promise<readonly WebhookKey[]>, clock: Clock): VerifyWebhook {
  let keys: readonly WebhookKey[] = []
  let readAtMs = Number.NEGATIVE_INFINITY
  let begunAtMs: readonly number[] = []
  let underWay: Promise<void> | undefined

  /** Absolute, because the machine's clock may be set back: a future time is not recent. */
  const isWithin = (durationMs: number, atMs: number) => Math.abs(clock.nowMs() - atMs) < durationMs

  async function readAgain(): Promise<void> {
    begunAtMs = begunAtMs.filter((atMs) => isWithin(KEY_READS_WITHIN_MS, atMs))
    if (begunAtMs.length >= MOST_KEY_READS) {
      throw new Transient(`webhook keys: read ${MOST_KEY_READS} times within a minute; not asked for again before that`)
    }
    // The set is as old as the request, because a key may be revoked while the answer is on its way.
    const askedAtMs = clock.nowMs()
    begunAtMs = [...begunAtMs, askedAtMs]
    keys = await readKeys()
    readAtMs = askedAtMs
  }

  /** Concurrent deliveries share one read. */
  function read(): Promise<void> {
    underWay ??= readAgain().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  async function keysFor(kid: string): Promise<readonly WebhookKey[]> {
    const find = () => keys.filter((key) => key.kid === kid)
    const isFresh = isWithin(KEYS_AGE_LIMIT_MS, readAtMs)
    if (!isFresh || find().length === 0) await read()
    const found = find()
    if (found.length === 0) throw refused('an Ed25519 key of the published set')
    return found.slice(0, MOST_KEYS_OF_A_KID)
  }

  return async ({ signature, body }) => {
    const jws = withBody(signature, body)
    for (const key of await keysFor(kidOf(jws))) if (await isVerifiedBy(key, jws)) return
    throw refused('one that matches the body')
  }
}

/**
 * Bounds the signature before it is parsed. An Ed25519 signature has 86 characters, and the last has four spare bits:
 * unless they are zero, it is a second spelling of the same signature. A header has a few dozen characters.
 */
const DETACHED = /^([A-Za-z0-9_-]{1,1024})\.\.([A-Za-z0-9_-]{85}[AQgw])$/

/** The JWS with its payload restored. */
function withBody(signature: string, body: Uint8Array) {
  const [, header, bytes] = DETACHED.exec(signature) ?? []
  if (header === undefined || bytes === undefined) throw refused('a JWS with detached payload')
  return { protected: header, payload: Buffer.from(body).toString('base64url'), signature: bytes }
}

// `crit` names extensions that the receiver must understand. jose knows one, the unencoded payload; the service uses
// none.
const protectedHeader = z.object({ alg: z.literal('EdDSA'), kid: text, crit: z.optional(z.undefined()) })

function kidOf(jws: FlattenedJWSInput): string {
  const parsed = protectedHeader.safeParse(headerOf(jws))
  if (!parsed.success) throw refused('a JWS header with alg EdDSA and a kid')
  return parsed.data.kid
}

function headerOf(jws: FlattenedJWSInput): unknown {
  try {
    return decodeProtectedHeader(jws)
  } catch {
    throw refused('a JWS header in JSON')
  }
}

/** False also for a malformed key, because another key of the same `kid` may verify the delivery. */
async function isVerifiedBy({ kty, crv, x }: WebhookKey, jws: FlattenedJWSInput): Promise<boolean> {
  try {
    await flattenedVerify(jws, { kty, crv, x }, { algorithms: ['EdDSA'] })
    return true
  } catch {
    return false
  }
}

function refused(expectation: string): Refused {
  return new Refused(`webhook signature: expected ${expectation}`)
}

// GET /v2/.well-known/webhook-jwks.json, and the check of a delivery against it (section
// "Events"): a JWS with its payload left out (RFC 7515, appendix F), EdDSA over Ed25519, its key
// named by `kid`. The name of the header that carries it is not described: the caller knows it.
// An event only ever causes a read: nothing here looks into a payload. jose parses and verifies what anyone may
// send; how often the keys are read is ours, because that is what anyone can make us do.
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
/** The number of members is bounded by the largest answer that the transport takes. */
const keySet = z.object({ keys: z.array(z.unknown()) })

/** The public keys of deliveries that can be used; needs no key of ours. */
export async function readWebhookKeys(reader: Reader): Promise<readonly WebhookKey[]> {
  const endpoint = 'GET /v2/.well-known/webhook-jwks.json'
  const { keys } = await reader.readOpenly({ endpoint, target: '/v2/.well-known/webhook-jwks.json', shape: keySet })
  return usableKeys(keys)
}

/** Passes over each member that is no Ed25519 key with a `kid`, as RFC 7517 asks (section 5): it spoils no other one. */
export function usableKeys(members: readonly unknown[]): readonly WebhookKey[] {
  return members.flatMap((member) => webhookKey.safeParse(member).data ?? [])
}

/** A delivery: what its signature header holds, and its body byte for byte. */
export interface Delivery {
  readonly signature: string
  readonly body: Uint8Array
}

export type VerifyWebhook = (delivery: Delivery) => Promise<void>

/** A key is revoked without grace: a set that was read longer ago is read anew before it is trusted. */
export const KEYS_AGE_LIMIT_MS = 300_000
/** Anyone can send a `kid` that is not there: the set is read so often, whether a read brings it or fails, … */
export const MOST_KEY_READS = 5
/** … in so long. */
export const KEY_READS_WITHIN_MS = 60_000
/** Keys of one `kid` that a delivery is held against. A publisher has one, and for a while perhaps two. */
export const MOST_KEYS_OF_A_KID = 20

/**
 * Makes a check that passes for a delivery of the service and throws Refused for any other. Keeps the key set for
 * a while, and reads it anew at once for a `kid` that it does not hold. Where it cannot be read, or not for now,
 * that says nothing of the delivery: throws as a read does then.
 */
export function createWebhookVerifier(readKeys: () => Promise<readonly WebhookKey[]>, clock: Clock): VerifyWebhook {
  let keys: readonly WebhookKey[] = []
  let readAtMs = Number.NEGATIVE_INFINITY
  let begunAtMs: readonly number[] = []
  let underWay: Promise<void> | undefined

  /** The machine's clock may be set back: what lies ahead was not lately. */
  const isWithin = (durationMs: number, atMs: number) => Math.abs(clock.nowMs() - atMs) < durationMs

  async function readAnew(): Promise<void> {
    begunAtMs = begunAtMs.filter((atMs) => isWithin(KEY_READS_WITHIN_MS, atMs))
    if (begunAtMs.length >= MOST_KEY_READS) {
      throw new Transient(`webhook keys: read ${MOST_KEY_READS} times within a minute; not asked for again before that`)
    }
    // As old as the question: what was revoked while the answer was on its way is in it.
    const askedAtMs = clock.nowMs()
    begunAtMs = [...begunAtMs, askedAtMs]
    keys = await readKeys()
    readAtMs = askedAtMs
  }

  /** Deliveries that come together wait for one read. */
  function read(): Promise<void> {
    underWay ??= readAnew().finally(() => {
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
 * A bound on what is parsed at all. An Ed25519 signature has 86 characters, of which the last has four spare bits: with
 * others than zeros it would be a second spelling of the same signature. A header has a few dozen.
 */
const DETACHED = /^([A-Za-z0-9_-]{1,1024})\.\.([A-Za-z0-9_-]{85}[AQgw])$/

/** The JWS with its payload put in again. */
function withBody(signature: string, body: Uint8Array) {
  const [, header, bytes] = DETACHED.exec(signature) ?? []
  if (header === undefined || bytes === undefined) throw refused('a JWS with detached payload')
  return { protected: header, payload: Buffer.from(body).toString('base64url'), signature: bytes }
}

// `crit` would name an extension that must be understood. jose knows one, the unencoded payload; the service has none.
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

/** False for a key that cannot be read as well: another one of the same `kid` may verify the delivery. */
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

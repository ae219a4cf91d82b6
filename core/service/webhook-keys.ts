// GET /v2/.well-known/webhook-jwks.json, and the check of a delivery against it (section
// "Events"): a JWS with its payload left out (RFC 7515, appendix F), EdDSA over Ed25519, its key
// named by `kid`. The name of the header that carries it is not described: the caller knows it.
// An event only ever causes a read: nothing here looks into a payload. jose parses and verifies what anyone may
// send; how often the keys are read is ours, because that is what anyone can make us do.
import type { FlattenedJWSInput, JWK } from 'jose'
import { decodeProtectedHeader } from 'jose/decode/protected_header'
import { JOSEError } from 'jose/errors'
import { flattenedVerify } from 'jose/jws/flattened/verify'
import * as z from 'zod/mini'
import type { Clock } from '../clock.ts'
import { Refused, Transient } from '../errors.ts'
import { text } from './fields.ts'
import type { Reader } from './reader.ts'

const webhookKey = z.object({
  kty: text,
  crv: z.optional(text),
  kid: text,
  /** Public key, base64url. */
  x: z.optional(text),
})
export type WebhookKey = z.output<typeof webhookKey>
const keySet = z.object({ keys: z.array(webhookKey).check(z.maxLength(100)) })

/** The public keys of deliveries; needs no key of ours. */
export async function readWebhookKeys(reader: Reader): Promise<readonly WebhookKey[]> {
  const endpoint = 'GET /v2/.well-known/webhook-jwks.json'
  return (await reader.readOpenly({ endpoint, target: '/v2/.well-known/webhook-jwks.json', shape: keySet })).keys
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

  async function keyFor(kid: string): Promise<WebhookKey> {
    const find = () => keys.find((key) => key.kid === kid)
    const isFresh = isWithin(KEYS_AGE_LIMIT_MS, readAtMs)
    if (!isFresh || find() === undefined) await read()
    const found = find()
    if (found === undefined) throw refused('a key of the published set')
    return found
  }

  return async ({ signature, body }) => {
    const jws = withBody(signature, body)
    await verifyWith(publicKeyOf(await keyFor(kidOf(jws))), jws)
  }
}

/** A bound on what is parsed at all. An Ed25519 signature has 86 characters; a header has a few dozen. */
const DETACHED = /^([A-Za-z0-9_-]{1,1024})\.\.([A-Za-z0-9_-]{86})$/

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

function publicKeyOf({ kty, crv, x }: WebhookKey): JWK {
  if (kty !== 'OKP' || crv !== 'Ed25519' || x === undefined) throw refused('a key of the kind Ed25519')
  return { kty, crv, x }
}

async function verifyWith(key: JWK, jws: FlattenedJWSInput): Promise<void> {
  try {
    await flattenedVerify(jws, key, { algorithms: ['EdDSA'] })
  } catch (error) {
    // The header has been looked at: what jose says by another error than its own is of the key.
    throw refused(error instanceof JOSEError ? 'one that matches the body' : 'a key that can be read')
  }
}

function refused(expectation: string): Refused {
  return new Refused(`webhook signature: expected ${expectation}`)
}

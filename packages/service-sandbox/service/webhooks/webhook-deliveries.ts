// Delivers webhook events to one address: signed, in parallel, and retried with back-off, then dropped. Deliveries live
// in memory and machine time; those under way end with the process.
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign } from 'node:crypto'
import { seededEd25519 } from '../signing-keys.ts'
import type { WebhookEvent } from './webhook-events.ts'

interface WebhookKey {
  readonly kid: string
  readonly privateKey: KeyObject
}

const known = new Map<string, WebhookKey>()

function webhookKeyOf(seed: string): WebhookKey {
  const made = known.get(seed)
  if (made !== undefined) return made
  const { privateKeyPem, publicKeyPem } = seededEd25519(seed, 'webhook')
  const kid = `webhook-${hash('sha256', publicKeyPem, 'hex').slice(0, 12)}`
  const key = { kid, privateKey: createPrivateKey(privateKeyPem) }
  known.set(seed, key)
  return key
}

/** Returns a key set (RFC 7517) with one Ed25519 key (RFC 8037). */
export function webhookKeySet(seed: string): { readonly keys: readonly Record<string, unknown>[] } {
  const { kid, privateKey } = webhookKeyOf(seed)
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' })
  return { keys: [{ ...jwk, kid, alg: 'EdDSA', use: 'sig' }] }
}

/** Header with a JWS with detached payload (RFC 7515, appendix F) over the body, `kid` in its header. */
const SIGNATURE_HEADER = 'x-webhook-signature'

/** Waits before each further attempt; 15.5 s in total. */
const RETRY_WAITS_MS = [500, 1_000, 2_000, 4_000, 8_000]
const ANSWER_WITHIN_MS = 5_000
const MOST_UNDER_WAY = 10_000
const MOST_REMEMBERED = 1_000

export interface Delivery {
  readonly eventId: string
  readonly type: string
  state: 'under way' | 'delivered' | 'given up'
  attempts: number
}

export class WebhookDeliveries {
  readonly #url: string
  readonly #key: WebhookKey
  readonly #stopped = new AbortController()
  readonly #deliveries: Delivery[] = []
  #underWay = 0

  constructor(url: string, seed: string) {
    this.#url = url
    this.#key = webhookKeyOf(seed)
  }

  /** Returns the last 1,000 deliveries, newest last. */
  list(): readonly Delivery[] {
    return this.#deliveries
  }

  deliver(event: WebhookEvent): void {
    const full = this.#underWay >= MOST_UNDER_WAY
    const delivery: Delivery = {
      eventId: event.id,
      type: event.type,
      state: full ? 'given up' : 'under way',
      attempts: 0,
    }
    this.#deliveries.push(delivery)
    if (this.#deliveries.length > MOST_REMEMBERED) this.#deliveries.shift()
    if (full) return
    this.#underWay += 1
    void this.#attemptAll(delivery, Buffer.from(JSON.stringify(event))).finally(() => {
      this.#underWay -= 1
    })
  }

  stop(): void {
    this.#stopped.abort()
  }

  async #attemptAll(delivery: Delivery, body: Buffer): Promise<void> {
    const signature = detachedJws(this.#key, body)
    for (let attempt = 0; attempt <= RETRY_WAITS_MS.length; attempt += 1) {
      delivery.attempts += 1
      if (await this.#attempt(body, signature)) {
        delivery.state = 'delivered'
        return
      }
      const waitMs = RETRY_WAITS_MS[attempt]
      if (waitMs === undefined || !(await this.#wait(waitMs))) break
    }
    delivery.state = 'given up'
  }

  async #attempt(body: Buffer, signature: string): Promise<boolean> {
    try {
      const answer = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature },
        body: new Uint8Array(body),
        redirect: 'manual',
        signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
      })
      await answer.body?.cancel()
      return answer.ok
    } catch {
      return false
    }
  }

  /** Resolves to false when the deliveries were stopped during the wait. */
  #wait(waitMs: number): Promise<boolean> {
    const { signal } = this.#stopped
    if (signal.aborted) return Promise.resolve(false)
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(true), waitMs).unref()
      signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer)
          resolve(false)
        },
        { once: true },
      )
    })
  }
}

/** Returns `<protected header>..<signature>`. The payload is the body, so it is left out. */
function detachedJws({ kid, privateKey }: WebhookKey, body: Buffer): string {
  const head = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid })).toString('base64url')
  const signature = sign(null, Buffer.from(`${head}.${body.toString('base64url')}`), privateKey)
  return `${head}..${signature.toString('base64url')}`
}

// Makes the key that signs webhook deliveries, and its published key set. The key follows from the seed, like every key
// of the sandbox.
import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto'
import { seededEd25519 } from '../signing-keys.ts'

export interface WebhookKey {
  readonly kid: string
  readonly privateKey: KeyObject
}

const known = new Map<string, WebhookKey>()

export function webhookKeyOf(seed: string): WebhookKey {
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

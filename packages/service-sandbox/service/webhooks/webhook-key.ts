// The key that signs webhook deliveries, and the key set that is published for it. Follows from the
// seed, as every key of the sandbox does.
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

/** RFC 7517; the key is an Ed25519 one of RFC 8037. */
export function webhookKeySet(seed: string): { readonly keys: readonly Record<string, unknown>[] } {
  const { kid, privateKey } = webhookKeyOf(seed)
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' })
  return { keys: [{ ...jwk, kid, alg: 'EdDSA', use: 'sig' }] }
}

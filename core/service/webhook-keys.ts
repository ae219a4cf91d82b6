// Reads the webhook keys, GET /v2/.well-known/webhook-jwks.json (section "Events"). webhook-deliveries.ts checks deliveries
// against them.
import * as z from 'zod/mini'
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

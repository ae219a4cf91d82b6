// Signs the request to a webhook, so that its receiver can check that it is ours and recent.
// Source: Standard Webhooks, "Signature scheme" (https://github.com/standard-webhooks/standard-webhooks).
import { createHmac } from 'node:crypto'

export interface Signed {
  /** The notice's id, which a repeated notice keeps. */
  readonly id: string
  readonly nowMs: number
  readonly body: string
}

export function signatureHeaders(
  { id, nowMs, body }: Signed,
  key: Buffer | undefined,
): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(nowMs / 1000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': seconds }
  if (key === undefined) return headers
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return { ...headers, 'webhook-signature': `v1,${signature}` }
}

// Signs what a webhook is sent, so that its receiver can tell that it is ours, and new.
// Source: Standard Webhooks, "Signature scheme" (https://github.com/standard-webhooks/standard-webhooks).
import { createHmac } from 'node:crypto'

export interface Signed {
  /** Of the notice: the same for a double of it. */
  readonly id: string
  readonly nowMs: number
  readonly body: string
}

export function signatureHeaders(
  { id, nowMs, body }: Signed,
  key: Buffer | undefined,
): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(nowMs / 1000))
  const named = { 'webhook-id': id, 'webhook-timestamp': seconds }
  if (key === undefined) return named
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return { ...named, 'webhook-signature': `v1,${signature}` }
}

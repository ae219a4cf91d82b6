// Reads the secret of a webhook, and checks that a notice may go to its address. Signs the request to it, so that its
// receiver can check that it is ours and recent. Its errors never quote the address, because anyone who knows it may
// post there. Pure. Source: Standard Webhooks, "Signature scheme"
// (https://github.com/standard-webhooks/standard-webhooks).

import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import { findJson } from '../contract/find-json.ts'
import { type WebhookSecret, webhookSecret } from '../contract/sent-notices.ts'
import { Refused } from '../errors.ts'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

export interface WebhookTarget {
  readonly url: URL
  /** The signing key. Undefined: requests are not signed. */
  readonly signWith: Buffer | undefined
}

/** Bounds of Standard Webhooks, in bytes. */
const LEAST_KEY_BYTES = 24
const MOST_KEY_BYTES = 64

const SECRET = 'secret of the notice'
const ADDRESS =
  'expected an https address of the internet, at port 443, without user, password or fragment, such as the address that Slack shows'

/** `isDesk`: on one machine the receiver may be on that machine, without TLS and at any port. @throws Refused */
export function parseWebhookTarget(text: string, { isDesk }: { readonly isDesk: boolean }): WebhookTarget {
  const { url: address, signWith } = readSecret(text.trim())
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !(isOfInternet(url) || (isDesk && isOfThisMachine(url)))) {
    throw new Refused(`${SECRET}: ${ADDRESS}; got something else`)
  }
  return { url, signWith: signWith === undefined ? undefined : readKey(signWith) }
}

function readSecret(text: string): WebhookSecret {
  if (!text.startsWith('{')) return { url: text }
  const parsed = webhookSecret.safeParse(findJson(text))
  if (parsed.success) return parsed.data
  throw new Refused(
    `${SECRET}: expected an address alone, or {"url", "signWith"}, signWith being whsec_ and base64; got something else`,
  )
}

function readKey(signWith: string): Buffer {
  const key = Buffer.from(signWith.slice('whsec_'.length), 'base64')
  if (key.length >= LEAST_KEY_BYTES && key.length <= MOST_KEY_BYTES) return key
  throw new Refused(
    `${SECRET}: signWith: expected ${LEAST_KEY_BYTES} to ${MOST_KEY_BYTES} bytes in base64; got ${key.length}`,
  )
}

function isOfInternet({ hash, hostname, password, port, protocol, username }: URL): boolean {
  const host = hostOf(hostname)
  const isPlain = username === '' && password === '' && hash === '' && port === ''
  return protocol === 'https:' && isPlain && (isIP(host) === 0 ? host.includes('.') : isPublicAddress(host))
}

function isOfThisMachine({ hostname, password, protocol, username }: URL): boolean {
  return protocol === 'http:' && username === '' && password === '' && isLoopbackAddress(hostOf(hostname))
}

/** The host of a URL, in the form that sockets accept. */
export function hostOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

interface Signed {
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

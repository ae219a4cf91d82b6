// Reads the secret of a webhook, and says whether its address is one that a notice may go to. What it refuses, it never quotes:
// whoever knows the address may post there. Pure.
import { isIP } from 'node:net'
import { type WebhookSecret, webhookSecret } from '../contract/told-notices.ts'
import { Refused } from '../errors.ts'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

export interface WebhookTarget {
  readonly url: URL
  /** The key by which it is signed. Absent: it is not. */
  readonly signWith: Buffer | undefined
}

/** The least that Standard Webhooks takes, and the most. */
const LEAST_KEY_BYTES = 24
const MOST_KEY_BYTES = 64

const SECRET = 'secret of the notice'
const ADDRESS =
  'expected an https address of the internet, at port 443, without user, password or fragment, such as that which Slack shows'

/** `isDesk`: on one machine a receiver of that machine may be tried, without TLS and at any port. @throws Refused */
export function parseWebhookTarget(text: string, { isDesk }: { readonly isDesk: boolean }): WebhookTarget {
  const { url: address, signWith } = readSecret(text.trim())
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !(isOfInternet(url) || (isDesk && isOfThisMachine(url)))) {
    throw new Refused(`${SECRET}: ${ADDRESS}; got another`)
  }
  return { url, signWith: signWith === undefined ? undefined : readKey(signWith) }
}

function readSecret(text: string): WebhookSecret {
  if (!text.startsWith('{')) return { url: text }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  const parsed = webhookSecret.safeParse(json)
  if (parsed.success) return parsed.data
  throw new Refused(
    `${SECRET}: expected an address alone, or {"url", "signWith"}, signWith being whsec_ and base64; got another`,
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

/** Of a URL, as sockets take it. */
export function hostOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

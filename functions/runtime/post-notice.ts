// Posts one notice to one address of the internet. It asks for the name itself, and connects to the very address that it has
// judged: a name that answers otherwise a moment later changes nothing. One request: no redirect is followed, no proxy is
// asked, and nothing of the answer counts but its status. What it says of a failure names neither address nor answer.
import { promises as dns } from 'node:dns'
import * as http from 'node:http'
import * as https from 'node:https'
import { isIP } from 'node:net'
import { bareCause, errorText } from '../../core/error-name.ts'
import { Refused, Transient } from '../../core/errors.ts'
import { isLoopbackAddress, isPublicAddress } from '../../core/notices/public-address.ts'
import { hostOf } from '../../core/notices/webhook-target.ts'

export interface Post {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Resolved {
  readonly address: string
  readonly family: number
}

export interface PostOptions {
  /** A receiver of this machine may be tried, as `parseWebhookTarget` lets it. */
  readonly isDesk: boolean
  /** From the call to the status, the name's look-up included. */
  readonly timeoutMs?: number
  /** All addresses of a name. Default: the system's. */
  readonly resolve?: (host: string) => Promise<readonly Resolved[]>
}

/** A receiver that has not taken it by then is tried again. */
export const POST_TIMEOUT_MS = 10_000

/** @throws Refused for an address that is not of the internet; Transient for a receiver that did not take it */
export async function postNotice(post: Post, options: PostOptions): Promise<void> {
  const { timeoutMs = POST_TIMEOUT_MS } = options
  const signal = AbortSignal.timeout(timeoutMs)
  const pinned = await within(signal, resolvePublic(hostOf(post.url.hostname), options))
  const status = await statusOf(post, pinned, signal)
  if (status >= 200 && status < 300) return
  const why = status >= 300 && status < 400 ? 'a redirect, which is not followed' : 'not a yes'
  throw new Transient(`the receiver answered ${status}: ${why}`)
}

async function resolvePublic(host: string, { isDesk, resolve = resolveAll }: PostOptions): Promise<Resolved> {
  const family = isIP(host)
  const found = family === 0 ? await resolve(host).catch(nameUnknown) : [{ address: host, family }]
  const [first] = found
  if (first === undefined) throw new Transient("the receiver's name has no address")
  // All of them, so that it does not depend on chance whether one is refused.
  const isAllowed = ({ address }: Resolved) =>
    isPublicAddress(address) || (isDesk && family !== 0 && isLoopbackAddress(address))
  if (!found.every(isAllowed)) {
    throw new Refused("the receiver's name leads to an address that is not of the public internet: nothing was sent")
  }
  return first
}

const resolveAll = (host: string) => dns.lookup(host, { all: true, order: 'ipv4first' })

function nameUnknown(error: unknown): never {
  throw new Transient(`the receiver's name was not found (${errorText(error)})`, bareCause(error))
}

/** A look-up cannot be stopped: it is left behind. */
function within<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Transient('the receiver did not answer in time')), { once: true })
    work.then(resolve, reject)
  })
}

function statusOf({ body, headers, url }: Post, pinned: Resolved, signal: AbortSignal): Promise<number> {
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'sluice',
        connection: 'close',
        ...headers,
      },
      // A connection of its own, to the address that was judged. Its certificate must be that of the name.
      agent: false,
      lookup: (_host, { all }, done) => {
        if (all === true) done(null, [{ ...pinned }])
        else done(null, pinned.address, pinned.family)
      },
      signal,
    })
    outgoing.on('response', (response) => {
      resolve(response.statusCode ?? 0)
      // However much it says, nothing of it is kept.
      response.on('error', () => undefined)
      response.destroy()
    })
    outgoing.on('error', (error) => {
      const isLate = signal.aborted
      reject(
        new Transient(
          isLate ? 'the receiver did not answer in time' : `the receiver was not reached (${errorText(error)})`,
          bareCause(error),
        ),
      )
    })
    outgoing.end(body)
  })
}

// Posts one notice to one internet address. It resolves the name itself and connects to the address that it has
// checked, so a later change of the name has no effect. It makes one request without redirect or proxy, and reads only
// the status of the answer. Its errors name neither the address nor the answer.
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
  /** Allows a receiver on this machine, as `parseWebhookTarget` does. */
  readonly isDesk: boolean
  /** From the call to the status, in milliseconds, including the name lookup. */
  readonly timeoutMs?: number
  /** Returns all addresses of a name. Default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly Resolved[]>
}

/** Time limit in milliseconds. The queue then delivers the notice again. */
export const POST_TIMEOUT_MS = 10_000

/** @throws Refused for an address outside the public internet; Transient when the receiver did not accept the notice */
export async function postNotice(post: Post, options: PostOptions): Promise<void> {
  const { timeoutMs = POST_TIMEOUT_MS } = options
  const signal = AbortSignal.timeout(timeoutMs)
  const pinned = await within(signal, resolvePublic(hostOf(post.url.hostname), options))
  const status = await statusOf(post, pinned, signal)
  if (status >= 200 && status < 300) return
  const why = status >= 300 && status < 400 ? 'a redirect, which is not followed' : 'not a success'
  throw new Transient(`the receiver answered ${status}: ${why}`)
}

async function resolvePublic(host: string, { isDesk, resolve = resolveAll }: PostOptions): Promise<Resolved> {
  const family = isIP(host)
  const found = family === 0 ? await resolve(host).catch(nameUnknown) : [{ address: host, family }]
  const [first] = found
  if (first === undefined) throw new Transient("the receiver's name has no address")
  // Check every address, so that the result does not depend on their order.
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

/** A lookup cannot be cancelled, so it continues unused. */
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
      // A new connection to the checked address. Its certificate must still match the name.
      agent: false,
      lookup: (_host, { all }, done) => {
        if (all === true) done(null, [{ ...pinned }])
        else done(null, pinned.address, pinned.family)
      },
      signal,
    })
    outgoing.on('response', (response) => {
      resolve(response.statusCode ?? 0)
      // The body of the answer is not read.
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

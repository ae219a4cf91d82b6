// Posts one notice to one internet address. It resolves the name itself and connects to the address that it has
// checked, so a later change of the name has no effect. Behind a company's proxy, the proxy resolves the name and decides
// what may be reached. It makes one request without redirect, and reads only the status of the answer. Its errors name
// neither the address nor the answer.
import { promises as dns } from 'node:dns'
import * as http from 'node:http'
import * as https from 'node:https'
import { isIP } from 'node:net'
import { bareCause, errorText } from '../../core/error-name.ts'
import { Refused, SluiceError, Transient } from '../../core/errors.ts'
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
const POST_TIMEOUT_MS = 10_000

/** @throws Refused for an address outside the public internet; Transient when the receiver did not accept the notice */
export async function postNotice(post: Post, options: PostOptions): Promise<void> {
  const { timeoutMs = POST_TIMEOUT_MS } = options
  const host = hostOf(post.url.hostname)
  const family = isIP(host)
  // Sockets look up names only, and a proxy would take any address.
  if (family !== 0) checkAllowed([{ address: host, family }], options.isDesk)
  const status = await statusOf(post, (name) => resolvePublic(name, options), AbortSignal.timeout(timeoutMs))
  if (status >= 200 && status < 300) return
  const why = status >= 300 && status < 400 ? 'a redirect, which is not followed' : 'not a success'
  throw new Transient(`the receiver answered ${status}: ${why}`)
}

async function resolvePublic(name: string, { resolve = resolveAll }: PostOptions): Promise<Resolved> {
  const found = await resolve(name).catch(nameUnknown)
  const [first] = found
  if (first === undefined) throw new Transient("the receiver's name has no address")
  checkAllowed(found, false)
  return first
}

/** Checks every address, so that the result does not depend on their order. */
function checkAllowed(found: readonly Resolved[], mayBeHere: boolean): void {
  const isAllowed = ({ address }: Resolved) => isPublicAddress(address) || (mayBeHere && isLoopbackAddress(address))
  if (!found.every(isAllowed)) {
    throw new Refused("the receiver's name leads to an address that is not of the public internet: nothing was sent")
  }
}

const resolveAll = (host: string) => dns.lookup(host, { all: true, order: 'ipv4first' })

function nameUnknown(error: unknown): never {
  throw new Transient(`the receiver's name was not found (${errorText(error)})`, bareCause(error))
}

function statusOf(
  { body, headers, url }: Post,
  resolve: (name: string) => Promise<Resolved>,
  signal: AbortSignal,
): Promise<number> {
  const { Agent, request } = url.protocol === 'https:' ? https : http
  return new Promise((fulfil, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'sluice',
        connection: 'close',
        ...headers,
      },
      // A new connection to the checked address. Its certificate must still match the name. Only an agent of its own
      // finds the company's proxy (core/service/forward-proxy.ts), and then looks up no name.
      agent: new Agent(),
      lookup: (name, { all }, done) => {
        resolve(name).then(
          (found) => (all === true ? done(null, [{ ...found }]) : done(null, found.address, found.family)),
          (error: Error) => done(error, []),
        )
      },
      signal,
    })
    outgoing.on('response', (response) => {
      fulfil(response.statusCode ?? 0)
      // The body of the answer is not read.
      response.on('error', () => undefined)
      response.destroy()
    })
    outgoing.on('error', (error) => {
      const isLate = signal.aborted
      if (error instanceof SluiceError) return reject(error)
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

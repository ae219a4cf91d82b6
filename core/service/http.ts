// Owns one exchange of bytes with the service: one request, at most one answer, one absolute
// deadline, a capped body, no redirect, no retry. What the network or the service does is an
// Answer, never an exception. It must not know keys, codes or amounts.
import type * as http from 'node:http'
import * as https from 'node:https'
import type { Clock } from '../clock.ts'
import { LISTENING_SECONDS } from '../contract/timing.ts'
import { Refused } from '../errors.ts'
import { type AgentOptions, createConnections } from './connections.ts'
import { request as requestInClear } from './node-http.ts'

export interface TransportLimits {
  /** From the call to the last byte of the answer: name look-up, queueing, TLS and body included. */
  readonly requestTimeoutMs: number
  /** Body bytes kept of an answer; one more ends it. */
  readonly maxBodyBytes: number
}

const TRANSPORT_LIMITS: TransportLimits = {
  requestTimeoutMs: LISTENING_SECONDS * 1000,
  maxBodyBytes: 1_048_576,
}

export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Path and query below the base address, already encoded (see request-path.ts). */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent byte for byte. */
  readonly body?: Buffer
  /** Says by its status that an answer is complete as it is; the body is then read away unseen. */
  readonly isDecidedBy?: (status: number) => boolean
  /** Shortens `requestTimeoutMs` for this one. */
  readonly timeoutMs?: number
}

/** How an answer that had begun went wrong. */
export type BodyFault = 'cut_off' | 'body_too_large' | 'timed_out'

export interface Answered {
  readonly kind: 'answered'
  readonly status: number
  /** Headers as they came; '' when absent. */
  readonly contentType: string
  readonly date: string
  readonly pace?: PaceHeaders
  readonly body: Buffer
  readonly fault: BodyFault | undefined
}

/** How soon the service wants to be asked again, in its own words. */
export interface PaceHeaders {
  readonly retryAfter: string
  readonly rateLimitLimit: string
  readonly rateLimitRemaining: string
  readonly rateLimitReset: string
}

export interface Unanswered {
  readonly kind: 'unanswered'
  readonly code: 'no_answer' | 'timed_out'
  /** Which address, and the system's error code. */
  readonly text: string
  /** Such as ECONNREFUSED; absent where it was closed without an answer, or too late. */
  readonly systemCode?: string
}

export type Answer = Answered | Unanswered

export interface Transport {
  /** The request target as it goes on the wire: the base address's own path, then `target`. */
  wireTarget(target: string): string
  /** True for https, and for http that does not leave this machine. */
  readonly isPrivate: boolean
  exchange(request: Exchange): Promise<Answer>
  close(): void
}

export interface TransportOptions {
  /** `http(s)://host[:port][/path]`, without `/v2`. */
  readonly baseUrl: string
  readonly clock: Clock
  readonly agentOptions?: AgentOptions
  readonly limits?: Partial<TransportLimits>
}

// Common firewalls turn away requests without a user agent.
const STANDING_HEADERS = { 'accept-encoding': 'identity', 'user-agent': 'sluice' }
const NO_BODY = Buffer.alloc(0)
const ERROR_CODE = /^[A-Z][A-Z0-9_]{1,60}$/
const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/

/** Throws Refused when `baseUrl` is no usable address. */
export function createTransport(options: TransportOptions): Transport {
  const base = parseBaseUrl(options.baseUrl)
  const limits = { ...TRANSPORT_LIMITS, ...options.limits }
  const connections = createConnections(base.protocol, options.clock, options.agentOptions)
  const request = base.protocol === 'https:' ? https.request : requestInClear
  const prefix = base.pathname.replace(/\/+$/, '')
  const server = { hostname: base.hostname.replace(/^\[|\]$/g, ''), port: base.port }
  const wireTarget = (target: string) => prefix + target

  function exchange(wanted: Exchange): Promise<Answer> {
    connections.closeStale()
    const headers: Record<string, string | number> = { ...STANDING_HEADERS, ...wanted.headers }
    if (wanted.body !== undefined) headers['content-length'] = wanted.body.length
    const outgoing = request({
      agent: connections.agent,
      ...server,
      method: wanted.method,
      path: wireTarget(wanted.target),
      headers,
    })
    const requestTimeoutMs = Math.min(wanted.timeoutMs ?? Number.POSITIVE_INFINITY, limits.requestTimeoutMs)
    const answer = heardFrom(outgoing, base.origin, { ...limits, requestTimeoutMs }, wanted.isDecidedBy)
    outgoing.end(wanted.body)
    return answer
  }

  return {
    wireTarget,
    isPrivate: base.protocol === 'https:' || LOOPBACK.test(base.hostname),
    exchange,
    close: connections.close,
  }
}

/** Resolves once, with what came first: an answer, its fault, an error, the deadline. Never rejects. */
function heardFrom(
  outgoing: http.ClientRequest,
  origin: string,
  limits: TransportLimits,
  isDecidedBy: (status: number) => boolean = () => false,
): Promise<Answer> {
  return new Promise((resolve) => {
    let isLate = false
    let systemCode: string | undefined
    let hasBegun = false
    // One timer for everything, also for a body that drips. It ends with the request, not with
    // the promise: a body that is read away unseen is bounded by it as well.
    const deadline = setTimeout(() => {
      isLate = true
      outgoing.destroy()
    }, limits.requestTimeoutMs)

    outgoing.on('response', (response) => {
      hasBegun = true
      const chunks: Buffer[] = []
      let size = 0
      // Its `close` tells; but an error that nobody listens to would end the process.
      response.on('error', () => undefined)
      if (isDecidedBy(response.statusCode ?? 0)) {
        resolve(answered(response, NO_BODY, undefined))
        response.resume()
        return
      }
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > limits.maxBodyBytes) {
          resolve(answered(response, NO_BODY, 'body_too_large'))
          outgoing.destroy()
        } else {
          chunks.push(chunk)
        }
      })
      response.on('end', () => resolve(answered(response, Buffer.concat(chunks), undefined)))
      response.on('close', () => resolve(answered(response, NO_BODY, isLate ? 'timed_out' : 'cut_off')))
    })

    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // Only the code: the error of a malformed answer carries the answer's raw bytes.
      if (ERROR_CODE.test(error.code ?? '')) systemCode = error.code
    })
    outgoing.on('close', () => {
      clearTimeout(deadline)
      // Once an answer has begun, its own events tell the rest: they may come later than this one.
      if (hasBegun) return
      resolve(isLate ? late(origin, limits.requestTimeoutMs) : unanswered(origin, systemCode))
    })
  })
}

function answered(response: http.IncomingMessage, body: Buffer, fault: BodyFault | undefined): Answered {
  const { statusCode = 0, headers } = response
  return {
    kind: 'answered',
    status: statusCode,
    contentType: headers['content-type'] ?? '',
    date: headers.date ?? '',
    pace: {
      retryAfter: headers['retry-after'] ?? '',
      rateLimitLimit: [headers['ratelimit-limit']].flat().join(),
      rateLimitRemaining: [headers['ratelimit-remaining']].flat().join(),
      rateLimitReset: [headers['ratelimit-reset']].flat().join(),
    },
    body,
    fault,
  }
}

function late(origin: string, afterMs: number): Unanswered {
  return { kind: 'unanswered', code: 'timed_out', text: `no answer from ${origin} in ${Math.round(afterMs)} ms` }
}

function unanswered(origin: string, systemCode: string | undefined): Unanswered {
  const text = `no answer from ${origin} (${systemCode ?? 'closed without an answer'})`
  return { kind: 'unanswered', code: 'no_answer', text, ...(systemCode !== undefined && { systemCode }) }
}

function parseBaseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new Refused('service address: expected http(s)://host[:port][/path]')
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw new Refused('service address: expected no query, fragment, user or password in it')
  if (/\/v\d+\/*$/.test(url.pathname))
    throw new Refused('service address: expected it without the version; the client adds /v2 itself')
  return url
}

// Owns one exchange of bytes with the service: one request, at most one answer, one absolute deadline and a capped
// body. Never redirects or retries. Failures of the network or the service are returned as an Answer, never thrown.
// Must not know codes or amounts, and of a key only that a live one needs encryption.
import type * as http from 'node:http'
import type { Clock } from '../clock.ts'
import { LISTENING_SECONDS } from '../contract/timing.ts'
import { Refused } from '../errors.ts'
import type { ServiceKey } from '../keys/key-source.ts'
import { type AgentOptions, createConnections, nodeHttps, request as requestInClear } from './connections.ts'

export interface TransportLimits {
  /** From the call to the last byte of the answer, including name lookup, queueing, TLS and body. */
  readonly requestTimeoutMs: number
  /** Most body bytes of an answer. One more byte ends the exchange. */
  readonly maxBodyBytes: number
}

const TRANSPORT_LIMITS: TransportLimits = {
  requestTimeoutMs: LISTENING_SECONDS * 1000,
  maxBodyBytes: 1_048_576,
}

export interface Exchange {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Path and query below the base address, already encoded by request-path.ts. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent byte for byte. */
  readonly body?: Buffer
  /** Whether the status alone decides. The body is then read and thrown away. */
  readonly isDecidedBy?: (status: number) => boolean
  readonly timeoutMs?: number
}

type BodyFault = 'cut_off' | 'body_too_large' | 'timed_out'

export interface Answered {
  readonly kind: 'answered'
  readonly status: number
  /** Headers as received; '' when absent. */
  readonly contentType: string
  readonly date: string
  readonly pace?: PaceHeaders
  readonly body: Buffer
  readonly fault: BodyFault | undefined
}

/** The service's rate-limit headers, as received; '' when absent. */
export interface PaceHeaders {
  readonly retryAfter: string
  readonly rateLimitLimit: string
  readonly rateLimitRemaining: string
  readonly rateLimitReset: string
}

export interface Unanswered {
  readonly kind: 'unanswered'
  readonly code: 'no_answer' | 'timed_out'
  /** A sentence with the address and the system's error code. */
  readonly text: string
  /** Such as ECONNREFUSED. Absent after a timeout, and when the connection was closed without an answer. */
  readonly systemCode?: string
}

export type Answer = Answered | Unanswered

export interface Transport {
  /** The target as sent: the base address's own path, then `target`. */
  wireTarget(target: string): string
  /** True for https, and for http that does not leave this machine. */
  readonly isEncryptedOrLocal: boolean
  exchange(request: Exchange): Promise<Answer>
  close(): void
}

interface TransportOptions {
  /** `http(s)://host[:port][/path]`, without `/v2`. */
  readonly baseUrl: string
  readonly clock: Clock
  readonly agentOptions?: AgentOptions
  readonly limits?: Partial<TransportLimits>
}

// Common firewalls reject requests without a user agent.
const STANDING_HEADERS = { 'accept-encoding': 'identity', 'user-agent': 'sluice' }
const NO_BODY = Buffer.alloc(0)
const ERROR_CODE = /^[A-Z][A-Z0-9_]{1,60}$/
const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/

/** Throws Refused when `baseUrl` is not a usable address. */
export function createTransport(options: TransportOptions): Transport {
  const base = parseBaseUrl(options.baseUrl)
  const limits = { ...TRANSPORT_LIMITS, ...options.limits }
  const connections = createConnections(base.protocol, options.clock, options.agentOptions)
  const request = base.protocol === 'https:' ? nodeHttps().request : requestInClear
  const prefix = base.pathname.replace(/\/+$/, '')
  const server = { hostname: base.hostname.replace(/^\[|\]$/g, ''), port: base.port }
  const wireTarget = (target: string) => prefix + target

  function exchange(details: Exchange): Promise<Answer> {
    connections.closeStale()
    const headers: Record<string, string | number> = { ...STANDING_HEADERS, ...details.headers }
    if (details.body !== undefined) headers['content-length'] = details.body.length
    const outgoing = request({
      agent: connections.agent,
      ...server,
      method: details.method,
      path: wireTarget(details.target),
      headers,
    })
    const requestTimeoutMs = Math.min(details.timeoutMs ?? Number.POSITIVE_INFINITY, limits.requestTimeoutMs)
    const answer = awaitAnswer(outgoing, base.origin, { ...limits, requestTimeoutMs }, details.isDecidedBy)
    outgoing.end(details.body)
    return answer
  }

  return {
    wireTarget,
    isEncryptedOrLocal: base.protocol === 'https:' || LOOPBACK.test(base.hostname),
    exchange,
    close: connections.close,
  }
}

/** Resolves once, with the first of: an answer, a fault of its body, an error, the deadline. Never rejects. */
function awaitAnswer(
  outgoing: http.ClientRequest,
  origin: string,
  limits: TransportLimits,
  isDecidedBy: (status: number) => boolean = () => false,
): Promise<Answer> {
  return new Promise((resolve) => {
    let isLate = false
    let systemCode: string | undefined
    let hasBegun = false
    // One timer bounds everything, also a body that arrives byte by byte. It ends with the request, not with the
    // promise, so it also bounds a body that is thrown away.
    const deadline = setTimeout(() => {
      isLate = true
      outgoing.destroy()
    }, limits.requestTimeoutMs)

    outgoing.on('response', (response) => {
      hasBegun = true
      const chunks: Buffer[] = []
      let size = 0
      // The `close` event reports the fault, but an error without a listener would end the process.
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
      // Keep the code alone: the error of a malformed answer carries the answer's raw bytes.
      if (ERROR_CODE.test(error.code ?? '')) systemCode = error.code
    })
    outgoing.on('close', () => {
      clearTimeout(deadline)
      // Once an answer has begun, its own events report the rest. They may come later than this event.
      if (hasBegun) return
      resolve(isLate ? timedOut(origin, limits.requestTimeoutMs) : unanswered(origin, systemCode))
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

function timedOut(origin: string, afterMs: number): Unanswered {
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

/** @throws Refused, before anything is sent, for a live key where the address is neither https nor on this machine */
export function refuseLiveKeyUnencrypted(key: ServiceKey, transport: Transport): void {
  if (transport.isEncryptedOrLocal || !key.prefix.startsWith('svc_live_')) return
  throw new Refused('service address: expected https, as the key is a live one; nothing was sent')
}

// Applies faults around a request: before it reaches the service, in its place, or to its answer. The service knows
// nothing of faults except the circumstances. A broken answer keeps its status; its body or media type is damaged.

import type { ServerResponse } from 'node:http'
import type { Circumstances } from '../exchange.ts'
import { Problem, type ProblemCode } from '../problem.ts'
import { rateLimitHeaders } from '../rate-limit.ts'
import type { Received, Reply, Service } from '../service.ts'
import type { Fault, Mangling } from './rules.ts'

/** How the socket ends the exchange. */
export interface Ending {
  /** Undefined when the connection is dropped without an answer. */
  readonly reply: Reply | undefined
  readonly mangling: Mangling | undefined
  readonly trail: Reply['trail']
}

/** The limit that an injected 429 names in its headers. */
const RATE_LIMIT = 600

/** Runs the request, unless a fault keeps it from the service, and returns how the exchange ends. */
export function interfere(service: Service, received: Received, faults: readonly Fault[]): Ending {
  const find = <K extends Fault['kind']>(kind: K) =>
    faults.find((fault): fault is Extract<Fault, { kind: K }> => fault.kind === kind)
  const mangling = find('badAnswer')
  if (find('dropBeforeCommit')) return { reply: undefined, mangling: undefined, trail: {} }
  const redirect = find('redirect')
  if (redirect) return ending(redirected(service, received, redirect.location))
  const limit = find('rateLimit')
  if (limit) return ending(rateLimited(service, received, limit.retryAfterSeconds ?? 1))
  const early = find('errorBeforeCommit')
  if (early) return ending(injectedError(service, received, early, {}))
  if (mangling?.when === 'before') return ending(gatewayError(service, received), mangling)
  const reply = service.answer(received, circumstancesOf(faults))
  if (find('dropAfterCommit')) return { reply: undefined, mangling: undefined, trail: reply.trail }
  const late = find('errorAfterCommit')
  return ending(late ? injectedError(service, received, late, reply.trail) : reply, mangling)
}

/** Returns the milliseconds of machine time to wait, before the request is handled or before its answer is sent. */
export function delayOf(faults: readonly Fault[], when: 'before' | 'after'): number {
  let total = 0
  for (const fault of faults) {
    if (fault.kind === 'delay' && (fault.when ?? 'before') === when) total += fault.ms
  }
  return total
}

function ending(reply: Reply, mangling?: Mangling): Ending {
  return { reply, mangling, trail: reply.trail }
}

function circumstancesOf(faults: readonly Fault[]): Circumstances {
  if (faults.length === 0) return NONE
  let circumstances: Circumstances = NONE
  for (const fault of faults) {
    if (fault.kind === 'expireQuote') circumstances = { ...circumstances, expireQuote: true }
    if (fault.kind === 'misquote') {
      const { kind: _, ...misquote } = fault
      circumstances = { ...circumstances, misquote }
    }
    if (fault.kind === 'hideExpiry') circumstances = { ...circumstances, hideExpiry: true }
    if (fault.kind === 'oddId') circumstances = { ...circumstances, oddId: true }
    if (fault.kind === 'settleLater') circumstances = { ...circumstances, settleLater: fault }
    if (fault.kind === 'failLater') circumstances = { ...circumstances, failLater: fault }
    if (fault.kind === 'lateVisibility') circumstances = { ...circumstances, lateVisibilityMs: fault.ms }
  }
  return circumstances
}

const NONE: Circumstances = {}

const asked = (code: ProblemCode) => new Problem(code, 'A rule of the sandbox asked for this.')

/** Redirects elsewhere, as a careless gateway might. A client that moves money does not follow. */
function redirected(service: Service, received: Received, location: string): Reply {
  return { ...service.refuse(asked('downstream_unavailable'), received), status: 307, headers: { location } }
}

function rateLimited(service: Service, received: Received, seconds: number): Reply {
  const reply = service.refuse(asked('rate_limited'), received)
  return { ...reply, headers: rateLimitHeaders(RATE_LIMIT, 0, seconds * 1000, true) }
}

function injectedError(
  service: Service,
  received: Received,
  fault: Extract<Fault, { kind: 'errorBeforeCommit' | 'errorAfterCommit' }>,
  trail: Reply['trail'],
): Reply {
  const retryable = fault.retryable ?? fault.status >= 500
  const overrides = { status: fault.status, code: fault.code, retryable }
  return service.refuse(asked('internal_error'), received, trail, overrides)
}

/** The answer of a gateway that does not reach the service. */
function gatewayError(service: Service, received: Received): Reply {
  return service.refuse(asked('downstream_unavailable'), received)
}

const HUGE_BYTES = 16 * 1024 * 1024
const CHUNK = Buffer.alloc(64 * 1024, 'x')
/** Total time of a slow answer when the fault gives no time, and the number of its pieces. */
const DRIP_MS = 5_000
const DRIPS = 50

type Headers = Record<string, string | number>
type Write = (response: ServerResponse, reply: Reply, headers: Headers, mangling: Mangling) => void

const WRITERS: Readonly<Record<Mangling['how'], Write>> = {
  malformed: (response, reply, headers) => writeWhole(response, reply, headers, `${reply.body.slice(0, -1)},,`),
  empty: (response, reply, headers) => writeWhole(response, reply, headers, ''),
  html: (response, reply, headers) =>
    writeWhole(response, reply, { ...headers, 'content-type': 'text/html' }, '<html><body>Bad gateway</body></html>'),
  cutOff: (response, reply, headers) => {
    response.writeHead(reply.status, headers)
    response.write(reply.body.slice(0, Math.floor(reply.body.length / 2)), () => response.socket?.destroy())
  },
  huge: (response, reply, headers) => {
    response.writeHead(reply.status, { ...headers, 'content-length': HUGE_BYTES })
    writeHuge(response, HUGE_BYTES)
  },
  slowDrip: (response, reply, headers, { ms = DRIP_MS }) => {
    response.writeHead(reply.status, headers)
    writeSlowly(response, Buffer.from(reply.body), 0, ms / DRIPS)
  },
  asJson: (response, reply, headers) =>
    writeWhole(response, reply, { ...headers, 'content-type': 'application/json; charset=utf-8' }, reply.body),
}

export function mangle(mangling: Mangling, response: ServerResponse, reply: Reply, headers: Headers): void {
  WRITERS[mangling.how](response, reply, headers, mangling)
}

function writeWhole(response: ServerResponse, reply: Reply, headers: Headers, body: string): void {
  response.writeHead(reply.status, { ...headers, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

function writeHuge(response: ServerResponse, left: number): void {
  if (response.destroyed) return
  if (left <= 0) response.end()
  else response.write(CHUNK.subarray(0, Math.min(left, CHUNK.length)), () => writeHuge(response, left - CHUNK.length))
}

function writeSlowly(response: ServerResponse, body: Buffer, from: number, pauseMs: number): void {
  if (response.destroyed) return
  if (from >= body.length) {
    response.end()
    return
  }
  const to = from + Math.ceil(body.length / DRIPS)
  response.write(body.subarray(from, to))
  setTimeout(() => writeSlowly(response, body, to, pauseMs), pauseMs).unref()
}

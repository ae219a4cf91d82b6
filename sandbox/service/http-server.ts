// Sockets: reads requests whole and within bounds, lets rules interfere, writes answers, keeps the
// request log. Decides nothing about the API itself.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { CONTROL_PATH, type Controlled, control } from './control/control.ts'
import type { Fault } from './control/rules.ts'
import type { Circumstances } from './exchange.ts'
import { invalid, Problem } from './problem.ts'
import type { LoggedRequest } from './request-log.ts'
import type { Received, Reply, Service } from './service.ts'

/** Largest body that is read; the API's own bodies have a few hundred bytes. */
const LARGEST_BODY = 65_536
/** A larger one is read and thrown away up to here, so that the refusal can be received. */
const LARGEST_DISCARDED = 8 * 1024 * 1024
const HEADERS_WITHIN_MS = 10_000
const REQUEST_WITHIN_MS = 30_000
const IDLE_CONNECTION_MS = 60_000
const RATE_LIMIT_PER_MINUTE = 600

export interface Exchange extends Controlled {
  readonly service: Service
  readonly log: (line: string) => void
}

export function createHttpServer(exchange: Exchange): Server {
  const server = createServer(
    { headersTimeout: HEADERS_WITHIN_MS, requestTimeout: REQUEST_WITHIN_MS, keepAliveTimeout: IDLE_CONNECTION_MS },
    (request, response) => receive(exchange, request, response),
  )
  // What is not HTTP at all gets a problem too, as far as that is possible.
  server.on('clientError', (_error, socket) => refuseConnection(socket as Socket))
  return server
}

function receive(exchange: Exchange, request: IncomingMessage, response: ServerResponse): void {
  const { headers } = request
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    dispatch(exchange, request, response, NO_BODY)
    return
  }
  const chunks: Buffer[] = []
  let length = 0
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= LARGEST_BODY) chunks.push(chunk)
    else chunks.length = 0
    if (length > LARGEST_DISCARDED) request.socket.destroy()
  })
  request.on('end', () =>
    dispatch(exchange, request, response, length > LARGEST_BODY ? undefined : Buffer.concat(chunks)),
  )
}

const NO_BODY = Buffer.alloc(0)

/** `body` is undefined when it was too large. */
function dispatch(
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer | undefined,
): void {
  const received: Received = {
    method: request.method ?? '',
    target: request.url ?? '',
    headers: request.headers,
    remoteAddress: request.socket.remoteAddress ?? '',
    body: body ?? NO_BODY,
  }
  const [path = ''] = received.target.split('?', 1)
  if (path === CONTROL_PATH || path.startsWith(`${CONTROL_PATH}/`)) {
    send(exchange, response, answerControl(exchange, received, path, body))
    return
  }
  if (body === undefined) {
    finish(exchange, response, received, tooLarge(exchange, received), NO_FAULTS)
    return
  }
  meetFaults(exchange, response, received, exchange.rules.take(received.method, path))
}

const NO_FAULTS: readonly Fault[] = []

function tooLarge({ service }: Exchange, received: Received): Reply {
  return service.refuse(invalid(`The body is larger than ${LARGEST_BODY} bytes.`), received)
}

/** Lets the faults happen around the request: those before the commit, the request itself, those after it. */
function meetFaults(exchange: Exchange, response: ServerResponse, received: Received, faults: readonly Fault[]): void {
  const run = () => {
    if (faults.some(({ kind }) => kind === 'dropBeforeCommit')) {
      drop(exchange, response, received, {}, faults)
      return
    }
    const instead = replyBeforeCommit(exchange, received, faults)
    const reply = instead ?? exchange.service.answer(received, circumstancesOf(faults))
    if (faults.some(({ kind }) => kind === 'dropAfterCommit')) {
      drop(exchange, response, received, reply.trail, faults)
      return
    }
    const shown = instead ?? replyAfterCommit(exchange, received, reply, faults)
    later(delayOf(faults, 'after'), () => finish(exchange, response, received, shown, faults))
  }
  later(delayOf(faults, 'before'), run)
}

function circumstancesOf(faults: readonly Fault[]): Circumstances {
  let circumstances: Circumstances = {}
  for (const fault of faults) {
    if (fault.kind === 'expireQuote') circumstances = { ...circumstances, expireQuote: true }
    if (fault.kind === 'settleLater') circumstances = { ...circumstances, settleLater: fault }
    if (fault.kind === 'lateVisibility') circumstances = { ...circumstances, lateVisibilityMs: fault.ms }
  }
  return circumstances
}

function replyBeforeCommit({ service }: Exchange, received: Received, faults: readonly Fault[]): Reply | undefined {
  for (const fault of faults) {
    if (fault.kind === 'errorBeforeCommit') return injectedError(service, received, fault, {})
    if (fault.kind === 'rateLimit') {
      const seconds = String(fault.retryAfterSeconds ?? 1)
      const headers = {
        'retry-after': seconds,
        'ratelimit-limit': String(RATE_LIMIT_PER_MINUTE),
        'ratelimit-remaining': '0',
        'ratelimit-reset': seconds,
      }
      return { ...service.refuse(new Problem('rate_limited', 'Too many requests.'), received), headers }
    }
  }
  return undefined
}

function replyAfterCommit({ service }: Exchange, received: Received, reply: Reply, faults: readonly Fault[]): Reply {
  const fault = faults.find(({ kind }) => kind === 'errorAfterCommit')
  return fault?.kind === 'errorAfterCommit' ? injectedError(service, received, fault, reply.trail) : reply
}

function injectedError(
  service: Service,
  received: Received,
  fault: Extract<Fault, { kind: 'errorBeforeCommit' | 'errorAfterCommit' }>,
  trail: Reply['trail'],
): Reply {
  const retryable = fault.retryable ?? fault.status >= 500
  const overrides = { status: fault.status, code: fault.code, retryable }
  return service.refuse(
    new Problem('internal_error', 'A rule of the sandbox asked for this.'),
    received,
    trail,
    overrides,
  )
}

function delayOf(faults: readonly Fault[], when: 'before' | 'after'): number {
  let total = 0
  for (const fault of faults) {
    if (fault.kind === 'delay' && (fault.when ?? 'before') === when) total += fault.ms
  }
  return total
}

function later(delayMs: number, then: () => void): void {
  if (delayMs === 0) then()
  else setTimeout(then, delayMs).unref()
}

function drop(
  exchange: Exchange,
  response: ServerResponse,
  received: Received,
  trail: Reply['trail'],
  faults: readonly Fault[],
): void {
  note(exchange, received, { status: 0, ...trail }, faults)
  response.socket?.destroy()
}

function finish(
  exchange: Exchange,
  response: ServerResponse,
  received: Received,
  reply: Reply,
  faults: readonly Fault[],
): void {
  const code = reply.contentType === 'application/problem+json' ? { code: codeOf(reply) } : {}
  note(exchange, received, { status: reply.status, ...code, ...reply.trail }, faults)
  send(exchange, response, reply)
}

function codeOf(reply: Reply): string {
  return (JSON.parse(reply.body) as { code: string }).code
}

function note(
  { world, requests, log }: Exchange,
  { method, target }: Received,
  outcome: Pick<LoggedRequest, 'status' | 'code' | 'kid' | 'nonce'>,
  faults: readonly Fault[],
): void {
  const names = faults.length === 0 ? {} : { faults: faults.map(({ kind }) => kind) }
  const at = new Date(world.nowMs()).toISOString()
  requests.add({ at, method, path: target, ...outcome, ...names })
  const said = outcome.status === 0 ? 'dropped' : `${outcome.status}${outcome.code ? ` ${outcome.code}` : ''}`
  log(`${at} ${method} ${target} ${said}${faults.length === 0 ? '' : ` [${faults.map(({ kind }) => kind).join(' ')}]`}`)
}

function send(
  { world }: Exchange,
  response: ServerResponse,
  reply: Pick<Reply, 'status' | 'contentType' | 'body' | 'headers'>,
): void {
  if (response.destroyed) return
  response.sendDate = false
  response.writeHead(reply.status, {
    'content-type': reply.contentType,
    'content-length': Buffer.byteLength(reply.body),
    // Service time, so that a client may measure its clock by any answer.
    date: new Date(world.nowMs()).toUTCString(),
    ...reply.headers,
  })
  response.end(reply.body)
}

function answerControl(
  exchange: Exchange,
  received: Received,
  path: string,
  body: Buffer | undefined,
): Pick<Reply, 'status' | 'contentType' | 'body' | 'headers'> {
  if (body === undefined) return tooLarge(exchange, received)
  try {
    const value = control(exchange, received.method, path, body)
    return { status: 200, contentType: 'application/json', body: JSON.stringify(value), headers: {} }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return exchange.service.refuse(error, received)
  }
}

function refuseConnection(socket: Socket): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify({
    type: 'https://docs.sandbox.example/errors/validation_error',
    title: 'The request is not valid',
    status: 400,
    code: 'validation_error',
    retryable: false,
    detail: 'The bytes received are not an HTTP request within the bounds of this server.',
  })
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

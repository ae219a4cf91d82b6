// Sockets: reads requests whole and within bounds, lets rules interfere, writes answers, and keeps the request log.
// Decides nothing about the API itself.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import { CONTROL_PATH, type Controlled, control } from './control/control.ts'
import { delayOf, interfere, mangle } from './control/interference.ts'
import type { Fault, Mangling } from './control/rules.ts'

import { invalid, Problem } from './problem.ts'
import type { LoggedRequest } from './request-log.ts'
import type { Received, Reply, Service } from './service.ts'
import type { StateLog } from './state-log.ts'
import type { World } from './world.ts'

/** Maximum number of connections without a good key. */
const MOST_UNKNOWN = 256

class Connections {
  readonly #unknown = new Set<Socket>()

  /** Counts a new connection. */
  admit(socket: Socket): void {
    const [oldest] = this.#unknown
    if (oldest !== undefined && this.#unknown.size >= MOST_UNKNOWN) {
      this.#unknown.delete(oldest)
      oldest.destroy()
    }
    this.#unknown.add(socket)
    socket.once('close', () => this.#unknown.delete(socket))
  }

  /** Keeps a connection whose caller has shown a good key. */
  keep(socket: Socket): void {
    this.#unknown.delete(socket)
  }
}

/** Time between checks of the clock, which control calls may move. */
const CHECK_EVERY_MS = 20

interface Held {
  readonly atMs: number
  /** Machine time left until the connection is closed without an answer. Undefined: it is never closed. */
  readonly patienceMs: number | undefined
  readonly hasGone: () => boolean
  readonly answer: () => void
  readonly giveUp: () => void
}

const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]']

const FORBIDDEN = { status: 403 }

// An import would evaluate all that the module exports, including a WebSocket client: 25 ms of each start.
const { createServer } = process.getBuiltinModule('node:http')

/** Maximum body size in bytes. The API's own bodies have a few hundred bytes. */
const LARGEST_BODY = 65_536
/** A larger body is read up to this many bytes and discarded, so that the client can receive the refusal. */
const LARGEST_DISCARDED = 8 * 1024 * 1024
const HEADERS_WITHIN_MS = 10_000
const REQUEST_WITHIN_MS = 30_000
const IDLE_CONNECTION_MS = 60_000
/** From the completion of an answer until the caller has received it. */
const TAKEN_WITHIN_MS = 30_000
const CHECK_SLOW_EVERY_MS = 1_000
/** Maximum number of connections, with and without a good key. It bounds mistakes. */
const MOST_CONNECTIONS = 4_096

export interface Exchange extends Controlled {
  readonly service: Service
  /** Absent where the world lives in memory only. */
  readonly stateLog: Pick<StateLog, 'isSynced' | 'untilSynced'> | undefined
  readonly log: (line: string) => void
  readonly onRequest: (method: string, path: string) => void
}

/** The exchange, with the connections that this file owns. */
interface Serving extends Exchange {
  readonly connections: Connections
}

export function createHttpServer(exchange: Exchange): Server {
  const serving = { ...exchange, connections: new Connections() }
  const onRequest = (request: IncomingMessage, response: ServerResponse) => receive(serving, request, response)
  const server = createServer(
    {
      headersTimeout: HEADERS_WITHIN_MS,
      requestTimeout: REQUEST_WITHIN_MS,
      connectionsCheckingInterval: CHECK_SLOW_EVERY_MS,
      keepAliveTimeout: IDLE_CONNECTION_MS,
    },
    onRequest,
  )
  server.maxConnections = MOST_CONNECTIONS
  server.on('connection', (socket: Socket) => serving.connections.admit(socket))
  server.on('checkExpectation', onRequest)
  // Even input that is not HTTP gets a problem document, as far as possible.
  server.on('clientError', (_error, socket) => refuseConnection(serving, socket as Socket))
  return server
}

function receive(exchange: Serving, request: IncomingMessage, response: ServerResponse): void {
  // A caller that disconnects during its answer is not an error of the sandbox.
  response.on('error', () => {})
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

/** `body`: undefined when it was too large. */
function dispatch(
  exchange: Serving,
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
  const page = pageProblem(request)
  if (path === CONTROL_PATH || path.startsWith(`${CONTROL_PATH}/`)) {
    const foreign = page ?? hostProblem(request)
    const reply = foreign ? exchange.service.refuse(foreign, received) : answerControl(exchange, received, path, body)
    onceSynced(exchange, response, () => send(exchange, response, reply))
    return
  }
  if (page !== undefined) {
    finish(exchange, response, received, exchange.service.refuse(page, received), NO_FAULTS)
    return
  }
  if (body === undefined) {
    finish(exchange, response, received, tooLarge(exchange, received), NO_FAULTS)
    return
  }
  exchange.onRequest(received.method, path)
  meetFaults(exchange, response, received, exchange.rules.take(received.method, path))
}

/** Refuses every request from a page. */
function pageProblem({ headers }: IncomingMessage): Problem | undefined {
  if (headers.origin === undefined) return undefined
  return new Problem('validation_error', 'A request with an Origin header is not answered.', FORBIDDEN)
}

/**
 * Refuses a foreign Host. The control API is for programs on this machine only; the service itself may have other
 * names.
 */
function hostProblem({ headersDistinct, socket }: IncomingMessage): Problem | undefined {
  const { host = [] } = headersDistinct
  const own = OWN_NAMES.map((name) => `${name}:${socket.localPort}`)
  if (host.length === 1 && own.includes((host[0] ?? '').toLowerCase())) return undefined
  return new Problem('validation_error', `The Host header must be one of ${own.join(', ')}.`, FORBIDDEN)
}

const NO_FAULTS: readonly Fault[] = []

function tooLarge({ service }: Serving, received: Received): Reply {
  return service.refuse(invalid(`The body is larger than ${LARGEST_BODY} bytes.`), received)
}

/** Applies the faults around the request. */
function meetFaults(exchange: Serving, response: ServerResponse, received: Received, faults: readonly Fault[]): void {
  later(delayOf(faults, 'before'), () => {
    const { reply, mangling, trail } = interfere(exchange.service, received, faults)
    const end = (ready: Reply | undefined) =>
      later(delayOf(faults, 'after'), () =>
        onceSynced(exchange, response, () => {
          if (ready !== undefined) finish(exchange, response, received, ready, faults, mangling)
          else drop(exchange, response, received, trail, faults)
        }),
      )
    if (reply?.later === undefined) end(reply)
    else hold(exchange, response, reply.later, end)
  })
}

/**
 * Sends nothing that a power cut could still take back. When the disk fails, the connection is closed without an
 * answer.
 */
function onceSynced({ log, stateLog }: Serving, response: ServerResponse, then: () => void): void {
  if (stateLog === undefined || stateLog.isSynced) {
    then()
    return
  }
  stateLog.untilSynced().then(then, (error: unknown) => {
    log(`defect: ${error instanceof Error ? error.message : String(error)}`)
    response.destroy()
  })
}

/** The service works on the request. Ends with the answer, or without it when nobody waits any more. */
function hold(
  { world }: Serving,
  response: ServerResponse,
  { atMs, reply }: NonNullable<Reply['later']>,
  end: (ready: Reply | undefined) => void,
): void {
  const patienceMs = world.manners.slow?.hangUpMs
  const hasGone = () => response.destroyed
  holdAnswer(world, { atMs, patienceMs, hasGone, answer: () => end(reply()), giveUp: () => end(undefined) })
}

function holdAnswer(world: World, held: Held): void {
  const leftMs = held.atMs - world.nowMs()
  if (leftMs <= 0) held.answer()
  else if (held.hasGone() || held.patienceMs === 0) held.giveUp()
  else {
    const waitMs = Math.min(leftMs, CHECK_EVERY_MS, held.patienceMs ?? CHECK_EVERY_MS)
    const patienceMs = held.patienceMs === undefined ? undefined : held.patienceMs - waitMs
    setTimeout(() => holdAnswer(world, { ...held, patienceMs }), waitMs).unref()
  }
}

function later(delayMs: number, then: () => void): void {
  if (delayMs === 0) then()
  else setTimeout(then, delayMs).unref()
}

function drop(
  exchange: Serving,
  response: ServerResponse,
  received: Received,
  trail: Reply['trail'],
  faults: readonly Fault[],
): void {
  note(exchange, received, { status: 0, ...whoAsked(trail) }, faults)
  response.socket?.destroy()
}

function finish(
  exchange: Serving,
  response: ServerResponse,
  received: Received,
  reply: Reply,
  faults: readonly Fault[],
  mangling?: Mangling,
): void {
  const code = reply.code === undefined ? {} : { code: reply.code }
  if (reply.trail.kid !== undefined && reply.code === undefined && response.socket !== null) {
    exchange.connections.keep(response.socket)
  }
  note(exchange, received, { status: reply.status, ...code, ...whoAsked(reply.trail) }, faults)
  if (mangling === undefined) send(exchange, response, reply)
  else if (!response.destroyed) mangle(mangling, response, reply, headersOf(exchange, reply))
}

function whoAsked({ kid, nonce }: Reply['trail']): Pick<LoggedRequest, 'kid' | 'nonce'> {
  return { ...(kid !== undefined && { kid }), ...(nonce !== undefined && { nonce }) }
}

function note(
  { world, requests, log }: Serving,
  { method, target }: Received,
  outcome: Pick<LoggedRequest, 'status' | 'code' | 'kid' | 'nonce'>,
  faults: readonly Fault[],
): void {
  const names = faults.length === 0 ? {} : { faults: faults.map(({ kind }) => kind) }
  const at = new Date(world.nowMs()).toISOString()
  requests.add({ at, method, path: target, ...outcome, ...names })
  const result = outcome.status === 0 ? 'dropped' : `${outcome.status}${outcome.code ? ` ${outcome.code}` : ''}`
  log(
    `${at} ${method} ${target} ${result}${faults.length === 0 ? '' : ` [${faults.map(({ kind }) => kind).join(' ')}]`}`,
  )
}

function send(exchange: Serving, response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return
  response.writeHead(reply.status, headersOf(exchange, reply))
  response.end(reply.body)
  if (response.writableFinished) return
  const late = setTimeout(() => response.destroy(), TAKEN_WITHIN_MS).unref()
  response.on('close', () => clearTimeout(late))
}

function headersOf({ world }: Serving, reply: Reply): Record<string, string | number> {
  return {
    'content-type': reply.contentType,
    'content-length': Buffer.byteLength(reply.body),
    // Service time, so a client can measure its clock by any answer.
    date: httpDate(world.nowMs()),
    // Marks every answer as play money.
    server: 'sluice-sandbox',
    ...reply.headers,
  }
}

let dated = { second: Number.NaN, text: '' }

/** Formats a date (RFC 9110, section 5.6.7). It is formatted again once a second. */
function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / 1000)
  if (second !== dated.second) dated = { second, text: new Date(second * 1000).toUTCString() }
  return dated.text
}

function answerControl(exchange: Serving, received: Received, path: string, body: Buffer | undefined): Reply {
  if (body === undefined) return tooLarge(exchange, received)
  return exchange.service.answerWith(received, () => control(exchange, received.method, path, body))
}

const NOTHING_RECEIVED: Received = { method: '', target: '', headers: {}, remoteAddress: '', body: NO_BODY }

function refuseConnection({ service }: Serving, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const detail = 'The bytes received are not an HTTP request within the bounds of this server.'
  const { contentType, body } = service.refuse(invalid(detail), NOTHING_RECEIVED)
  const head = `content-type: ${contentType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`
  socket.end(`HTTP/1.1 400 Bad Request\r\n${head}\r\n\r\n${body}`)
}

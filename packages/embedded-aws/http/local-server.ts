// Runs an HTTP server on the loopback interface that callers cannot stop or exhaust. It bounds headers, the time to
// receive a request and to deliver an answer, and connections whose owner is unknown. It recognises requests that do
// not come from a program on this machine: pages of a browser, and outside names that lead here (DNS rebinding). Its
// owner writes every answer. Bodies are read whole, within bounds.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** Maximum unknown connections. Enough for all workers of an assembly that connect at the same moment. */
export const MOST_UNKNOWN_CONNECTIONS = 256

export class Connections {
  readonly #unknown = new Set<Socket>()

  /** Counts a new connection. */
  admit(socket: Socket): void {
    socket.once('close', () => this.#unknown.delete(socket))
    this.release(socket)
  }

  /** Keeps a connection that is known, or is being answered. */
  keep(socket: Socket): void {
    this.#unknown.delete(socket)
  }

  /** Counts a connection as unknown again. */
  release(socket: Socket): void {
    if (socket.destroyed) return
    const [oldest] = this.#unknown
    if (oldest !== undefined && this.#unknown.size >= MOST_UNKNOWN_CONNECTIONS) {
      this.#unknown.delete(oldest)
      oldest.destroy()
    }
    this.#unknown.add(socket)
  }
}

// An import would evaluate all that the module exports, including a WebSocket client: 25 ms of each start.
const { createServer } = process.getBuiltinModule('node:http')

export interface ServerLimits {
  /** From the start of the connection, or the end of the previous request, to the end of a request's headers. */
  readonly headersWithinMs: number
  /** For a whole request with its body. */
  readonly requestWithinMs: number
  /** From the completion of an answer until the caller has received it. */
  readonly takenWithinMs: number
  /** How often slow connections are checked for. */
  readonly lookEveryMs: number
}

const LIMITS: ServerLimits = {
  headersWithinMs: 10_000,
  requestWithinMs: 30_000,
  takenWithinMs: 30_000,
  lookEveryMs: 1_000,
}
const MOST_HEADER_BYTES = 16 * 1024
/** Maximum connections, known ones included. It bounds mistakes. */
const MOST_CONNECTIONS = 4_096

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** Node sends a string and its headers in one write. */
  readonly body: Buffer | string
}

export interface LocalServerOptions {
  /** `no-answer` closes the connection. So does a rejection, which means an incomplete request. */
  readonly answer: (request: IncomingMessage, connections: Connections) => Promise<Answer | 'no-answer'>
  readonly keepAliveMs: number
  readonly limits?: ServerLimits
}

export class LocalServer {
  readonly #server: Server
  readonly #connections = new Connections()
  #port = 0

  constructor({ answer, keepAliveMs, limits = LIMITS }: LocalServerOptions) {
    this.#server = createServer(
      {
        headersTimeout: limits.headersWithinMs,
        requestTimeout: limits.requestWithinMs,
        connectionsCheckingInterval: limits.lookEveryMs,
        keepAliveTimeout: keepAliveMs,
        maxHeaderSize: MOST_HEADER_BYTES,
      },
      (request, response) => {
        // A caller that disconnects during its answer is not an error of this server.
        response.on('error', () => undefined)
        answer(request, this.#connections)
          .then((result) =>
            result === 'no-answer' ? response.destroy() : send(response, result, limits.takenWithinMs),
          )
          // The request was cut off, or HTTP cannot carry the answer.
          .catch(() => response.destroy())
      },
    )
    this.#server.maxConnections = MOST_CONNECTIONS
    this.#server.on('connection', (socket: Socket) => this.#connections.admit(socket))
  }

  /** 0 before it listens. Kept, because Node asks the system each time. */
  get port(): number {
    return this.#port
  }

  /** Port 0 takes any free port. Returns the base address. */
  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, '127.0.0.1', resolve)
    })
    this.#port = (this.#server.address() as AddressInfo).port
    return `http://127.0.0.1:${this.port}`
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }
}

function send(response: ServerResponse, { body, headers, status }: Answer, takenWithinMs: number): void {
  if (response.destroyed) return
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) } as Record<
    string,
    string | string[] | number
  >)
  response.end(body)
  if (response.writableFinished) return
  const late = setTimeout(() => response.destroy(), takenWithinMs).unref()
  response.on('close', () => clearTimeout(late))
}

const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]']
const HTTP_PORT = 80

/** Returns the reason against the request, as a sentence; undefined when there is no reason. */
export function foreignTo(port: number, request: IncomingMessage): string | undefined {
  const { host = [], origin } = request.headersDistinct
  if (origin !== undefined) return 'A request with an Origin header is not answered: this address is not for pages.'
  const [name] = host
  if (host.length !== 1 || name === undefined) return 'A request must have one Host header.'
  const stated = name.toLowerCase()
  if (OWN_NAMES.some((own) => stated === `${own}:${port}` || (port === HTTP_PORT && stated === own))) return undefined
  return `The Host header must be one of ${OWN_NAMES.map((own) => `${own}:${port}`).join(', ')}.`
}

/** Maximum bytes of a too large body that are discarded. Above it the connection is closed. */
const MOST_DISCARDED_BYTES = 16 * 1024 * 1024

export type ReadBody = Buffer | 'too-large' | 'too-many'

/** Maximum bytes that all requests of a server may hold together. */
export class ByteBudget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  take(bytes: number): boolean {
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#left += bytes
  }
}

/** Reads a body. The bytes of a returned body stay taken from the budget; all others are given back. */
export function readBody(request: IncomingMessage, limitBytes: number, budget?: ByteBudget): Promise<ReadBody> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let keptBytes = 0
    let size = 0
    let refusal: 'too-large' | 'too-many' | undefined
    const drop = () => {
      budget?.giveBack(keptBytes)
      keptBytes = 0
      chunks = []
    }
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (refusal === undefined) {
        if (size > limitBytes) refusal = 'too-large'
        else if (budget !== undefined && !budget.take(chunk.length)) refusal = 'too-many'
      }
      if (refusal !== undefined) {
        drop()
        if (size > limitBytes + MOST_DISCARDED_BYTES) request.destroy()
        return
      }
      keptBytes += chunk.length
      chunks.push(chunk)
    })
    let isWhole = false
    request.on('end', () => {
      isWhole = true
      resolve(refusal ?? Buffer.concat(chunks))
    })
    // The sender has gone, was too slow, or has sent far too much.
    request.on('error', () => undefined)
    request.on('close', () => {
      if (isWhole) return
      drop()
      reject(new Error('the request was incomplete'))
    })
  })
}

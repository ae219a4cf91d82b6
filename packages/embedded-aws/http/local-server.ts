// An HTTP server on the loopback interface that nobody can end or fill: bounds for headers, for the time in which a
// request must be there and an answer taken, and for connections. It answers nothing by itself.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Connections } from './connections.ts'

// Not imported, for that evaluates all that the module exports, among that a client of WebSockets: 25 ms of each start.
const { createServer } = process.getBuiltinModule('node:http')

export interface ServerLimits {
  /** From the connection's beginning, or the one before it, until a request's headers are there. */
  readonly headersWithinMs: number
  /** Of a request, its body included. */
  readonly requestWithinMs: number
  /** From the moment at which an answer is complete until whoever asked has taken it. */
  readonly takenWithinMs: number
  /** How often slow ones are looked for. */
  readonly lookEveryMs: number
}

const LIMITS: ServerLimits = {
  headersWithinMs: 10_000,
  requestWithinMs: 30_000,
  takenWithinMs: 30_000,
  lookEveryMs: 1_000,
}
const MOST_HEADER_BYTES = 16 * 1024
/** Those that are known included: a bound for mistakes. */
const MOST_CONNECTIONS = 4_096

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  /** Node sends a text and its headers in one write. */
  readonly body: Buffer | string
}

export interface LocalServerOptions {
  /** `no-answer` closes the connection. So does a rejection, which is a request that did not come to its end. */
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
        // Whoever goes away while being answered is no error of ours.
        response.on('error', () => undefined)
        answer(request, this.#connections)
          .then((given) => (given === 'no-answer' ? response.destroy() : send(response, given, limits.takenWithinMs)))
          // A request that was cut off, or an answer that HTTP cannot carry.
          .catch(() => response.destroy())
      },
    )
    this.#server.maxConnections = MOST_CONNECTIONS
    this.#server.on('connection', (socket: Socket) => this.#connections.admit(socket))
  }

  /** 0 before it listens. Node asks the system each time. */
  get port(): number {
    return this.#port
  }

  /** 0 takes any free port. Gives the base address. */
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

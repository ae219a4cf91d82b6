// The address of functions that have a URL. Anybody may reach it, from outside too where a tunnel leads to it: so
// nothing else is behind it, whatever is sent, and what it holds in memory has a bound.
import type { IncomingMessage } from 'node:http'
import type { Connections } from '../http/connections.ts'
import { type Answer, LocalServer } from '../http/local-server.ts'
import { ByteBudget, readBody } from '../http/read-body.ts'
import { type CalledFunction, type FunctionUrls, message } from './function-url.ts'

/** AWS: Lambda quotas, "Invocation payload". */
const BODY_LIMIT_BYTES = 6 * 1024 * 1024
/** Bodies that are being read, or that functions are busy with. */
const MOST_BYTES_AT_ONCE = 4 * BODY_LIMIT_BYTES
/** Requests that functions are busy with; AWS answers those beyond its limit in the same way. */
const MOST_CALLS_AT_ONCE = 100
const KEEP_ALIVE_MS = 5_000

export class FunctionUrlServer {
  readonly #urls: FunctionUrls
  readonly #server: LocalServer
  readonly #budget = new ByteBudget(MOST_BYTES_AT_ONCE)
  #calls = 0

  constructor(urls: FunctionUrls) {
    this.#urls = urls
    this.#server = new LocalServer({
      answer: (request, connections) => this.#answer(request, connections),
      keepAliveMs: KEEP_ALIVE_MS,
    })
  }

  /** On the loopback interface; 0 takes any free port. Gives the base address. */
  listen(port: number): Promise<string> {
    return this.#server.listen(port)
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  async #answer(request: IncomingMessage, connections: Connections): Promise<Answer> {
    // Node takes it away from a request that has broken off.
    const { socket } = request
    const called = this.#urls.find(request.url ?? '')
    if (called === undefined) {
      await readBody(request, 0)
      return message(403, 'Forbidden')
    }
    const body = await readBody(request, BODY_LIMIT_BYTES, this.#budget)
    if (body === 'too-large') return message(413, 'Request Too Long')
    if (body === 'too-many') return message(429, 'Rate Exceeded.')
    connections.keep(socket)
    try {
      return await this.#call(called, request, body)
    } finally {
      this.#budget.giveBack(body.length)
      connections.release(socket)
    }
  }

  async #call(called: CalledFunction, request: IncomingMessage, body: Buffer): Promise<Answer> {
    if (this.#calls >= MOST_CALLS_AT_ONCE) return message(429, 'Rate Exceeded.')
    this.#calls += 1
    try {
      return await this.#urls.answer(called, request, body)
    } finally {
      this.#calls -= 1
    }
  }
}

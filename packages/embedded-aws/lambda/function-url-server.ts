// Runs the servers of function URLs and HTTP APIs. One port is for functions that everybody may call, another for functions
// with signed requests, and a third for the APIs. A tunnel from outside may lead to the first port, so nothing else answers
// there, and its memory use is bounded.
import type { IncomingMessage } from 'node:http'
import { type Answer, ByteBudget, type Connections, LocalServer, readBody } from '../http/local-server.ts'
import { type FunctionUrl, FunctionUrls, type FunctionUrlsOptions, message } from './function-url.ts'
import { HttpApis, type HttpApisOptions } from './http-apis.ts'

/** Maximum bytes of a body. AWS: Lambda quotas, "Invocation payload". */
const BODY_LIMIT_BYTES = 6 * 1024 * 1024
/** Maximum bytes of all bodies that are being read or handled. */
const MOST_BYTES_AT_ONCE = 4 * BODY_LIMIT_BYTES
/** Maximum concurrent calls. AWS answers calls beyond its own limit in the same way. */
const MOST_CALLS_AT_ONCE = 100
const KEEP_ALIVE_MS = 5_000

interface Closable {
  close(): Promise<void>
}

export interface ServedUrls {
  addresses(): readonly { readonly functionName: string; readonly url: string }[]
  findUrl(nameOrArn: string): (FunctionUrl & { readonly url: string }) | undefined
  close(): Promise<void>
}

/**
 * `openPort`: the port of the functions that everybody may call; 0 takes any free one. A port without functions is not
 * opened.
 */
export async function serveFunctionUrls(options: FunctionUrlsOptions, openPort: number): Promise<ServedUrls> {
  const served: { readonly urls: FunctionUrls; readonly base: string; readonly server: Closable }[] = []
  for (const isSigned of [false, true]) {
    const own = options.urls.filter((candidate) => candidate.isSigned === isSigned)
    if (own.length === 0) continue
    const urls = new FunctionUrls({ ...options, urls: own })
    const server = new FunctionServer(urls)
    served.push({ urls, server, base: await server.listen(isSigned ? 0 : openPort) })
  }
  return {
    addresses: () => served.flatMap(({ urls, base }) => urls.addresses(base)),
    findUrl: (nameOrArn) =>
      served.map(({ urls, base }) => urls.findUrl(nameOrArn, base)).find((found) => found !== undefined),
    close: async () => {
      await Promise.all(served.map(({ server }) => server.close()))
    },
  }
}

/** Functions that answer requests, and how a request finds its function. */
interface Answering<Called> {
  /** The answer for a request that no function takes. */
  readonly notFound: Answer
  find(request: IncomingMessage): Called | undefined
  answer(called: Called, request: IncomingMessage, body: Buffer): Promise<Answer>
}

export interface ServedApis {
  addresses(): readonly { readonly apiName: string; readonly url: string }[]
  close(): Promise<void>
}

/** Serves HTTP APIs on a port of their own, which is not opened without an API. */
export async function serveHttpApis(options: HttpApisOptions): Promise<ServedApis> {
  if (options.apis.length === 0) return { addresses: () => [], close: async () => {} }
  const apis = new HttpApis(options)
  const server = new FunctionServer(apis)
  const base = await server.listen(0)
  return { addresses: () => apis.addresses(base), close: () => server.close() }
}

class FunctionServer<Called> {
  readonly #answering: Answering<Called>
  readonly #server: LocalServer
  readonly #budget = new ByteBudget(MOST_BYTES_AT_ONCE)
  #calls = 0

  constructor(answering: Answering<Called>) {
    this.#answering = answering
    this.#server = new LocalServer({
      answer: (request, connections) => this.#answer(request, connections),
      keepAliveMs: KEEP_ALIVE_MS,
    })
  }

  /** Listens on the loopback interface; port 0 takes any free one. Returns the base address. */
  listen(port: number): Promise<string> {
    return this.#server.listen(port)
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  async #answer(request: IncomingMessage, connections: Connections): Promise<Answer> {
    // Node removes the socket from a request that was cut off.
    const { socket } = request
    const called = this.#answering.find(request)
    if (called === undefined) {
      await readBody(request, 0)
      return this.#answering.notFound
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

  async #call(called: Called, request: IncomingMessage, body: Buffer): Promise<Answer> {
    if (this.#calls >= MOST_CALLS_AT_ONCE) return message(429, 'Rate Exceeded.')
    this.#calls += 1
    try {
      return await this.#answering.answer(called, request, body)
    } finally {
      this.#calls -= 1
    }
  }
}

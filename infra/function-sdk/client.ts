// The way of a command through a client of the SDK, in a function that moves money: write it as JSON, sign it, send it, try
// again as the SDK does, read the answer. In the place of the SDK's stack of middleware, which is composed anew for each
// command and asks each time for what never changes in a function: where the service is, how to sign, in what form.
import type { Readable } from 'node:stream'
import { endpointOf } from './endpoint.ts'
import { type JsonProtocol, type ResponseHead, type Schema, wantsToken, write } from './json-protocol.ts'
import { type Credentials, signedHeaders } from './sign.ts'

/** Where a client has no limit of its own; to the SDK, zero is none. */
const USUAL_LIMIT_MS = 3_000

/** As the SDK describes an operation: kind, namespace, name, traits, input, output. */
type Operation = readonly [number, string, string, unknown, Schema, Schema]

interface SentCommand {
  readonly schema: Operation
  readonly input: object
}

interface Request {
  readonly protocol: string
  readonly hostname: string
  readonly port: number | undefined
  readonly method: 'POST'
  readonly path: '/'
  readonly query: Readonly<Record<string, never>>
  readonly headers: Record<string, string>
  readonly body: string
}

interface Response extends ResponseHead {
  readonly body: Readable
}

interface Answered {
  readonly response: Response
  readonly output: object
}

type Attempt = (args: { readonly request: Request }) => Promise<Answered>
/** The one middleware of the SDK that is kept: it tries again, within the client's attempts. */
type Retry = (attempt: Attempt, context: object) => Attempt

interface Stack {
  add(middleware: Retry, options: { readonly name?: string }): void
  addRelativeTo(): void
}

interface Plugin {
  applyToStack(stack: Stack): void
}

/** The SDK's, over HTTP. Once it has handled a request it tells its time limits. */
interface RequestHandler {
  handle(request: Request): Promise<{ readonly response: Response }>
  httpHandlerConfigs(): { readonly requestTimeout?: number }
  destroy(): void
}

/** What a client's class in the SDK makes of its configuration, as far as it is used. */
interface ClientConfig {
  readonly protocol: new (settings: object) => JsonProtocol
  readonly protocolSettings: object
  readonly serviceId: string
  readonly defaultSigningName: string
  readonly region: () => Promise<string>
  readonly credentials: () => Promise<Credentials>
  readonly requestHandler: RequestHandler
}

/** What the clients of the SDK extend. They set `config` once it is complete. */
export class Client {
  config: ClientConfig
  initConfig: object | undefined
  readonly #protocol: JsonProtocol
  #retry: Retry = (attempt) => attempt

  readonly middlewareStack = {
    use: ({ applyToStack }: Plugin): void =>
      applyToStack({
        add: (middleware, { name }) => {
          if (name === 'retryMiddleware') this.#retry = middleware
        },
        addRelativeTo: () => undefined,
      }),
  }

  constructor(config: ClientConfig) {
    this.config = config
    this.#protocol = new config.protocol(config.protocolSettings)
  }

  async send({ input, schema }: SentCommand): Promise<object> {
    const { credentials, defaultSigningName: service, region, requestHandler, serviceId } = this.config
    const [, , operation, , asked, answered] = schema
    if (wantsToken(asked))
      throw new Error(`${operation} wants a token of its own for each request; this client makes none`)
    const signedWith = { credentials: await credentials(), region: await region(), service }
    const { host, target } = endpointOf(serviceId, service, signedWith.region)
    const body = write(input)
    const length = String(Buffer.byteLength(body))
    const headers = { ...this.#protocol.headersFor(operation), host, 'content-length': length }
    const attempt: Attempt = async ({ request }) => {
      const signed = signedHeaders(request, { ...signedWith, at: new Date() })
      const { response } = await requestHandler.handle({ ...request, headers: { ...signed, 'user-agent': 'sluice' } })
      const text = await textOf(response.body, requestHandler.httpHandlerConfigs().requestTimeout || USUAL_LIMIT_MS)
      try {
        return { response, output: this.#protocol.outputOf(answered, response, text) }
      } catch (error) {
        // The SDK's retries read there when to ask again. Not enumerable, so that nobody prints it.
        throw Object.defineProperty(error as object, '$response', { value: response })
      }
    }
    const request = { ...target, method: 'POST', path: '/', query: {}, headers, body } as const
    const { output } = await this.#retry(attempt, {})({ request })
    return output
  }

  destroy(): void {
    this.config.requestHandler.destroy()
  }
}

/** What the commands of the SDK extend, without what composes middleware. */
export function makeBuilder() {
  return (_parameters: object, _plugins: unknown, _name: string, schema: Operation) =>
    class {
      readonly schema = schema
      readonly input: object

      constructor(input: object = {}) {
        this.input = input
      }
    }
}

/** `mostMs`: from its head to its end, as long as for its head, for which alone the SDK has a limit. */
function textOf(body: Readable, mostMs: number): Promise<string> {
  let timer: NodeJS.Timeout
  return new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = []
    timer = setTimeout(() => {
      reject(Object.assign(new Error('the answer did not come to its end in time'), { code: 'ETIMEDOUT' }))
      body.destroy()
    }, mostMs)
    body.on('data', (chunk: Buffer) => chunks.push(chunk))
    body.on('end', () => resolve(Buffer.concat(chunks).toString()))
    body.on('error', reject)
    // Once it has ended, this says nothing any more.
    body.on('close', () => reject(Object.assign(new Error('the answer was cut off'), { code: 'ECONNRESET' })))
  }).finally(() => clearTimeout(timer))
}

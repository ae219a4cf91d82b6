// The one local address behind which the AWS endpoints answer: finds the service and the caller,
// checks the caller's role, lets the hook interfere, and answers as AWS does. Signatures are not checked.
// Functions' own URLs are under it too.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AwsError } from '../aws-error.ts'
import { isObject } from '../fields.ts'
import { type FunctionUrls, isFunctionUrl } from '../lambda/function-url.ts'
import { allows, type Statement } from './access-policy.ts'
import type { Caller, Callers } from './callers.ts'
import type { Endpoint, Permission } from './endpoint.ts'
import type { EndpointCall, EndpointHook } from './endpoint-hook.ts'

/** DynamoDB's own limit for a request. */
const BODY_LIMIT_BYTES = 16 * 1024 * 1024

/** Longer than any pause of a function between two calls, so that no call meets a connection that is just closed. */
const KEEP_ALIVE_MS = 15 * 60 * 1000

export interface GatewayOptions {
  readonly callers: Callers
  /** Statements by role ARN. */
  readonly policies: ReadonlyMap<string, readonly Statement[]>
  readonly hook: EndpointHook | undefined
  readonly newId: () => string
}

export class Gateway {
  readonly #options: GatewayOptions
  readonly #server: Server
  #endpoints: readonly Endpoint[] = []
  #functionUrls: FunctionUrls | undefined

  constructor(options: GatewayOptions) {
    this.#options = options
    this.#server = createServer((request, response) => {
      // A request that was cut off or too large gets no answer.
      this.#answer(request, response).catch(() => request.socket.destroy())
    })
    this.#server.keepAliveTimeout = KEEP_ALIVE_MS
  }

  /** Listens on the loopback interface; 0 takes any free port. Gives the base address. */
  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, '127.0.0.1', resolve)
    })
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Answers from now on with these endpoints; they may need the address to exist. */
  serve(endpoints: readonly Endpoint[]): void {
    this.#endpoints = endpoints
  }

  serveUrls(functionUrls: FunctionUrls): void {
    this.#functionUrls = functionUrls
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await readBody(request)
    if (this.#functionUrls !== undefined && isFunctionUrl(request.url ?? '')) {
      const { body, headers, status } = await this.#functionUrls.answer(request, bytes)
      response.writeHead(status, { ...headers, 'content-length': body.length })
      response.end(body)
      return
    }
    const text = bytes.toString('utf8')
    const target = String(request.headers['x-amz-target'] ?? '')
    const dot = target.lastIndexOf('.')
    const endpoint = this.#endpoints.find((each) => each.targetPrefix === target.slice(0, dot))
    if (endpoint === undefined) {
      this.#send(response, 'application/x-amz-json-1.0', 404, { __type: 'UnknownOperationException' })
      return
    }
    const caller = this.#options.callers.find(accessKeyIdOf(request))
    if (caller === 'gone') {
      request.socket.destroy()
      return
    }
    const functionCaller = caller === 'administrator' ? undefined : caller
    const outcome = await this.#perform(endpoint, target.slice(dot + 1), text, functionCaller)
    if (outcome === 'no-answer') request.socket.destroy()
    else this.#send(response, endpoint.contentType, outcome.status, outcome.body)
  }

  async #perform(endpoint: Endpoint, operation: string, text: string, caller: Caller | undefined): Promise<Outcome> {
    try {
      const body = parseBody(text)
      const call = { service: endpoint.service, operation, functionName: caller?.functionName, body }
      const permissions = endpoint.permissionsFor(operation, body)
      if (permissions === undefined) {
        throw new AwsError('UnknownOperationException', `The embedded AWS has no ${endpoint.service}:${operation}`)
      }
      if (caller !== undefined) this.#authorise(caller, permissions)
      if (await this.#interfere({ ...call, phase: 'before' }, caller)) return 'no-answer'
      const outcome = await endpoint.perform(operation, body).then(answered, refused)
      return (await this.#interfere({ ...call, phase: 'after' }, caller)) ? 'no-answer' : outcome
    } catch (error) {
      return refused(error)
    }
  }

  /** True when the call must get no answer. Throws the AwsError that the hook wants answered. */
  async #interfere(call: EndpointCall, caller: Caller | undefined): Promise<boolean> {
    const verdict = await this.#options.hook?.(call)
    if (verdict === undefined) return false
    if (typeof verdict === 'object') throw new AwsError(verdict.errorType, 'injected', verdict.status)
    if (verdict === 'kill-function') await caller?.kill()
    return true
  }

  #authorise(caller: Caller, permissions: readonly Permission[]): void {
    const statements = this.#options.policies.get(caller.roleArn) ?? []
    const denied = permissions.find((permission) => !allows(statements, permission))
    if (denied === undefined) return
    throw new AwsError('AccessDeniedException', notAuthorised(caller.roleArn, caller.functionName, denied))
  }

  #send(response: ServerResponse, contentType: string, status: number, body: unknown): void {
    const bytes = Buffer.from(JSON.stringify(body ?? {}))
    response.writeHead(status, {
      'content-type': contentType,
      'content-length': bytes.length,
      'x-amzn-requestid': this.#options.newId(),
    })
    response.end(bytes)
  }
}

type Outcome = { readonly status: number; readonly body: unknown } | 'no-answer'

function answered(body: unknown): Outcome {
  return { status: 200, body }
}

/** What is no AwsError is a store that failed, or a bug: as with a 500 of AWS, nobody knows what was applied. */
function refused(error: unknown): Outcome {
  const message = error instanceof Error ? error.message : String(error)
  const { name, status } = error instanceof AwsError ? error : { name: 'InternalFailure', status: 500 }
  return { status, body: { __type: name, message, Message: message } }
}

/** The sentence with which IAM refuses, for a session of a role. */
export function notAuthorised(roleArn: string, session: string, { action, resource }: Permission): string {
  const [, partition, , , account, role] = roleArn.split(':')
  const user = `arn:${partition}:sts::${account}:assumed-${role}/${session}`
  return `User: ${user} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  // A request without an encoding set comes in buffers.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_LIMIT_BYTES) throw new Error(`a request of more than ${BODY_LIMIT_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parseBody(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text)
    if (isObject(body)) return body
  } catch {
    // Answered below, like every other text that is no JSON object.
  }
  throw new AwsError('SerializationException', 'the body is not a JSON object')
}

function accessKeyIdOf(request: IncomingMessage): string {
  return /Credential=([^/,\s]+)\//.exec(request.headers.authorization ?? '')?.[1] ?? ''
}

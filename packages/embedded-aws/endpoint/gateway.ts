// Serves all AWS endpoints at one local address. It accepts requests signed with a known access key, finds the
// service, checks the caller's role, lets the hook interfere, and answers as AWS does. Functions' own URLs have
// another address. A gateway without functions serves programs that open parts of a state directory between runs.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { AwsError, awsErrorOf } from '../aws-error.ts'
import { systemClock } from '../clock.ts'
import { type Answer, ByteBudget, type Connections, foreignTo, LocalServer, readBody } from '../http/local-server.ts'
import { Access } from './access.ts'
import { Authentication, type Examined } from './authentication.ts'
import { type Caller, Callers } from './callers.ts'
import { type Credentials, type EndpointAccess, usableCredentials } from './credentials.ts'
import type { Endpoint } from './endpoint.ts'
import { type EndpointCall, type EndpointHook, type WireCall, wireCallOf } from './wire.ts'

/** DynamoDB's own limit for a request. */
const BODY_LIMIT_BYTES = 16 * 1024 * 1024

/** Maximum bytes of all bodies together whose signature can be checked only when they are complete. */
const UNPROVEN_BYTES = 4 * BODY_LIMIT_BYTES

/** Longer than any pause of a function between two calls, so that no call meets a closing connection. */
const KEEP_ALIVE_MS = 15 * 60 * 1000

export interface GatewayOptions {
  readonly callers: Callers
  /** Region that clients write into their signatures. */
  readonly region: string
  /** Clock of the clients that sign. */
  readonly nowMs: () => number
  readonly access: Access
  readonly hook: EndpointHook | undefined
  readonly newId: () => string
}

export class Gateway {
  readonly #options: GatewayOptions
  readonly #server: LocalServer
  readonly #authentication: Authentication
  readonly #unproven = new ByteBudget(UNPROVEN_BYTES)
  #endpoints: readonly Endpoint[] = []

  constructor(options: GatewayOptions) {
    this.#options = options
    this.#authentication = new Authentication(options)
    this.#server = new LocalServer({
      answer: (request, connections) => this.#answer(request, connections),
      keepAliveMs: KEEP_ALIVE_MS,
    })
  }

  /** Listens on the loopback interface. Port 0 takes any free port. */
  async listen(port: number): Promise<EndpointAccess> {
    const { callers, region } = this.#options
    return { endpointUrl: await this.#server.listen(port), region, credentials: callers.credentials }
  }

  /** Sets the endpoints. They come later, because some need the address first. */
  serve(endpoints: readonly Endpoint[]): void {
    this.#endpoints = endpoints
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  async #answer(request: IncomingMessage, connections: Connections): Promise<Answer | 'no-answer'> {
    // Node removes the socket from a request that was cut off.
    const { socket } = request
    const call = wireCallOf(request, this.#endpoints)
    const refuse = (error: unknown) => this.#answerOf(refused(error), call, { connection: 'close' })
    let examined: Examined
    try {
      examined = this.#examine(request, call.endpoint)
    } catch (error) {
      // The body is read and discarded.
      await readBody(request, 0)
      return refuse(error)
    }
    if (examined.isSigned) connections.keep(socket)
    const unproven = examined.isSigned ? undefined : this.#unproven
    const bytes = await readBody(request, BODY_LIMIT_BYTES, unproven)
    if (bytes === 'too-large' || bytes === 'too-many') return refuse(REFUSED_BODIES[bytes])
    unproven?.giveBack(bytes.length)
    try {
      examined.assertSigned(bytes)
    } catch (error) {
      return refuse(error)
    }
    connections.keep(socket)
    const outcome = await this.#perform(call, bytes, examined)
    return outcome === 'no-answer' ? outcome : this.#answerOf(outcome, call)
  }

  /** Throws AwsError for a request that is not accepted. */
  #examine(request: IncomingMessage, endpoint: Endpoint | undefined): Examined {
    const foreign = foreignTo(this.#server.port, request)
    if (foreign !== undefined) throw new AwsError('AccessDeniedException', foreign, 403)
    const { method = '', rawHeaders, url = '' } = request
    return this.#authentication.examine({ method, target: url, rawHeaders }, endpoint?.service)
  }

  async #perform({ bodyOf, endpoint, operation }: WireCall, payload: Buffer, examined: Examined): Promise<Outcome> {
    const caller = examined.caller === 'administrator' ? undefined : examined.caller
    try {
      if (endpoint === undefined) {
        throw new AwsError('UnknownOperationException', `The embedded AWS has no ${operation}`, 404)
      }
      const body = bodyOf(payload)
      const hookCall = { service: endpoint.service, operation, functionName: caller?.functionName, body }
      const permissions = endpoint.permissionsFor(operation, body)
      if (permissions === undefined) {
        throw new AwsError('UnknownOperationException', `The embedded AWS has no ${endpoint.service}:${operation}`)
      }
      for (const permission of permissions) this.#options.access.authorise(caller, permission)
      if (await this.#interfere({ ...hookCall, phase: 'before' }, caller)) return 'no-answer'
      const outcome = await endpoint
        .perform(operation, body, examined)
        .then((performed): Outcome => ({ performed }), refused)
      return (await this.#interfere({ ...hookCall, phase: 'after' }, caller)) ? 'no-answer' : outcome
    } catch (error) {
      return refused(error)
    }
  }

  /** Returns true when the call must get no answer. Throws the AwsError that the hook chose. */
  async #interfere(call: EndpointCall, caller: Caller | undefined): Promise<boolean> {
    const verdict = await this.#options.hook?.(call)
    if (verdict === undefined) return false
    if (typeof verdict === 'object') throw new AwsError(verdict.errorType, 'injected', verdict.status)
    if (verdict === 'kill-function') await caller?.kill()
    return true
  }

  #answerOf(outcome: Performed | Refused, call: WireCall, headers: Answer['headers'] = {}): Answer {
    const { newId, nowMs } = this.#options
    const {
      body,
      headers: own,
      status,
    } = 'performed' in outcome ? call.answerOf(outcome.performed) : call.refusalOf(outcome.refusal)
    // SDK clients set their clock by this date.
    const date = new Date(nowMs()).toUTCString()
    return {
      status: status ?? ('performed' in outcome ? 200 : outcome.refusal.status),
      headers: { ...own, 'x-amzn-requestid': newId(), date, ...headers },
      body,
    }
  }
}

interface Performed {
  readonly performed: unknown
}

interface Refused {
  readonly refusal: { readonly name: string; readonly message: string; readonly status: number }
}

type Outcome = Performed | Refused | 'no-answer'

/** Turns an error into an answer. */
function refused(error: unknown): Refused {
  return { refusal: awsErrorOf(error) }
}

const REFUSED_BODIES = {
  'too-large': new AwsError('RequestEntityTooLargeException', `A request may have ${BODY_LIMIT_BYTES} bytes.`, 413),
  'too-many': new AwsError('ThrottlingException', 'Too many requests without the hash of their body in a header.'),
}

export function administratorsGateway(region: string, credentials?: Credentials): Gateway {
  return new Gateway({
    callers: new Callers(credentials && usableCredentials(credentials)),
    region,
    nowMs: () => systemClock.nowMs(),
    access: new Access({ account: '', policies: new Map(), resourcePolicies: new Map() }),
    hook: undefined,
    newId: randomUUID,
  })
}

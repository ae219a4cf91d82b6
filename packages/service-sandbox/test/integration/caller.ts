// Calls the sandbox for tests. It signs with node:crypto on its own, and checks every answer against
// packages/service-sandbox/openapi.json. It is not the product's client, on purpose.
import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { fromJSONSchema, type ZodType } from 'zod'
import type { Action } from '../../service/exchange.ts'
import { ACTIONS, Router } from '../../service/routes.ts'
import { type Sandbox, type SandboxKey, type SandboxOptions, startSandbox } from '../../service/sandbox.ts'

export interface Answered {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any field of the answer
  readonly body: any
}

export interface Claims {
  sub?: unknown
  uri?: unknown
  nonce?: unknown
  iat?: unknown
  exp?: unknown
  bodyHash?: unknown
}

export interface Signing {
  readonly key?: SandboxKey
  /** Claims in place of the right ones; `undefined` removes a claim. */
  readonly claims?: Claims
  /** Header fields in place of the right ones. */
  readonly header?: Record<string, unknown>
  /** Bytes to send in place of the signed ones. */
  readonly sendInstead?: string
  /** Value of X-API-Key in place of the prefix. */
  readonly apiKey?: string
}

export class Caller {
  readonly sandbox: Sandbox
  readonly #router = new Router(ACTIONS)
  readonly #isDescribed: boolean

  /** @param isDescribed whether answers contain exactly what the OpenAPI document describes */
  constructor(sandbox: Sandbox, isDescribed = true) {
    this.sandbox = sandbox
    this.#isDescribed = isDescribed
  }

  static async start(options: SandboxOptions = {}): Promise<Caller> {
    const { bodies, jwks } = options.manners ?? {}
    const isDescribed = options.profile !== 'hostile' && bodies !== 'untidy' && jwks !== 'untidy'
    return new Caller(await startSandbox(options), isDescribed)
  }

  async get(target: string, key: SandboxKey = this.sandbox.keys.full): Promise<Answered> {
    return this.send('GET', target, { authorization: `Bearer ${key.secret}` })
  }

  async post(target: string, body: unknown, key: SandboxKey = this.sandbox.keys.full): Promise<Answered> {
    return this.send('POST', target, jsonHeaders(key), JSON.stringify(body))
  }

  async patch(target: string, body: unknown, key: SandboxKey = this.sandbox.keys.full): Promise<Answered> {
    return this.send('PATCH', target, jsonHeaders(key), JSON.stringify(body))
  }

  async signed(target: string, body: unknown, signing: Signing = {}): Promise<Answered> {
    const { key = this.sandbox.keys.full, apiKey = key.prefix, sendInstead } = signing
    const bytes = JSON.stringify(body)
    const token = await this.token('POST', target, bytes, signing)
    const headers = { authorization: `Bearer ${token}`, 'x-api-key': apiKey, 'content-type': 'application/json' }
    return this.send('POST', target, headers, sendInstead ?? bytes)
  }

  /** Returns a token like a correct client's, except for the changes in `signing`. */
  async token(method: string, target: string, body: string, signing: Signing = {}): Promise<string> {
    const { key = this.sandbox.keys.full, claims = {}, header = {} } = signing
    const nowSeconds = Math.floor((await this.serviceNowMs()) / 1000)
    const head = base64url(JSON.stringify({ alg: key.alg, typ: 'JWT', ...header }))
    const payload = base64url(
      JSON.stringify({
        sub: key.prefix,
        uri: `${method} ${target}`,
        nonce: randomUUID(),
        iat: nowSeconds,
        exp: nowSeconds + 30,
        bodyHash: createHash('sha256').update(body).digest('hex'),
        ...claims,
      }),
    )
    const digest = key.alg === 'RS256' ? 'sha256' : null
    const signature = sign(digest, Buffer.from(`${head}.${payload}`), createPrivateKey(key.privateKeyPem))
    return `${head}.${payload}.${signature.toString('base64url')}`
  }

  async send(method: string, target: string, headers: Record<string, string>, body?: string): Promise<Answered> {
    const answer = await fetch(this.sandbox.baseUrl + target, { method, headers, ...(body !== undefined && { body }) })
    const answered = { status: answer.status, headers: answer.headers, body: await answer.json() }
    if (this.#isDescribed) this.#expectShape(method, target, answered)
    return answered
  }

  /** Asks for a quote for `amount` of the base or quote asset, in settled units unless `more` changes that. */
  async quote(market: string, side: string, amountAsset: string, amount: string, more: object = {}): Promise<Answered> {
    const [baseAsset, quoteAsset] = market.split('-')
    return this.post('/v2/quotes', { baseAsset, quoteAsset, side, amountAsset, amount, assetFormat: 'base', ...more })
  }

  /** Quotes and executes. Returns the answer to POST /v2/orders. */
  async convert(market: string, side: string, amountAsset: string, amount: string): Promise<Answered> {
    const quote = await this.quote(market, side, amountAsset, amount)
    expect(quote.status).toBe(201)
    return this.signed('/v2/orders', { orderId: quote.body.orderId })
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads any field of the answer
  async control(method: string, path: string, body?: unknown): Promise<any> {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) }
    const answer = await fetch(this.sandbox.controlUrl + path, init)
    const value = await answer.json()
    if (!answer.ok) throw new Error(`control ${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }

  async rule(method: string, path: string, fault: object, more: object = {}): Promise<void> {
    await this.control('POST', '/rules', { match: { method, path, ...more }, fault })
  }

  async advance(advanceMs: number): Promise<void> {
    await this.control('POST', '/clock', { advanceMs })
  }

  async serviceNowMs(): Promise<number> {
    return (await this.control('GET', '/clock')).epochMs
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads any field of the answer
  async balance(assetSymbol: string, format = 'base'): Promise<any> {
    const { body } = await this.get(`/v2/balances?assetFormat=${format}`)
    return body.find((balance: { assetSymbol: string }) => balance.assetSymbol === assetSymbol)
  }

  /** Checks that an answer has the shape of the OpenAPI document, and that a failure is a problem document. */
  #expectShape(method: string, target: string, { status, headers, body }: Answered): void {
    const type = headers.get('content-type')
    if (status >= 400) {
      expect(type).toBe('application/problem+json')
      expect(problem.safeParse(body).error).toBeUndefined()
      expect(body.status).toBe(status)
      return
    }
    expect(type).toBe('application/json')
    const action = this.#router.find(method, target.split('?', 1)[0] ?? '')?.action
    if (action === undefined) throw new Error(`${method} ${target} succeeded, but is not an endpoint`)
    expect(validatorOf(action, status).safeParse(body).error).toBeUndefined()
  }
}

const document = JSON.parse(readFileSync('packages/service-sandbox/openapi.json', 'utf8'))
const { schemas } = document.components
const problem = fromComponents(schemas.Problem)

/** Shared by all callers, because building a validator takes longer than using it. */
const validators = new Map<Action, Map<number, ZodType>>()

function validatorOf(action: Action, status: number): ZodType {
  const known = validators.get(action)?.get(status)
  if (known !== undefined) return known
  const answer = document.paths[action.path][action.method.toLowerCase()].responses[status]
  if (answer === undefined) throw new Error(`${action.path} does not document status ${status}`)
  const validator = fromComponents(answer.content['application/json'].schema)
  validators.set(action, new Map(validators.get(action)).set(status, validator))
  return validator
}

function fromComponents(schema: object): ZodType {
  const text = JSON.stringify({ ...schema, $defs: schemas }).replaceAll('#/components/schemas/', '#/$defs/')
  return fromJSONSchema(JSON.parse(text))
}

function jsonHeaders(key: SandboxKey): Record<string, string> {
  return { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' }
}

export function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}

/** Asserts a refusal: its status, its code, and further fields of the problem. */
export function expectProblem(answered: Answered, status: number, code: string, more: object = {}): void {
  expect(answered.body).toMatchObject({ status, code, ...more })
  expect(answered.status).toBe(status)
}

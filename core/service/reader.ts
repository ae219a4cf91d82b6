// Owns calls that move no money: a read, a quote, an edited label. Each has the bearer secret (Tier 1), unless its endpoint is
// open, one JSON answer checked against its schema, and every failure in the closed set of errors. When the service reports a
// fault of the key and the key was replaced meanwhile, the call runs once more. A refusal names the values that the call was made with, and never a
// header or a key.
import type * as z from 'zod/mini'
import { findJson } from '../contract/find-json.ts'
import { SCHEMA_MESSAGES } from '../contract/schema-messages.ts'
import { Defect, Refused } from '../errors.ts'
import type { KeySource, ServiceKey } from '../keys/key-source.ts'
import { keyRefusals, readError } from './classify.ts'
import type { Endure } from './endure.ts'
import { type Answer, type Answered, refuseLiveKeyUnencrypted, type Transport } from './http.ts'
import { errorOf, Fault, faultOf, isJson, problemFrom, problemOf } from './problem.ts'

interface ReadRequest<Shape extends z.ZodMiniType> {
  /** Method and path template, for messages. */
  readonly endpoint: string
  /** Path and query, encoded (see request-path.ts). */
  readonly target: string
  readonly shape: Shape
}

interface WriteRequest<Shape extends z.ZodMiniType> extends ReadRequest<Shape> {
  readonly method: 'POST' | 'PATCH'
  /** Sent as JSON. */
  readonly content: Readonly<Record<string, string>>
}

export interface Reader {
  /** With the bearer secret. */
  read<Shape extends z.ZodMiniType>(request: ReadRequest<Shape>): Promise<z.output<Shape>>
  /** Without any credential: health, webhook keys. */
  readOpenly<Shape extends z.ZodMiniType>(request: ReadRequest<Shape>): Promise<z.output<Shape>>
  /** With the bearer secret. Never repeated, except with a replaced key. */
  write<Shape extends z.ZodMiniType>(request: WriteRequest<Shape>): Promise<z.output<Shape>>
}

type Call = ReadRequest<z.ZodMiniType> & Partial<WriteRequest<z.ZodMiniType>>

export function createReader(transport: Transport, keys: KeySource, endure: Endure): Reader {
  function call(request: Call, key: ServiceKey | undefined, timeoutMs: number): Promise<Answer> {
    const headers: Record<string, string> = {
      accept: 'application/json, application/problem+json',
      // These reads prove absence, and an answer from a cache on the way proves nothing.
      'cache-control': 'no-cache',
    }
    if (key !== undefined) {
      refuseLiveKeyUnencrypted(key, transport)
      headers.authorization = `Bearer ${key.secret}`
    }
    const { target, method = 'GET', content } = request
    if (content === undefined) return transport.exchange({ method, target, headers, timeoutMs })
    headers['content-type'] = 'application/json'
    return transport.exchange({
      method,
      target,
      headers,
      body: Buffer.from(JSON.stringify(content), 'utf8'),
      timeoutMs,
    })
  }

  async function callWithKey<Shape extends z.ZodMiniType>(
    request: Call & { readonly shape: Shape },
    timeoutMs: number,
  ): Promise<z.output<Shape>> {
    const key = await keys.current()
    try {
      return decodeAnswer(request.endpoint, await call(request, key, timeoutMs), request.shape)
    } catch (error) {
      if (!keyRefusals.has(problemOf(error)?.code ?? '')) throw error
      keys.forget()
      const renewed = await keys.current()
      if (renewed.secret === key.secret) throw error
      return decodeAnswer(request.endpoint, await call(request, renewed, timeoutMs), request.shape)
    }
  }

  return {
    read: (request) =>
      withParametersNamed(
        request,
        endure((timeoutMs) => callWithKey(request, timeoutMs)),
      ),
    readOpenly: ({ endpoint, target, shape }) =>
      endure(async (timeoutMs) =>
        decodeAnswer(endpoint, await call({ endpoint, target, shape }, undefined, timeoutMs), shape),
      ),
    write: (request) => withParametersNamed(request, callWithKey(request, Number.POSITIVE_INFINITY)),
  }
}

/** Adds the call's parameters to a refusal. */
function withParametersNamed<Found>(request: Call, answer: Promise<Found>): Promise<Found> {
  return answer.catch((error: unknown) => Promise.reject(namingParameters(request, error)))
}

/** The answer, if it is a success with JSON; throws its error otherwise. */
export function succeeded(endpoint: string, answer: Answer): Answered {
  const isSuccess =
    answer.kind === 'answered' && answer.fault === undefined && (answer.status === 200 || answer.status === 201)
  if (!isSuccess) throw readError(problemFrom(endpoint, answer))
  if (!isJson(answer.contentType)) throw notJson(endpoint, answer)
  return answer
}

/** The JSON of an answer. Throws Transient for a body that is not JSON. */
export function parseJson(endpoint: string, answer: Answered): unknown {
  const json = findJson(answer.body.toString('utf8'))
  // The parser's own message would quote the body.
  if (json === undefined) throw notJson(endpoint, answer)
  return json
}

function notJson(endpoint: string, answer: Answered): Error {
  return readError(faultOf(endpoint, Fault.NotJson, answer.status))
}

/** Decodes a success by `shape`. Throws the answer's error for another answer, Defect for a broken shape. */
export function decodeAnswer<Shape extends z.ZodMiniType>(
  endpoint: string,
  answer: Answer,
  shape: Shape,
): z.output<Shape> {
  const json = parseJson(endpoint, succeeded(endpoint, answer))
  const parsed = shape.safeParse(json, SCHEMA_MESSAGES)
  if (parsed.success) return parsed.data
  throw brokenPromise(endpoint, json, parsed.error.issues[0])
}

/** Names the endpoint, the field and the promise, never the value. */
function brokenPromise(endpoint: string, json: unknown, issue: z.core.$ZodIssue | undefined): Defect {
  const path = issue?.path ?? []
  const field = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('')
  let found: unknown = json
  // zod made the path, so each step enters an object or is absent.
  for (const step of path) found = (found as Record<PropertyKey, unknown> | null | undefined)?.[step]
  const is = found === undefined ? 'is missing' : 'is not as promised'
  const promised = issue?.code === 'invalid_type' ? `a value of type ${issue.expected}` : (issue?.message ?? '')
  const name = field === '' ? 'the answer' : field.replace(/^\./, '')
  return new Defect(`${endpoint}: ${name} ${is} (promised: ${promised})`)
}

/** `endpoint`: method and path template. `target`: path and query, encoded. */
type RefusedCall = Pick<Call, 'endpoint' | 'target' | 'content'>

/** Parameters that the client adds itself: how it walks a list, and in which units. No caller chose them. */
const OURS: ReadonlySet<string> = new Set(['page', 'limit', 'cursor', 'assetFormat'])

/** Returns the same error; a refusal by the service also names the parameters of the call. */
export function namingParameters(call: RefusedCall, error: unknown): unknown {
  const problem = problemOf(error)
  if (!(error instanceof Refused) || problem === undefined) return error
  return errorOf('Refused', { ...problem, asked: parametersOf(call) })
}

/**
 * Parameters by name from path, query and body: `GET /v2/assets/{assetSymbol}` with `/v2/assets/BTC` gives
 * `{assetSymbol: 'BTC'}`.
 */
export function parametersOf({ endpoint, target, content = {} }: RefusedCall): Readonly<Record<string, string>> {
  const [path = '', query = ''] = target.split('?', 2)
  const segments = path.split('/')
  const template = (endpoint.split(' ')[1] ?? '').split('/')
  const inPath = template.flatMap((part, at) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    return name === undefined ? [] : [[name, decodeURIComponent(segments[at] ?? '')] as const]
  })
  const named = [...inPath, ...new URLSearchParams(query), ...Object.entries(content)]
  return Object.fromEntries(named.filter(([name]) => !OURS.has(name)))
}

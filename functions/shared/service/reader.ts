// Owns a call that moves no money: a read, or a quote. Bearer secret (Tier 1), one JSON answer
// against its schema, every failure in the closed set of errors. It asks again only when the
// service speaks of the key and the key has been replaced meanwhile.
import type * as z from 'zod/mini'
import { Defect } from '../errors.ts'
import type { KeySource, ServiceKey } from '../keys/key-source.ts'
import { keyRefusals, readError } from './classify.ts'
import type { Answer, Transport } from './http.ts'
import { refuseLiveKeyInTheClear } from './live-key.ts'
import { Fault, faultOf, problemFrom, problemOf } from './problem.ts'

/** One call; `endpoint` is method and path template, for messages. */
export interface ReadRequest<Shape extends z.ZodMiniType> {
  readonly endpoint: string
  /** Path and query, encoded (see request-path.ts). */
  readonly target: string
  readonly shape: Shape
  /** Sent as JSON with POST; without it the call is a GET. */
  readonly content?: Readonly<Record<string, string>>
}

export interface Reader {
  /** With the bearer secret. */
  read<Shape extends z.ZodMiniType>(request: ReadRequest<Shape>): Promise<z.output<Shape>>
  /** Without any credential: health and time. */
  readOpenly<Shape extends z.ZodMiniType>(request: ReadRequest<Shape>): Promise<z.output<Shape>>
}

type Answered = Answer & { kind: 'answered' }

export function createReader(transport: Transport, keys: KeySource): Reader {
  async function call(request: ReadRequest<z.ZodMiniType>, key: ServiceKey | undefined): Promise<Answered> {
    const headers: Record<string, string> = { accept: 'application/json, application/problem+json' }
    if (key !== undefined) {
      refuseLiveKeyInTheClear(key, transport)
      headers.authorization = `Bearer ${key.secret}`
    }
    const { endpoint, target, content } = request
    const answer =
      content === undefined
        ? await transport.exchange({ method: 'GET', target, headers })
        : await transport.exchange({
            method: 'POST',
            target,
            headers: { ...headers, 'content-type': 'application/json' },
            body: Buffer.from(JSON.stringify(content), 'utf8'),
          })
    return succeeded(endpoint, answer)
  }

  async function read<Shape extends z.ZodMiniType>(request: ReadRequest<Shape>): Promise<z.output<Shape>> {
    const key = await keys.current()
    try {
      return decode(request, await call(request, key))
    } catch (error) {
      if (!keyRefusals.has(problemOf(error)?.code ?? '')) throw error
      keys.forget()
      const renewed = await keys.current()
      if (renewed.secret === key.secret) throw error
      return decode(request, await call(request, renewed))
    }
  }

  async function readOpenly<Shape extends z.ZodMiniType>(request: ReadRequest<Shape>): Promise<z.output<Shape>> {
    return decode(request, await call(request, undefined))
  }

  return { read, readOpenly }
}

const JSON_TYPE = /^application\/json\s*(;|$)/i

/** The answer, if it is a success with JSON in it; throws what it is otherwise. */
export function succeeded(endpoint: string, answer: Answer): Answered {
  const isSuccess =
    answer.kind === 'answered' && answer.fault === undefined && (answer.status === 200 || answer.status === 201)
  if (!isSuccess) throw readError(problemFrom(endpoint, answer))
  if (!JSON_TYPE.test(answer.contentType)) throw notJson(endpoint, answer)
  return answer
}

/** The JSON of an answer. Throws Transient when it is none. */
export function parseJson(endpoint: string, answer: Answered): unknown {
  try {
    return JSON.parse(answer.body.toString('utf8'))
  } catch {
    // The parser's own message quotes the body.
    throw notJson(endpoint, answer)
  }
}

function notJson(endpoint: string, answer: Answered): Error {
  return readError(faultOf(endpoint, Fault.NotJson, answer.status))
}

function decode<Shape extends z.ZodMiniType>(request: ReadRequest<Shape>, answer: Answered): z.output<Shape> {
  const json = parseJson(request.endpoint, answer)
  const parsed = request.shape.safeParse(json)
  if (parsed.success) return parsed.data
  throw brokenPromise(request.endpoint, json, parsed.error.issues[0])
}

/** Names the endpoint, the field and what was promised; never the value. */
function brokenPromise(endpoint: string, json: unknown, issue: z.core.$ZodIssue | undefined): Defect {
  const path = issue?.path ?? []
  const field = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('')
  let found: unknown = json
  for (const step of path) found = (found as Record<PropertyKey, unknown> | null | undefined)?.[step]
  const is = found === undefined ? 'is missing' : 'is not as promised'
  const promised = issue?.code === 'invalid_type' ? `a value of type ${issue.expected}` : (issue?.message ?? '')
  const name = field === '' ? 'the answer' : field.replace(/^\./, '')
  return new Defect(`${endpoint}: ${name} ${is} (promised: ${promised})`)
}

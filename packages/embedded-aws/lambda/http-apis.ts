// HTTP APIs of API Gateway with IAM: a signed request becomes an event (payload format 2.0) for the function of its route,
// and the function's answer becomes the response.
// Source: Amazon API Gateway Developer Guide, "Create AWS Lambda proxy integrations for HTTP APIs" and "Control access to
// HTTP APIs with IAM authorization".
import type { IncomingMessage } from 'node:http'
import { AwsError } from '../aws-error.ts'
import type { Answer } from '../http/local-server.ts'
import type { Invocation } from '../states/run.ts'
import { eventOf, responseOf, type Signer } from './function-url.ts'

export interface HttpRoute extends RouteKey {
  readonly key: string
  readonly functionArn: string
}

export interface HttpApi {
  readonly id: string
  readonly name: string
  /** `arn:aws:execute-api:REGION:ACCOUNT:ID`. */
  readonly arn: string
  readonly routes: readonly HttpRoute[]
}

export interface HttpApisOptions {
  readonly apis: readonly HttpApi[]
  readonly nowMs: () => number
  readonly newId: () => string
  /** Returns the signer. `resource`: of `execute-api:Invoke`. Throws AwsError for a caller without access. */
  readonly examineSigner: (request: IncomingMessage, body: Buffer, resource: string) => Signer
  readonly invoke: (functionArn: string, payload: string) => Promise<Invocation>
}

interface CalledRoute {
  readonly api: HttpApi
  readonly route: HttpRoute
  readonly parameters: Readonly<Record<string, string>>
  /** Path and query, as the function sees them. */
  readonly target: string
}

/** Path prefix of APIs. On AWS each API has its own host. */
const PREFIX = '/http-api/'

export class HttpApis {
  readonly #options: HttpApisOptions
  readonly notFound = failure(404, 'Not Found')

  constructor(options: HttpApisOptions) {
    this.#options = options
  }

  addresses(baseUrl: string): readonly { readonly apiName: string; readonly url: string }[] {
    return this.#options.apis.map(({ id, name }) => ({ apiName: name, url: `${baseUrl}${PREFIX}${id}` }))
  }

  find({ method = '', url = '' }: IncomingMessage): CalledRoute | undefined {
    const [id = '', ...rest] = url.startsWith(PREFIX) ? url.slice(PREFIX.length).split('/') : []
    const api = this.#options.apis.find((candidate) => candidate.id === id)
    const target = `/${rest.join('/')}`
    const found = api && findRoute(api.routes, method, target.split('?', 1)[0] ?? '')
    return api && found && { api, ...found, target }
  }

  async answer(called: CalledRoute, request: IncomingMessage, body: Buffer): Promise<Answer> {
    const { api, parameters, route, target } = called
    const { examineSigner, invoke, newId, nowMs } = this.#options
    const [path = ''] = target.split('?', 1)
    let signer: Signer
    try {
      signer = examineSigner(request, body, `${api.arn}/$default/${request.method}${path}`)
    } catch (error) {
      if (error instanceof AwsError) return failure(403, 'Forbidden')
      throw error
    }
    const event = eventOf({ request, body, target, signer, requestId: newId(), nowMs: nowMs() })
    const context = { ...event.requestContext, apiId: api.id, domainPrefix: api.id, routeKey: route.key }
    const payload = {
      ...{ ...event, routeKey: route.key, requestContext: context },
      ...(Object.keys(parameters).length > 0 && { pathParameters: parameters }),
    }
    const invocation = await invoke(route.functionArn, JSON.stringify(payload))
    if (invocation.kind !== 'answered') return failure(500, 'Internal Server Error')
    return responseOf(JSON.parse(invocation.payload), failure(500, 'Internal Server Error'))
  }
}

function failure(status: number, text: string): Answer {
  const body = Buffer.from(JSON.stringify({ message: text }))
  return { status, headers: { 'content-type': 'application/json' }, body }
}

const KEY = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|ANY) \/(.*)$/
const SEGMENT = /^([A-Za-z0-9._~-]+|\{[A-Za-z0-9._-]+\})$/
const GREEDY = /^\{[A-Za-z0-9._-]+\+\}$/

export interface RouteKey {
  /** A method, or ANY. */
  readonly method: string
  /** Each is a text, a parameter in braces, or, as the last, a greedy parameter. */
  readonly segments: readonly string[]
}

/** Undefined for a key of another form, also for `$default`. */
export function parseRouteKey(key: string): RouteKey | undefined {
  const [, method, path] = KEY.exec(key) ?? []
  if (method === undefined || path === undefined) return undefined
  const segments = path === '' ? [] : path.split('/')
  const isRight = segments.every(
    (segment, index) => SEGMENT.test(segment) || (index === segments.length - 1 && GREEDY.test(segment)),
  )
  return isRight ? { method, segments } : undefined
}

/** The route of a request with its parameters. A full match comes before a greedy one, and a method before ANY. */
export function findRoute<Route extends RouteKey>(
  routes: readonly Route[],
  method: string,
  path: string,
): { readonly route: Route; readonly parameters: Readonly<Record<string, string>> } | undefined {
  const asked = path.split('/').slice(1)
  const found = routes.flatMap((route) => {
    if (route.method !== method && route.method !== 'ANY') return []
    const parameters = parametersOf(route.segments, asked)
    return parameters === undefined ? [] : [{ route, parameters }]
  })
  return found.sort((one, other) => rankOf(one.route) - rankOf(other.route))[0]
}

function parametersOf(segments: readonly string[], asked: readonly string[]): Record<string, string> | undefined {
  const greedy = segments.findIndex((segment) => GREEDY.test(segment))
  const [last, rest] = [segments.at(greedy), asked.slice(greedy).join('/')]
  if (greedy !== -1 && (last === undefined || rest === '')) return undefined
  const [fixed, given] = greedy === -1 ? [segments, asked] : [segments.slice(0, greedy), asked.slice(0, greedy)]
  if (fixed.length === 0 ? given.join('') !== '' : fixed.length !== given.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, segment] of fixed.entries()) {
    const value = given[index] ?? ''
    if (!segment.startsWith('{')) {
      if (segment !== value) return undefined
    } else if (value === '') return undefined
    else parameters[segment.slice(1, -1)] = decoded(value)
  }
  if (greedy !== -1 && last !== undefined) parameters[last.slice(1, -2)] = decoded(rest)
  return parameters
}

/** Texts come before parameters, and greedy parameters last; then a method before ANY. */
function rankOf({ method, segments }: RouteKey): number {
  const parameters = segments.filter((segment) => segment.startsWith('{')).length
  const isGreedy = segments.some((segment) => GREEDY.test(segment))
  return (isGreedy ? 1_000 : 0) + parameters * 2 + (method === 'ANY' ? 1 : 0)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

// HTTP APIs of API Gateway with IAM: a signed request becomes an event (payload format 2.0) for the function of its route,
// and the function's answer becomes the response.
// Source: Amazon API Gateway Developer Guide, "Create AWS Lambda proxy integrations for HTTP APIs" and "Control access to
// HTTP APIs with IAM authorization".
import type { IncomingMessage } from 'node:http'
import { AwsError } from '../aws-error.ts'
import type { Answer } from '../http/local-server.ts'
import type { Invocation } from '../states/run.ts'
import { eventOf, responseOf, type Signer } from './function-url.ts'
import { findRoute, type RouteKey } from './route-key.ts'

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

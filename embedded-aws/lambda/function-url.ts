// Functions behind an address of their own: an HTTP request becomes an event (payload format 2.0), and
// the function's answer becomes the response. Who asks is not checked, as with AuthType NONE.
// Source: AWS Lambda Developer Guide, "Invoking Lambda function URLs".
import type { IncomingMessage } from 'node:http'
import { isObject } from '../fields.ts'
import type { Invocation } from '../states/run.ts'

/** From the template. */
export interface FunctionUrl {
  readonly functionArn: string
}

export interface UrlResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Buffer
}

export interface FunctionUrlsOptions {
  readonly urls: readonly FunctionUrl[]
  readonly nowMs: () => number
  readonly newId: () => string
  readonly invoke: (functionArn: string, payload: string) => Promise<Invocation>
}

/** On AWS each function has a host of its own; here, a path. */
const PREFIX = '/function-url/'
/** Bodies of these types are text to the function, others base64. */
const TEXT_TYPES = /^(text\/|application\/(json|javascript|xml)\b)/i

export function isFunctionUrl(path: string): boolean {
  return path.startsWith(PREFIX)
}

export class FunctionUrls {
  readonly #options: FunctionUrlsOptions

  constructor(options: FunctionUrlsOptions) {
    this.#options = options
  }

  /** By function, over the gateway's address. */
  addresses(endpointUrl: string): readonly { readonly functionName: string; readonly url: string }[] {
    return this.#options.urls.map(({ functionArn }) => {
      const functionName = nameOf(functionArn)
      return { functionName, url: `${endpointUrl}${PREFIX}${functionName}/` }
    })
  }

  async answer(request: IncomingMessage, body: Buffer): Promise<UrlResponse> {
    const [name = '', ...rest] = (request.url ?? '').slice(PREFIX.length).split('/')
    const found = this.#options.urls.find(({ functionArn }) => nameOf(functionArn) === name.split('?')[0])
    if (found === undefined) return message(403, 'Forbidden')
    const event = eventOf(request, body, `/${rest.join('/')}`, this.#options.newId(), this.#options.nowMs())
    const invocation = await this.#options.invoke(found.functionArn, JSON.stringify(event))
    if (invocation.kind === 'answered') return responseOf(JSON.parse(invocation.payload))
    const isThrottled = invocation.kind === 'failed' && invocation.error === 'Lambda.TooManyRequestsException'
    return isThrottled ? message(429, 'Rate Exceeded.') : message(502, 'Internal Server Error')
  }
}

function eventOf(request: IncomingMessage, body: Buffer, target: string, requestId: string, nowMs: number): object {
  const [rawPath = '/', rawQueryString = ''] = target.split('?', 2)
  const { cookie, ...headers } = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  )
  const isText = TEXT_TYPES.test(headers['content-type'] ?? '')
  const domainName = headers.host ?? ''
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    headers,
    ...(cookie !== undefined && { cookies: cookie.split('; ') }),
    ...(rawQueryString !== '' && { queryStringParameters: parametersOf(rawQueryString) }),
    requestContext: {
      accountId: 'anonymous',
      apiId: 'embedded',
      domainName,
      domainPrefix: 'embedded',
      http: {
        method: request.method,
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? '',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: '$default',
      stage: '$default',
      time: new Date(nowMs).toUTCString(),
      timeEpoch: nowMs,
    },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  }
}

/** Several values of a name stand together. */
function parametersOf(query: string): Readonly<Record<string, string>> {
  const parameters = new URLSearchParams(query)
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name).join(',')]))
}

/** An answer without a status is the body of a good one. */
function responseOf(answer: unknown): UrlResponse {
  if (!isObject(answer) || answer.statusCode === undefined) {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) }
  }
  const status = Number(answer.statusCode)
  if (!Number.isInteger(status) || status < 100 || status > 599) return message(502, 'Internal Server Error')
  const given = isObject(answer.headers) ? answer.headers : {}
  const headers = Object.entries(given).map(([name, value]) => [name.toLowerCase(), String(value)] as const)
  const cookies = Array.isArray(answer.cookies) ? answer.cookies.map(String) : []
  const body = typeof answer.body === 'string' ? answer.body : ''
  return {
    status,
    headers: {
      'content-type': 'application/json',
      ...Object.fromEntries(headers),
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    },
    body: Buffer.from(body, answer.isBase64Encoded === true ? 'base64' : 'utf8'),
  }
}

function message(status: number, text: string): UrlResponse {
  const body = Buffer.from(JSON.stringify({ Message: text }))
  return { status, headers: { 'content-type': 'application/json' }, body }
}

function nameOf(functionArn: string): string {
  return functionArn.split(':').at(-1) ?? ''
}

// Function URLs: an HTTP request becomes an event (payload format 2.0), and the function's answer becomes the response.
// With AuthType NONE the caller is not checked. With AWS_IAM the request must be signed, and the function learns who
// signed it. Also checks the signer of a request to a function URL or an HTTP API.
// Source: AWS Lambda Developer Guide, "Invoking Lambda function URLs".
import type { IncomingMessage } from 'node:http'
import { AwsError } from '../aws-error.ts'
import type { Access } from '../endpoint/access.ts'
import type { Authentication } from '../endpoint/authentication.ts'
import { identityOf } from '../endpoint/identity.ts'
import { isObject } from '../fields.ts'
import type { Answer } from '../http/local-server.ts'
import type { Invocation } from '../states/run.ts'

/** A function URL, as its template declares it. */
export interface FunctionUrl {
  readonly functionArn: string
  /** True for AuthType AWS_IAM: only signed requests reach the function. */
  readonly isSigned: boolean
}

/** The signer of a request, as the function sees it. */
export interface Signer {
  readonly accessKey: string
  readonly accountId: string
  readonly callerId: string
  readonly userArn: string
  readonly userId: string
}

/** Returns the signer. Throws AwsError for a caller without access. */
export type ExamineSigner = (request: IncomingMessage, body: Buffer, functionArn: string) => Signer

/** The function and target of a request. */
export interface CalledFunction {
  readonly functionArn: string
  readonly isSigned: boolean
  /** Path and query, as the function sees them. */
  readonly target: string
}

export interface FunctionUrlsOptions {
  readonly urls: readonly FunctionUrl[]
  readonly nowMs: () => number
  readonly newId: () => string
  readonly examineSigner: ExamineSigner
  readonly invoke: (functionArn: string, payload: string) => Promise<Invocation>
}

/** Path prefix of functions. On AWS each function has its own host. */
const PREFIX = '/function-url/'
/** Types of bodies that the function gets as text; others come as base64. */
const TEXT_TYPES = /^(text\/|application\/(json|javascript|xml)\b)/i

export class FunctionUrls {
  readonly #options: FunctionUrlsOptions
  readonly notFound = message(403, 'Forbidden')

  constructor(options: FunctionUrlsOptions) {
    this.#options = options
  }

  /** Returns the URL of each function. `baseUrl`: the server's address. */
  addresses(baseUrl: string): readonly { readonly functionName: string; readonly url: string }[] {
    return this.#options.urls.map(({ functionArn }) => {
      const functionName = nameOf(functionArn)
      return { functionName, url: `${baseUrl}${PREFIX}${functionName}/` }
    })
  }

  /** Returns the function behind a request's target. */
  find({ url: target = '' }: IncomingMessage): CalledFunction | undefined {
    if (!target.startsWith(PREFIX)) return undefined
    const [name = '', ...rest] = target.slice(PREFIX.length).split('/')
    const found = this.#options.urls.find(({ functionArn }) => nameOf(functionArn) === name.split('?')[0])
    return found && { ...found, target: `/${rest.join('/')}` }
  }

  /** Returns the URL of a function, by name or ARN. `baseUrl`: the server's address. */
  findUrl(nameOrArn: string, baseUrl: string): (FunctionUrl & { readonly url: string }) | undefined {
    const found = this.#options.urls.find(
      ({ functionArn }) => functionArn === nameOrArn || nameOf(functionArn) === nameOrArn,
    )
    return found && { ...found, url: `${baseUrl}${PREFIX}${nameOf(found.functionArn)}/` }
  }

  async answer(
    { functionArn, isSigned, target }: CalledFunction,
    request: IncomingMessage,
    body: Buffer,
  ): Promise<Answer> {
    const { examineSigner, newId, nowMs } = this.#options
    let signer: Signer | undefined
    try {
      if (isSigned) signer = examineSigner(request, body, functionArn)
    } catch (error) {
      if (error instanceof AwsError) return message(403, error.message)
      throw error
    }
    const event = eventOf({ request, body, target, signer, requestId: newId(), nowMs: nowMs() })
    const invocation = await this.#options.invoke(functionArn, JSON.stringify(event))
    if (invocation.kind === 'answered') return responseOf(JSON.parse(invocation.payload))
    const isThrottled = invocation.kind === 'failed' && invocation.error === 'Lambda.TooManyRequestsException'
    return isThrottled ? message(429, 'Rate Exceeded.') : message(502, 'Internal Server Error')
  }
}

interface UrlCall {
  readonly request: IncomingMessage
  readonly body: Buffer
  readonly target: string
  readonly signer: Signer | undefined
  readonly requestId: string
  readonly nowMs: number
}

/** The event in payload format 2.0. */
export function eventOf({ request, body, target, signer, requestId, nowMs }: UrlCall) {
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
      accountId: signer?.accountId ?? 'anonymous',
      ...(signer && { authorizer: { iam: { ...signer, cognitoIdentity: null, principalOrgId: null } } }),
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

/** Joins several values of a name with commas. */
function parametersOf(query: string): Readonly<Record<string, string>> {
  const parameters = new URLSearchParams(query)
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name).join(',')]))
}

/** An answer without a status becomes the body of a 200. */
export function responseOf(answer: unknown, wrong = message(502, 'Internal Server Error')): Answer {
  if (!isObject(answer) || answer.statusCode === undefined) {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) }
  }
  const status = Number(answer.statusCode)
  if (!Number.isInteger(status) || status < 100 || status > 599) return wrong
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

export function message(status: number, text: string): Answer {
  const body = Buffer.from(JSON.stringify({ Message: text }))
  return { status, headers: { 'content-type': 'application/json' }, body }
}

function nameOf(functionArn: string): string {
  return functionArn.split(':').at(-1) ?? ''
}

interface SignerPorts {
  readonly authentication: Authentication
  readonly access: Access
  readonly deployment: { readonly account: string }
}

/** For requests to HTTP APIs. */
export function examineApiSigners(ports: SignerPorts): ExamineSigner {
  return signersFor(ports, 'execute-api', ['execute-api:Invoke'])
}

/** For requests to function URLs. */
export function examineSigners(ports: SignerPorts): ExamineSigner {
  return signersFor(ports, 'lambda', ['lambda:InvokeFunctionUrl', 'lambda:InvokeFunction'])
}

function signersFor(
  { authentication, access, deployment: { account } }: SignerPorts,
  service: string,
  actions: readonly string[],
): ExamineSigner {
  return (request, body, resource) => {
    const { method = '', rawHeaders, url = '' } = request
    const examined = authentication.examine({ method, target: url, rawHeaders }, service)
    examined.assertSigned(body)
    const { accessKeyId: accessKey, caller } = examined
    if (caller !== 'administrator') {
      for (const action of actions) access.authorise(caller, { action, resource })
    }
    const { arn: userArn, userId } = identityOf(examined, account)
    return { accessKey, accountId: account, callerId: userId, userArn, userId }
  }
}

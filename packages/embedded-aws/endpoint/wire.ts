// Reads the operation of a request, and forms its answer for the wire. AWS JSON names the operation in a header, a REST
// API in its path. Performs nothing. A hook may answer in place of a service.
import type { IncomingMessage } from 'node:http'
import { AwsError } from '../aws-error.ts'
import { isObject } from '../fields.ts'
import type { Endpoint, RequestBody, RequestHead, ServiceName, WireAnswer } from './endpoint.ts'
import { DIRECTORY_BUCKETS, queriedService, queryRefusal, signedService } from './query.ts'

const USUAL_TYPE = 'application/x-amz-json-1.0'

export interface WireCall {
  /** Undefined when the service does not exist here. */
  readonly endpoint: Endpoint | undefined
  /** Without an endpoint it says what is not here. */
  readonly operation: string
  /** @throws AwsError for a payload that is not in this protocol's format */
  bodyOf(payload: Buffer): RequestBody
  answerOf(performed: unknown): WireAnswer
  refusalOf(error: { readonly name: string; readonly message: string }): WireAnswer
}

export function wireCallOf(request: IncomingMessage, endpoints: readonly Endpoint[]): WireCall {
  const head = headOf(request)
  const target = head.header('x-amz-target')
  if (target !== undefined) return jsonRequest(target, endpoints)
  return restRequest(head, endpoints) ?? unknownQuery(head) ?? unknownRest(head)
}

/** A request to a service of the Query protocol that does not exist here. */
function unknownQuery(head: RequestHead): WireCall | undefined {
  const service = queriedService(head)
  if (service === undefined) return undefined
  return {
    endpoint: undefined,
    operation: `service ${service}`,
    bodyOf: () => ({}),
    answerOf: () => ({ headers: {}, body: '' }),
    refusalOf: (error) => queryRefusal(service, error),
  }
}

/** A request to an API of paths that no service here knows. */
function unknownRest(head: RequestHead): WireCall {
  const service = signedService(head.header('authorization')) ?? 'service'
  return {
    endpoint: undefined,
    operation: `${service}:${head.method} of ${head.target}`,
    bodyOf: () => ({}),
    answerOf: () => ({ headers: {}, body: '' }),
    refusalOf: service === DIRECTORY_BUCKETS ? (error) => queryRefusal(service, error) : jsonRefusal,
  }
}

function headOf({ headers, method = '', url = '' }: IncomingMessage): RequestHead {
  return {
    method,
    target: url,
    header(name) {
      const value = headers[name]
      return Array.isArray(value) ? value[0] : value
    },
    names: () => Object.keys(headers),
  }
}

function jsonRequest(target: string, endpoints: readonly Endpoint[]): WireCall {
  const dot = target.lastIndexOf('.')
  const endpoint = endpoints.find(
    (candidate) => 'targetPrefix' in candidate && candidate.targetPrefix === target.slice(0, dot),
  )
  const contentType = endpoint !== undefined && 'contentType' in endpoint ? endpoint.contentType : USUAL_TYPE
  const json = (body: unknown) => ({ headers: { 'content-type': contentType }, body: JSON.stringify(body) })
  return {
    endpoint,
    operation: endpoint === undefined ? target : target.slice(dot + 1),
    bodyOf: parseObject,
    answerOf: (performed) => json(performed ?? {}),
    refusalOf: ({ name, message }) => json({ __type: name, message, Message: message }),
  }
}

function restRequest(head: RequestHead, endpoints: readonly Endpoint[]): WireCall | undefined {
  for (const endpoint of endpoints) {
    const found = 'find' in endpoint ? endpoint.find(head) : undefined
    if (found === undefined) continue
    const { operation } = found
    return {
      endpoint,
      operation,
      bodyOf: (payload) => found.bodyOf(payload),
      answerOf: (performed) => found.answerOf(performed),
      refusalOf: (error) => found.refusalOf?.(error) ?? jsonRefusal(error),
    }
  }
  return undefined
}

function jsonRefusal({ name, message }: { readonly name: string; readonly message: string }): WireAnswer {
  return {
    headers: { 'content-type': 'application/json', 'x-amzn-errortype': name },
    body: JSON.stringify({ Type: 'User', message, Message: message }),
  }
}

function parseObject(payload: Buffer): RequestBody {
  try {
    const body: unknown = JSON.parse(payload.toString())
    if (isObject(body)) return body
  } catch {
    // Refused below, like every other text that is not a JSON object.
  }
  throw new AwsError('SerializationException', 'the body is not a JSON object')
}

export interface EndpointCall {
  readonly service: ServiceName
  readonly operation: string
  /** Undefined for callers other than functions of the assembly. */
  readonly functionName: string | undefined
  readonly body: unknown
  /** `before`: not applied yet. `after`: applied, or refused by the service, but not answered yet. */
  readonly phase: 'before' | 'after'
}

export type EndpointHook = (call: EndpointCall) => EndpointVerdict | undefined | Promise<EndpointVerdict | undefined>

export type EndpointVerdict =
  /** Terminates the calling worker; the call gets no answer. */
  | 'kill-function'
  /** Destroys the socket. */
  | 'drop'
  | { readonly errorType: string; readonly status: number }

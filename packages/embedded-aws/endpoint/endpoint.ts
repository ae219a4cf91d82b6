// Defines the interface between the gateway and a service: its operations, and the permissions that they need. Reads
// the fields of a request's body by the AWS JSON protocols: null means absent.

import { AwsError } from '../aws-error.ts'
import type { Examined } from './authentication.ts'
import type { ConditionContext } from './policy-conditions.ts'

export type ServiceName =
  | 'dynamodb'
  | 'events'
  | 'kms'
  | 'lambda'
  | 's3'
  | 'secretsmanager'
  | 'sns'
  | 'sqs'
  | 'states'
  | 'sts'

/** An action on a resource that a caller's role must allow. */
export interface Permission {
  /** An action such as `dynamodb:PutItem`. */
  readonly action: string
  /** An ARN, or `*` for operations on no particular resource. */
  readonly resource: string
  /** Values for conditions of policies, by key in lower case. */
  readonly conditions?: ConditionContext
}

/**
 * Returns the permission that a service needs from its caller for data under the customer's own KMS key.
 * Source: AWS KMS Developer Guide, "kms:ViaService".
 */
export function decryptingThrough(service: ServiceName, kmsKeyArn: string): Permission {
  const [, , , region = ''] = kmsKeyArn.split(':')
  const domain = region.startsWith('cn-')
    ? 'amazonaws.com.cn'
    : region.startsWith('eusc-')
      ? 'amazonaws.eu'
      : 'amazonaws.com'
  const conditions = { 'kms:viaservice': `${service}.${region}.${domain}` }
  return { action: 'kms:Decrypt', resource: kmsKeyArn, conditions }
}

interface Operations {
  readonly service: ServiceName
  /** Returns undefined for an operation that the endpoint does not have. */
  permissionsFor(operation: string, body: RequestBody): readonly Permission[] | undefined
  /** Returns the answer's body. `examined`: the sender, when the request came over the wire. Throws AwsError. */
  perform(operation: string, body: RequestBody, examined?: Examined): Promise<unknown>
}

/** An API with the AWS JSON protocol, as most have: a header names the operation. */
export interface JsonEndpoint extends Operations {
  /** `x-amz-target` without the operation and the dot before it. */
  readonly targetPrefix: string
  readonly contentType: string
}

/** A REST API: the path names the operation. */
export interface RestEndpoint extends Operations {
  /** Returns undefined for a path that is not part of this API. */
  find(request: RequestHead): RestRequest | undefined
}

export type Endpoint = JsonEndpoint | RestEndpoint

export interface RequestHead {
  readonly method: string
  /** Path and query, as they were sent. */
  readonly target: string
  /** Returns the first value of a header. `name`: in lower case. */
  header(name: string): string | undefined
  /** The names of all headers, in lower case. */
  names(): readonly string[]
}

/** Whether a request names this service in its signature. */
export function isSignedFor(service: ServiceName, { header }: RequestHead): boolean {
  return header('authorization')?.includes(`/${service}/aws4_request`) === true
}

export interface RestRequest {
  readonly operation: string
  /** Returns the fields of the request, with its payload. */
  bodyOf(payload: Buffer): RequestBody
  /** Returns the answer for the result. */
  answerOf(performed: unknown): WireAnswer
  /** Returns the answer for an error, where it is not JSON. */
  refusalOf?(error: { readonly name: string; readonly message: string }): WireAnswer
}

/** An answer. Without a status it has 200 or the error's. */
export interface WireAnswer {
  readonly status?: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

export type RequestBody = Readonly<Record<string, unknown>>

/** Throws SerializationException when the field is not a string. */
export function findText(body: RequestBody, name: string): string | undefined {
  const value = body[name]
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined
  throw new AwsError('SerializationException', `${name} must be a string`)
}

/** Throws ValidationException when the field is absent. */
export function textOf(body: RequestBody, name: string): string {
  const value = findText(body, name)
  if (value !== undefined) return value
  throw new AwsError('ValidationException', `${name} is missing`)
}

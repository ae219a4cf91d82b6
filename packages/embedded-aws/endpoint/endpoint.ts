// What the gateway asks of a service: to perform an operation, and which permissions it takes.

import type { Examined } from './authentication.ts'
import type { Said } from './policy-conditions.ts'
import type { RequestBody } from './request-body.ts'

export type ServiceName = 'dynamodb' | 'events' | 'kms' | 'lambda' | 'secretsmanager' | 'sns' | 'sqs' | 'states' | 'sts'

/** An action on a resource that a caller's role must allow. */
export interface Permission {
  /** Such as `dynamodb:PutItem`. */
  readonly action: string
  /** An ARN, or `*` for operations on no particular resource. */
  readonly resource: string
  /** What policies may put conditions on, by the key in lower case. */
  readonly conditions?: Said
}

/**
 * What a service asks of KMS in the name of its caller, for data that is under a key of one's own.
 * Source: AWS KMS Developer Guide, "kms:ViaService".
 */
export function decryptingThrough(service: ServiceName, kmsKeyArn: string): Permission {
  const [, , , region = ''] = kmsKeyArn.split(':')
  const conditions = { 'kms:viaservice': `${service}.${region}.amazonaws.com` }
  return { action: 'kms:Decrypt', resource: kmsKeyArn, conditions }
}

interface Operations {
  readonly service: ServiceName
  /** Undefined for an operation that the endpoint does not have. */
  permissionsFor(operation: string, body: RequestBody): readonly Permission[] | undefined
  /** The answer's body. `examined`: who asks, where the request came over the wire. Throws AwsError. */
  perform(operation: string, body: RequestBody, examined?: Examined): Promise<unknown>
}

/** An API of AWS JSON, as most are: a header names the operation. */
export interface JsonEndpoint extends Operations {
  /** `x-amz-target` without the operation and the dot before it. */
  readonly targetPrefix: string
  readonly contentType: string
}

/** A REST API: the path names the operation. */
export interface RestEndpoint extends Operations {
  /** Undefined for a path that is not this API's. */
  find(request: RequestHead): RestRequest | undefined
}

export type Endpoint = JsonEndpoint | RestEndpoint

export interface RequestHead {
  readonly method: string
  /** Path and query, as they were sent. */
  readonly target: string
  /** The first value of a header; its name is in lower case. */
  header(name: string): string | undefined
}

/** Services of AWS Query have one form: the service is the one that the signature is for, as on AWS its host is. */
export function isQueryOf(service: ServiceName, { header, method, target }: RequestHead): boolean {
  const isForm = header('content-type')?.startsWith('application/x-www-form-urlencoded') === true
  const isForIt = header('authorization')?.includes(`/${service}/aws4_request`) === true
  return method === 'POST' && target === '/' && isForm && isForIt
}

export interface RestRequest {
  readonly operation: string
  /** The fields of the request, its payload among them. */
  bodyOf(payload: string): RequestBody
  /** How what was performed is answered. */
  answerOf(performed: unknown): WireAnswer
  /** How an error is told, where not as JSON. */
  refusalOf?(error: { readonly name: string; readonly message: string }): WireAnswer
}

/** The status is 200, or that of the error. */
export interface WireAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

// What the gateway asks of a service: to perform an operation, and which permissions it takes.

import type { RequestBody } from './request-body.ts'

export type ServiceName = 'dynamodb' | 'events' | 'kms' | 'secretsmanager' | 'sqs' | 'states'

/** An action on a resource that a caller's role must allow. */
export interface Permission {
  /** Such as `dynamodb:PutItem`. */
  readonly action: string
  /** An ARN, or `*` for operations on no particular resource. */
  readonly resource: string
  /** What policies may put conditions on, by the key in lower case. */
  readonly conditions?: Readonly<Record<string, string>>
}

export interface Endpoint {
  readonly service: ServiceName
  /** `x-amz-target` without the operation and the dot before it. */
  readonly targetPrefix: string
  readonly contentType: string
  /** Undefined for an operation that the endpoint does not have. */
  permissionsFor(operation: string, body: RequestBody): readonly Permission[] | undefined
  /** The answer's body. Throws AwsError. */
  perform(operation: string, body: RequestBody): Promise<unknown>
}

// Keeps the resource policies of tables. At each boot the policies are the assembly's, as after a deployment; then
// requests put and delete policies. It does not check whether a policy locks out its own author. Finds the partition
// keys of a request, as policies see them (`dynamodb:LeadingKeys`): an unclear key becomes an empty text, which no
// policy lists.
// Source: DynamoDB API Reference, PutResourcePolicy, GetResourcePolicy, DeleteResourcePolicy.
import { createHash } from 'node:crypto'
import { AwsError, Refusal } from '../aws-error.ts'
import { parseResourcePolicy, type Statement } from '../endpoint/access-policy.ts'
import type { RequestBody } from '../endpoint/endpoint.ts'
import { isObject } from '../fields.ts'

export interface TablePolicy {
  /** The policy as JSON. */
  readonly document: string
  readonly statements: readonly Statement[]
}

export const ON_POLICIES = ['DeleteResourcePolicy', 'GetResourcePolicy', 'PutResourcePolicy']

export class TablePolicies {
  readonly #policies: Map<string, TablePolicy>

  constructor(declared: ReadonlyMap<string, TablePolicy> = new Map()) {
    this.#policies = new Map(declared)
  }

  /** Returns the statements of the table's policy. */
  get(arn: string): readonly Statement[] | undefined {
    return this.#policies.get(arn)?.statements
  }

  /** Performs one of ON_POLICIES on an existing table. Throws AwsError. */
  perform(operation: string, arn: string, { ExpectedRevisionId: expected, Policy }: RequestBody): unknown {
    const policy = this.#policies.get(arn)
    if (expected !== undefined && expected !== revisionOf(policy)) throw notFound(arn)
    switch (operation) {
      case 'GetResourcePolicy':
        if (policy === undefined) throw notFound(arn)
        return { Policy: policy.document, RevisionId: revisionOf(policy) }
      case 'PutResourcePolicy': {
        const put = parsed(Policy)
        this.#policies.set(arn, put)
        return { RevisionId: revisionOf(put) }
      }
      default:
        this.#policies.delete(arn)
        return policy === undefined ? {} : { RevisionId: revisionOf(policy) }
    }
  }
}

function revisionOf(policy: TablePolicy | undefined): string {
  if (policy === undefined) return 'NO_POLICY'
  return createHash('sha256').update(policy.document).digest('hex')
}

function notFound(arn: string): AwsError {
  return new AwsError('PolicyNotFoundException', `Resource-based policy not found for the provided ResourceArn: ${arn}`)
}

function parsed(document: unknown): TablePolicy {
  if (typeof document !== 'string') throw new AwsError('ValidationException', 'Policy: expected a text')
  try {
    return { document, statements: parseResourcePolicy(JSON.parse(document), 'Policy') }
  } catch (error) {
    if (error instanceof Refusal) throw new AwsError('ValidationException', error.message)
    throw new AwsError('ValidationException', 'Policy: expected JSON')
  }
}

const UNCLEAR = ''

/**
 * Keys of a request to one table. `partitionKey`: the key's name in the table, or in the queried index. A Scan has no
 * keys.
 */
export function leadingKeys(operation: string, body: RequestBody, partitionKey: string): readonly string[] {
  switch (operation) {
    case 'GetItem':
    case 'DeleteItem':
    case 'UpdateItem':
      return [keyIn(body.Key, partitionKey)]
    case 'PutItem':
      return [keyIn(body.Item, partitionKey)]
    case 'Query':
      return [queriedKey(body, partitionKey)]
    default:
      return []
  }
}

/** `request`: the batch's part for one table. */
export function leadingKeysOfBatch(operation: string, request: unknown, partitionKey: string): readonly string[] {
  if (operation === 'BatchGetItem') {
    const keys: unknown = isObject(request) ? request.Keys : undefined
    return Array.isArray(keys) ? keys.map((key) => keyIn(key, partitionKey)) : [UNCLEAR]
  }
  if (!Array.isArray(request)) return [UNCLEAR]
  return request.map((write: unknown) => {
    const { DeleteRequest, PutRequest } = isObject(write) ? write : {}
    if (isObject(PutRequest)) return keyIn(PutRequest.Item, partitionKey)
    return keyIn(isObject(DeleteRequest) ? DeleteRequest.Key : undefined, partitionKey)
  })
}

function keyIn(item: unknown, partitionKey: string): string {
  return isObject(item) ? textOf(item[partitionKey]) : UNCLEAR
}

function textOf(value: unknown): string {
  const { B, N, S } = isObject(value) ? value : {}
  return [S, N, B].find((candidate) => typeof candidate === 'string') ?? UNCLEAR
}

function queriedKey(body: RequestBody, partitionKey: string): string {
  const {
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
    KeyConditionExpression,
    KeyConditions,
  } = body
  if (isObject(KeyConditions)) {
    const condition = KeyConditions[partitionKey]
    const list: unknown = isObject(condition) ? condition.AttributeValueList : undefined
    return Array.isArray(list) ? textOf(list[0]) : UNCLEAR
  }
  if (typeof KeyConditionExpression !== 'string') return UNCLEAR
  for (const part of KeyConditionExpression.split(/\sAND\s/i)) {
    const [, name = '', value = ''] = /^[\s(]*([#\w.-]+)\s*=\s*(:\w+)[\s)]*$/.exec(part) ?? []
    const attribute = name.startsWith('#') && isObject(names) ? names[name] : name
    if (attribute === partitionKey && isObject(values)) return textOf(values[value])
  }
  return UNCLEAR
}

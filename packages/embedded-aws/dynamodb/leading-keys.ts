// Finds the partition keys of a DynamoDB request, as policies see them (`dynamodb:LeadingKeys`). An unclear key becomes
// an empty text, which no policy lists, so that it cannot pass as no key.
// Source: DynamoDB Developer Guide, "Using IAM policy conditions for fine-grained access control".
import type { RequestBody } from '../endpoint/endpoint.ts'
import { isObject } from '../fields.ts'

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

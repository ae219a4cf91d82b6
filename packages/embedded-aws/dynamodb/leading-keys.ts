// The partition keys that a request of DynamoDB is about, as policies see them (`dynamodb:LeadingKeys`). A key that
// cannot be made out is said as an empty text, which no policy lists: what is unclear must not pass for nothing.
// Source: DynamoDB Developer Guide, "Using IAM policy conditions for fine-grained access control".
import type { RequestBody } from '../endpoint/request-body.ts'
import { isObject } from '../fields.ts'

const UNCLEAR = ''

/** Of one table. `partitionKey`: the name of its key, or of the key of the index that is asked. None for a Scan. */
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

/** `asked`: what a batch asks of one table. */
export function leadingKeysOfBatch(operation: string, asked: unknown, partitionKey: string): readonly string[] {
  if (operation === 'BatchGetItem') {
    const keys: unknown = isObject(asked) ? asked.Keys : undefined
    return Array.isArray(keys) ? keys.map((key) => keyIn(key, partitionKey)) : [UNCLEAR]
  }
  if (!Array.isArray(asked)) return [UNCLEAR]
  return asked.map((write: unknown) => {
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
  return [S, N, B].find((each) => typeof each === 'string') ?? UNCLEAR
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

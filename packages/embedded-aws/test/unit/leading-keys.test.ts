// Policies that limit a role to some keys of a table see the keys of every request to DynamoDB.
import { expect, test } from 'vitest'
import { leadingKeys, leadingKeysOfBatch } from '../../dynamodb/table-policies.ts'

const names = { '#k': 'pk', '#o': 'other' }
const values = { ':k': { S: 'I#1' }, ':o': { S: 'x' } }
const query = (KeyConditionExpression: string) => ({
  ...{ KeyConditionExpression, ExpressionAttributeNames: names, ExpressionAttributeValues: values },
})

test.each<[string, string, Record<string, unknown>, readonly string[]]>([
  ['an item that is put', 'PutItem', { Item: { pk: { S: 'I#1' }, other: { S: 'x' } } }, ['I#1']],
  ['an item that is read', 'GetItem', { Key: { pk: { S: 'I#1' } } }, ['I#1']],
  ['a key that is a number', 'GetItem', { Key: { pk: { N: '7' } } }, ['7']],
  ['a request without the key', 'GetItem', { Key: { other: { S: 'x' } } }, ['']],
  ['a query', 'Query', query('#k = :k'), ['I#1']],
  ['a query with a sort key', 'Query', query('(#o > :o) and (pk = :k)'), ['I#1']],
  ['a query that names another attribute', 'Query', query('#o = :o'), ['']],
  ['a query in the older form', 'Query', { KeyConditions: { pk: { AttributeValueList: [{ S: 'I#1' }] } } }, ['I#1']],
  ['a scan', 'Scan', {}, []],
])('the leading keys of %s', (_name, operation, body, keys) => {
  expect(leadingKeys(operation, body, 'pk')).toEqual(keys)
})

test('the leading keys of a batch', () => {
  const key = (id: string) => ({ pk: { S: id } })
  expect(leadingKeysOfBatch('BatchGetItem', { Keys: [key('a'), key('b')] }, 'pk')).toEqual(['a', 'b'])
  const writes = [{ PutRequest: { Item: key('a') } }, { DeleteRequest: { Key: key('b') } }, {}]
  expect(leadingKeysOfBatch('BatchWriteItem', writes, 'pk')).toEqual(['a', 'b', ''])
})

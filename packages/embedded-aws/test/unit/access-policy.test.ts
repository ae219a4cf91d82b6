// An IAM policy allows a call only where its conditions hold, with the operators as AWS reads them.
import { describe, expect, test } from 'vitest'
import { allows, parsePolicy } from '../../endpoint/access-policy.ts'

const TABLE = 'arn:aws:dynamodb:us-east-1:123456789012:table/records'

function answer(statements: readonly object[], action: string, resource = TABLE): boolean {
  return allows(parsePolicy({ Version: '2012-10-17', Statement: statements }, 'policy'), { action, resource })
}

const allow = (Action: unknown, Resource: unknown) => ({ Effect: 'Allow', Action, Resource })
const deny = (Action: unknown, Resource: unknown) => ({ Effect: 'Deny', Action, Resource })

describe('a policy', () => {
  test.each<[string, readonly object[], string, boolean]>([
    ['that names action and resource allows them', [allow('dynamodb:GetItem', TABLE)], 'dynamodb:GetItem', true],
    ['does not allow another action', [allow('dynamodb:GetItem', TABLE)], 'dynamodb:PutItem', false],
    ['does not allow another resource', [allow('dynamodb:GetItem', `${TABLE}s`)], 'dynamodb:GetItem', false],
    [
      'that names an index does not allow its table',
      [allow('dynamodb:Query', `${TABLE}/index/*`)],
      'dynamodb:Query',
      false,
    ],
    ['may use lists', [allow(['s3:*', 'dynamodb:Put*'], ['x', TABLE])], 'dynamodb:PutItem', true],
    ['ignores the case of an action', [allow('DynamoDB:getitem', TABLE)], 'dynamodb:GetItem', true],
    [
      'may use * in a resource',
      [allow('dynamodb:GetItem', 'arn:aws:dynamodb:*:*:table/rec*')],
      'dynamodb:GetItem',
      true,
    ],
    ['may use ? for one character', [allow('dynamodb:GetItem', `${TABLE.slice(0, -1)}?`)], 'dynamodb:GetItem', true],
    ['matches a dot literally', [allow('dynamodb:GetItem', TABLE.replace('e', '.'))], 'dynamodb:GetItem', false],
    ['that denies wins', [allow('*', '*'), deny('dynamodb:Put*', '*')], 'dynamodb:PutItem', false],
    [
      'that denies another action still allows',
      [allow('*', '*'), deny('dynamodb:Put*', '*')],
      'dynamodb:GetItem',
      true,
    ],
    ['without statements allows nothing', [], 'dynamodb:GetItem', false],
  ])('%s', (_name, statements, action, isAllowed) => {
    expect(answer(statements, action)).toBe(isAllowed)
  })

  const KEY = 'arn:aws:kms:us-east-1:123456789012:key/1'
  const byAlias = { ...allow('kms:Sign', KEY), Condition: { StringEquals: { 'kms:RequestAlias': 'alias/a' } } }
  test.each([
    ['its condition holds', { 'kms:requestalias': 'alias/a' }, true],
    ['its condition names another value', { 'kms:requestalias': 'alias/b' }, false],
    ['the request lacks the key of its condition', {}, false],
  ])('allows only where its condition holds: %s', (_name, conditions, isAllowed) => {
    const statements = parsePolicy({ Statement: byAlias }, 'policy')
    expect(allows(statements, { action: 'kms:Sign', resource: KEY, conditions })).toBe(isAllowed)
  })

  const oneRecord = {
    ...allow('dynamodb:PutItem', TABLE),
    Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['W#walk'] } },
  }
  test.each([
    ['every value is one of those named', { 'dynamodb:leadingkeys': 'W#walk' }, true],
    ['a value is not among them', { 'dynamodb:leadingkeys': 'I#intent' }, false],
    ['there is no value at all, which AWS allows too', {}, true],
  ])('ForAllValues: %s', (_name, conditions, isAllowed) => {
    const statements = parsePolicy({ Statement: oneRecord }, 'policy')
    expect(allows(statements, { action: 'dynamodb:PutItem', resource: TABLE, conditions })).toBe(isAllowed)
  })

  const inbox = {
    ...allow('dynamodb:PutItem', TABLE),
    Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['E#*', 'W#?'] } },
  }
  test.each([
    ['E#1', true],
    ['W#1', true],
    ['W#12', false],
    ['I#E#1', false],
  ])('StringLike: the key %s is allowed: %s', (key, isAllowed) => {
    const statements = parsePolicy({ Statement: inbox }, 'policy')
    const conditions = { 'dynamodb:leadingkeys': key }
    expect(allows(statements, { action: 'dynamodb:PutItem', resource: TABLE, conditions })).toBe(isAllowed)
  })

  test.each<[string, object]>([
    ['a condition on another key', { ...byAlias, Condition: { StringEquals: { 'aws:SourceIp': '::1' } } }],
    ['a condition of another kind', { ...allow('*', '*'), Condition: { Bool: { 'aws:SecureTransport': 'true' } } }],
    ['NotAction', { Effect: 'Allow', NotAction: '*', Resource: '*' }],
    ['NotResource', { Effect: 'Allow', Action: '*', NotResource: '*' }],
    ['a principal', { ...allow('*', '*'), Principal: '*' }],
    ['no resource', { Effect: 'Allow', Action: '*' }],
  ])('with %s is refused', (_name, statement) => {
    expect(() => answer([statement], '*')).toThrow(expect.objectContaining({ name: 'Refusal' }))
  })
})

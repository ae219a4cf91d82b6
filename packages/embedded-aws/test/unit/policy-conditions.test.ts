// A deny in the policy of a table wins over what roles allow, and may exempt a role by its ARN.
import { describe, expect, test } from 'vitest'
import { Access } from '../../endpoint/access.ts'
import { allows, parsePolicy, parseResourcePolicy } from '../../endpoint/access-policy.ts'
import type { ConditionContext } from '../../endpoint/policy-conditions.ts'

const TABLE = 'arn:aws:dynamodb:us-east-1:123456789012:table/records'
const BUS = 'arn:aws:events:us-east-1:123456789012:event-bus/b'
const ROLE = 'arn:aws:iam::123456789012:role/r'

const allow = (Action: string, Resource: string, Condition?: object) => ({
  ...{ Effect: 'Allow', Action, Resource },
  ...(Condition && { Condition }),
})

function puts(condition: object, conditions: ConditionContext): boolean {
  const statements = parsePolicy({ Statement: allow('events:PutEvents', BUS, condition) }, 'policy')
  return allows(statements, { action: 'events:PutEvents', resource: BUS, conditions })
}

const SOURCE = 'events:source'
const TYPE = 'events:detail-type'

test.each<[string, object, ConditionContext, boolean]>([
  ['both keys match', { StringEquals: { [SOURCE]: 'a', [TYPE]: ['X', 'Y'] } }, { [SOURCE]: 'a', [TYPE]: 'Y' }, true],
  ['one key does not match', { StringEquals: { [SOURCE]: 'a', [TYPE]: 'X' } }, { [SOURCE]: 'a', [TYPE]: 'Z' }, false],
  ['a negated key with a listed value', { StringNotEquals: { [SOURCE]: ['a', 'b'] } }, { [SOURCE]: 'b' }, false],
  ['a negated key with another value', { StringNotEquals: { [SOURCE]: ['a', 'b'] } }, { [SOURCE]: 'c' }, true],
  ['a negated key that is missing, which AWS allows too', { StringNotEquals: { [SOURCE]: 'a' } }, {}, true],
  ['Null false, and the key is present', { Null: { [SOURCE]: 'false' } }, { [SOURCE]: 'c' }, true],
  ['Null false, and the key is missing', { Null: { [SOURCE]: false } }, {}, false],
  ['any value, and one matches', { 'ForAnyValue:StringLike': { [SOURCE]: 'a*' } }, { [SOURCE]: ['b', 'ab'] }, true],
  ['any value, and there is no value', { 'ForAnyValue:StringLike': { [SOURCE]: 'a*' } }, {}, false],
  [
    'all values, and one does not match',
    { 'ForAllValues:StringLike': { [SOURCE]: 'a*' } },
    { [SOURCE]: ['b', 'ab'] },
    false,
  ],
])('%s', (_name, condition, context, isAllowed) => {
  expect(puts(condition, context)).toBe(isAllowed)
})

test.each<[string, object]>([
  ['an unknown operator', { NumericEquals: { [SOURCE]: '1' } }],
  ['an unknown prefix', { 'ForNoValue:StringEquals': { [SOURCE]: 'a' } }],
  ['a key that no request has', { StringEquals: { 'aws:SourceVpc': 'v' } }],
  ['several values without a prefix', { StringEquals: { 'dynamodb:LeadingKeys': 'I#1' } }],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a policy writes a variable.
  ['a variable', { StringEquals: { [SOURCE]: '${aws:username}' } }],
])('%s is refused', (_name, condition) => {
  expect(() => puts(condition, {})).toThrow(expect.objectContaining({ name: 'Refusal' }))
})

describe('a policy of a table', () => {
  const deny = (Condition?: object) => ({
    ...{ Effect: 'Deny', Principal: '*', Action: ['dynamodb:DeleteItem'], Resource: TABLE },
    ...(Condition && { Condition }),
  })
  const accessOf = (statement: object) =>
    new Access({
      account: '123456789012',
      policies: new Map([[ROLE, parsePolicy({ Statement: [allow('dynamodb:*', '*')] }, 'role')]]),
      resourcePolicies: new Map([[TABLE, parseResourcePolicy({ Statement: [statement] }, 'table')]]),
    })
  const caller = { roleArn: ROLE, functionName: 'f' }
  const deleting = { action: 'dynamodb:DeleteItem', resource: TABLE }

  test('denies every role and the administrator, in spite of what a role allows', () => {
    const access = accessOf(deny())
    for (const principal of [caller, undefined]) {
      expect(() => access.authorise(principal, deleting)).toThrow(/explicit deny in a resource-based policy/)
      expect(() => access.authorise(principal, { ...deleting, action: 'dynamodb:GetItem' })).not.toThrow()
    }
  })

  test('can exempt a role by its ARN', () => {
    const access = accessOf(deny({ ArnNotLike: { 'aws:PrincipalArn': [ROLE] } }))
    expect(() => access.authorise(caller, deleting)).not.toThrow()
    expect(() => access.authorise(undefined, deleting)).toThrow(/explicit deny/)
  })

  test.each<[string, object]>([
    ['that allows', { ...deny(), Effect: 'Allow' }],
    ['for one principal', { ...deny(), Principal: { AWS: ROLE } }],
    ['with NotPrincipal', { ...deny(), Principal: undefined, NotPrincipal: '*' }],
  ])('%s is refused', (_name, statement) => {
    expect(() => accessOf(statement)).toThrow(expect.objectContaining({ name: 'Refusal' }))
  })
})

describe('a role that is limited to its function', () => {
  const OWN = 'arn:aws:lambda:us-east-1:123456789012:function:own'
  const condition = (operator: string) => ({ [operator]: { 'lambda:SourceFunctionArn': OWN } })
  const accessOf = (...statements: readonly object[]) =>
    new Access({
      account: '123456789012',
      policies: new Map([[ROLE, parsePolicy({ Statement: statements }, 'role')]]),
      resourcePolicies: new Map(),
    })
  const reading = { action: 'dynamodb:GetItem', resource: TABLE }
  const denied = { ...allow('dynamodb:*', '*', condition('ArnNotLike')), Effect: 'Deny' }

  test.each<[string, Access]>([
    ['by a Deny', accessOf(allow('dynamodb:*', '*'), denied)],
    ['by its Allow', accessOf(allow('dynamodb:*', '*', condition('ArnLike')))],
  ])('allows nothing to another function, or to a service outside of it, %s', (_name, access) => {
    const caller = { roleArn: ROLE, functionName: 'own' }
    expect(() => access.authorise({ ...caller, functionArn: OWN }, reading)).not.toThrow()
    const other = { ...caller, functionArn: OWN.replace('own', 'another') }
    for (const principal of [other, caller])
      expect(() => access.authorise(principal, reading)).toThrow(/not authorized/)
  })

  test('gets an error that names the explicit deny', () => {
    const access = accessOf(allow('dynamodb:*', '*'), denied)
    expect(() => access.authorise({ roleArn: ROLE, functionName: 'another' }, reading)).toThrow(
      /explicit deny in an identity-based policy/,
    )
  })

  test('cannot be a condition of a resource policy, because AWS does not supply the function there', () => {
    const statement = { ...denied, Principal: '*' }
    expect(() => parseResourcePolicy({ Statement: [statement] }, 'table')).toThrow(/not supported/)
  })
})

test('unused permissions are listed one by one', () => {
  const LEADING = 'ForAllValues:StringLike'
  const statement = allow('dynamodb:GetItem', TABLE, { [LEADING]: { 'dynamodb:LeadingKeys': ['I#*', 'C#*'] } })
  const access = new Access({
    account: '123456789012',
    policies: new Map([[ROLE, parsePolicy({ Statement: [statement, allow('kms:Sign', '*')] }, 'role')]]),
    resourcePolicies: new Map(),
  })
  access.authorise(
    { roleArn: ROLE, functionName: 'f' },
    { action: 'dynamodb:GetItem', resource: TABLE, conditions: { 'dynamodb:leadingkeys': ['I#1'] } },
  )
  expect(access.unused()).toEqual([
    ...[
      {
        roleArn: ROLE,
        action: 'dynamodb:GetItem',
        resource: TABLE,
        conditions: [`${LEADING} dynamodb:LeadingKeys = C#*`],
      },
    ],
    { roleArn: ROLE, action: 'kms:Sign', resource: '*', conditions: [] },
  ])
})

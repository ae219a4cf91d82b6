// Tests what a permissions boundary or the policy of an endpoint does with one permission, by the rules of IAM.
import { expect, test } from 'vitest'
import {
  judge,
  parseLimitingPolicy,
  type Verdict,
} from '../../../../operations/doctor/before-deploy/permissions/limiting-policy.ts'
import { knownOf } from '../../../../operations/doctor/before-deploy/permissions/limits.ts'

const INVOKE = {
  action: 'lambda:InvokeFunction',
  resource: 'arn:aws:lambda:eu-west-1:123456789012:function:sluice-*',
}
const SECRET = {
  action: 'secretsmanager:GetSecretValue',
  resource: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:key-??????',
}
const ACCOUNT = '123456789012'
const KNOWN = knownOf({ account: ACCOUNT, region: 'eu-west-1' })

const ALL = { Effect: 'Allow', Action: '*', Resource: '*' }
const allow = (Resource: string | readonly string[]) => ({ ...ALL, Resource })
const deny = (more: object) => ({ Effect: 'Deny', Action: '*', ...more })
const lambda = (name: string) => `arn:aws:lambda:eu-west-1:123456789012:function:${name}`
const secret = (end: string) => `arn:aws:secretsmanager:eu-west-1:123456789012:secret:${end}`
const variable = (name: string) => `\${${name}}`
const OF_ACCOUNT = `arn:aws:*:*:${variable('aws:PrincipalAccount')}:*`
const OF_TEAM = `arn:aws:*:*:*:*${variable('aws:PrincipalTag/team')}*`
const OTHER_ACCOUNT = { StringNotEquals: { 'aws:ResourceAccount': variable('aws:PrincipalAccount') } }
const OTHER_TEAM = { StringEquals: { 'aws:ResourceAccount': variable('aws:PrincipalTag/account') } }
const bySecure = (operator: string, value: unknown) => ({ [operator]: { 'aws:SecureTransport': value } })
const ELSEWHERE = { StringNotEquals: { 'aws:RequestedRegion': 'eu-west-1' } }

const verdictOf = (statements: readonly object[], permission: typeof INVOKE): Verdict['is'] | readonly string[] => {
  const verdict = judge(parseLimitingPolicy(JSON.stringify({ Statement: statements })) ?? [], permission, KNOWN)
  return verdict.is === 'open' ? verdict.keys : verdict.is
}

test.each<[string, readonly object[], typeof INVOKE, ReturnType<typeof verdictOf>]>([
  ['everything is allowed', [ALL], INVOKE, 'allowed'],
  ['every function of the deployment is allowed', [allow(lambda('sluice-*'))], INVOKE, 'allowed'],
  [
    'functions are allowed by their names',
    [allow([lambda('sluice-quote:*'), lambda('sluice-order:*')])],
    INVOKE,
    ['Resource'],
  ],
  ['a part of a name is allowed', [allow(lambda('*quote*'))], INVOKE, ['Resource']],
  ['a name outside the deployment is allowed', [allow(lambda('other-*'))], INVOKE, 'refused'],
  ['one letter more is allowed', [allow(lambda('sluice-?'))], INVOKE, ['Resource']],
  ['one function is denied', [ALL, deny({ Resource: lambda('sluice-order:*') })], INVOKE, ['Resource']],
  ['a foreign function is denied', [ALL, deny({ Resource: lambda('other') })], INVOKE, 'allowed'],
  ['all but one function is denied', [ALL, deny({ NotResource: lambda('sluice-order:*') })], INVOKE, ['Resource']],
  ['all but those of the deployment is denied', [ALL, deny({ NotResource: lambda('sluice-*') })], INVOKE, 'allowed'],
  ['all but foreign functions is denied', [ALL, deny({ NotResource: lambda('other') })], INVOKE, 'refused'],
  [
    'a function is denied in other regions',
    [ALL, deny({ Resource: lambda('sluice-order'), Condition: ELSEWHERE })],
    INVOKE,
    'allowed',
  ],
  ['a secret is allowed by its whole ARN', [allow(secret('key-AbCdEf'))], SECRET, ['Resource']],
  ['a secret of a longer name is allowed', [allow(secret('key-two-AbCdEf'))], SECRET, 'refused'],
  ['resources of the account are allowed by a variable', [allow(OF_ACCOUNT)], INVOKE, 'allowed'],
  ['resources of the account are denied by a variable', [ALL, deny({ Resource: OF_ACCOUNT })], INVOKE, 'refused'],
  ['resources of a team are denied by a variable', [ALL, deny({ Resource: OF_TEAM })], INVOKE, ['Resource']],
  [
    'other accounts are denied by a variable',
    [ALL, deny({ Resource: '*', Condition: OTHER_ACCOUNT })],
    INVOKE,
    'allowed',
  ],
  [
    'requests without TLS are denied',
    [ALL, deny({ Resource: '*', Condition: bySecure('Bool', 'false') })],
    INVOKE,
    'allowed',
  ],
  [
    'requests without TLS are denied where the key exists',
    [ALL, deny({ Resource: '*', Condition: bySecure('BoolIfExists', false) })],
    INVOKE,
    'allowed',
  ],
  ['requests by TLS are allowed', [{ ...ALL, Condition: bySecure('Bool', 'True') }], INVOKE, 'allowed'],
  ['requests by TLS are denied', [ALL, deny({ Resource: '*', Condition: bySecure('Bool', true) })], INVOKE, 'refused'],
  ['a condition has an unknown variable', [{ ...ALL, Condition: OTHER_TEAM }], INVOKE, ['aws:ResourceAccount']],
])('where %s, the verdict is that of IAM', (_what, statements, permission, verdict) => {
  expect(verdictOf(statements, permission)).toEqual(verdict)
})

// Insiders and neighbours in the account. The first passes the role of one of our functions to a function of his own
// (iam:PassRole), because AWS has no condition for the trust of such a role. The second may read all secrets of the
// account, and meets a secret's own policy.

import { type Asking, loadParts } from '@sluice/embedded-aws'
import { expect, inject, test } from 'vitest'
import { roleArn } from '../../core/contract/deployed-names.ts'
import { keyRolesOf, ReadBy, secretPolicy } from '../../core/contract/secret-policy.ts'

const { planDeployment, readAssembly, Access, parsePolicy, parseResourcePolicy } = await loadParts()

const { account, functions, policies } = planDeployment(readAssembly(inject('assemblyDir')), {})
const access = new Access({ account, policies, resourcePolicies: new Map() })
/** Lambda itself, outside the function, writes logs and traces, reads queues for mappings, and puts dead letters. */
const BY_LAMBDA = ['logs', 'sqs', 'xray']

/** Permissions of a function's role without further conditions. */
const plainOf = (roleArn: string) =>
  access
    .unused()
    .filter((granted) => granted.roleArn === roleArn && granted.conditions.length === 0)
    .filter(({ action }) => !BY_LAMBDA.includes(action.split(':')[0] ?? ''))
    .map(({ action, resource }) => ({ action, resource: resource.replaceAll(/[?*]/g, 'x') }))

test.each(functions.map((each) => [each.name, each] as const))(
  'the role of %s gives another function nothing',
  (name, { arn, roleArn }) => {
    const asking = { roleArn, functionName: name }
    const may = (who: Asking) =>
      plainOf(roleArn).filter((permission) => {
        try {
          access.authorise(who, permission)
          return true
        } catch {
          return false
        }
      })
    const thief = `${arn}-thief`
    expect(may({ ...asking, functionArn: thief })).toEqual([])
    expect(may(asking)).toEqual([])
    const permissions = plainOf(roleArn)
    expect(may({ ...asking, functionArn: arn })).toEqual(permissions)
  },
)

test('the role of Withdraw may read its secret, so that the tests above have a subject', () => {
  const withdraw = functions.find(({ name }) => name === 'sluice-withdraw')
  const fresh = new Access({ account, policies, resourcePolicies: new Map() })
  const ofWithdraw = fresh.unused().filter(({ roleArn }) => roleArn === withdraw?.roleArn)
  expect(ofWithdraw.map(({ action }) => action)).toContain('secretsmanager:GetSecretValue')
})

const SECRET = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:sluice/service-key-AbCdEf'
const roleNamed = (name: string) => roleArn(name, { account, partition: 'aws', path: undefined })
/** Many roles in customer accounts have this permission. */
const everySecret = parsePolicy({ Statement: { Effect: 'Allow', Action: 'secretsmanager:*', Resource: '*' } }, 'role')

interface Deployed {
  readonly environment?: string
  readonly rolePath?: string
}

/** Returns which of these roles, all with full permissions for secrets, may do this with a protected secret. */
function whoMay(action: string, names: readonly string[], { environment, rolePath }: Deployed = {}): readonly string[] {
  const policy = secretPolicy(ReadBy.Workflow, { partition: 'aws', account, environment, rolePath })
  const neighbours = new Access({
    account,
    policies: new Map(names.map((name) => [roleNamed(name), everySecret])),
    resourcePolicies: new Map([[SECRET, parseResourcePolicy(policy, 'secret')]]),
  })
  return names.filter((name) => {
    try {
      neighbours.authorise({ roleArn: roleNamed(name), functionName: 'session' }, { action, resource: SECRET })
      return true
    } catch {
      return false
    }
  })
}

const NEIGHBOURS = ['billing', 'administrator', 'other-sluice-keys', 'sluice-keys-2', 'live-sluice-keys']
const withdraw =
  functions
    .find(({ name }) => name === 'sluice-withdraw')
    ?.roleArn.split('/')
    .pop() ?? ''

test('a protected secret is read only by the roles of the stack that uses it, and by those who manage keys', () => {
  const notify = 'SluiceTriggers-NoticesNotifyRole0A1B2C3D-X'
  const names = [withdraw, ...keyRolesOf(undefined), ...NEIGHBOURS, notify]
  expect(whoMay('secretsmanager:GetSecretValue', names)).toEqual([withdraw, 'sluice-keys', 'sluice-break-glass'])
})

test('only those who manage keys may change the policy of a secret, so that nobody removes it first', () => {
  const names = [withdraw, ...keyRolesOf(undefined), ...NEIGHBOURS]
  for (const action of ['PutResourcePolicy', 'DeleteResourcePolicy'])
    expect(whoMay(`secretsmanager:${action}`, names)).toEqual(['sluice-keys', 'sluice-break-glass'])
  expect(whoMay('secretsmanager:PutSecretValue', names)).toEqual(names)
})

test('an environment has roles of its own, also with the longest name, for which AWS shortens the roles of its functions', () => {
  const environment = 'abcdefghijklmnop'
  const shortened = `${environment}-SluiceWo-CheckWithdrawalRole0A1B-X`
  const names = [shortened, withdraw, `${environment}-sluice-keys`, 'sluice-keys']
  expect(whoMay('secretsmanager:GetSecretValue', names, { environment })).toEqual([
    shortened,
    `${environment}-sluice-keys`,
  ])
})

test('with a path of roles only roles of that path read a protected secret, and none whose name alone is right', () => {
  const names = [withdraw, `company/${withdraw}`, 'company/sluice-keys', 'sluice-keys', `team/company/${withdraw}`]
  const admitted = whoMay('secretsmanager:GetSecretValue', names, { rolePath: '/company/' })
  expect(admitted).toEqual([`company/${withdraw}`, 'company/sluice-keys'])
})

test('the administrator of the account reads no protected secret', () => {
  const policy = secretPolicy(ReadBy.Workflow, {
    partition: 'aws',
    account,
    environment: undefined,
    rolePath: undefined,
  })
  const access = new Access({
    account,
    policies,
    resourcePolicies: new Map([[SECRET, parseResourcePolicy(policy, 'secret')]]),
  })
  const reading = { action: 'secretsmanager:GetSecretValue', resource: SECRET }
  expect(() => access.authorise(undefined, reading)).toThrow(/explicit deny in a resource-based policy/)
})

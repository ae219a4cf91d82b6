// Who passes the role of one of our functions to a function of his own (iam:PassRole): what that gets. AWS knows no condition
// for the trust of such a role, so the role's own policy has to see to it.
import { expect, inject, test } from 'vitest'
import { planDeployment } from '../../embedded-aws/assembly/deployment.ts'
import { readAssembly } from '../../embedded-aws/assembly/read-assembly.ts'
import { Access, type Asking } from '../../embedded-aws/endpoint/access.ts'

const { account, functions, policies } = planDeployment(readAssembly(inject('assemblyDir')), {})
const access = new Access({ account, policies, resourcePolicies: new Map() })
/** Lambda itself writes logs and traces, reads queues for mappings and puts dead letters, outside of the function. */
const BY_LAMBDA = ['logs', 'sqs', 'xray']

/** Permissions of a function's role that hold without further conditions. */
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

test('the role of Withdraw is for its secret, so that the tests above look at something', () => {
  const withdraw = functions.find(({ name }) => name === 'sluice-withdraw')
  const fresh = new Access({ account, policies, resourcePolicies: new Map() })
  const ofWithdraw = fresh.unused().filter(({ roleArn }) => roleArn === withdraw?.roleArn)
  expect(ofWithdraw.map(({ action }) => action)).toContain('secretsmanager:GetSecretValue')
})

// Names who has the managed policies of people, and so may invoke the functions in which people speak. Warns where one
// holder may both settle doubts and declare movements foreign. Administrators may invoke them besides. Reads only.

import { IAMClient, type Policy, paginateListEntitiesForPolicy, paginateListPolicies } from '@aws-sdk/client-iam'
import { deployedName } from '../../../core/contract/deployed-names.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { AWS_LIMITS, requestLimits } from '../../../core/keys/aws-limits.ts'
import { withClient } from '../../../place/aws/with-client.ts'
import { type Check, notKnown, ok, warn } from '../check.ts'

const CHECK = 'people'
const ROLES = ['operator', 'resumer', 'approver', 'resolver', 'declarer', 'break-glass'] as const
const MOST_NAMED = 10

type Holders = ReadonlyMap<string, readonly string[]>

export async function peopleCheck({ environment }: Pick<Treasury, 'environment'>): Promise<Check> {
  return withClient(new IAMClient(requestLimits(AWS_LIMITS)), async (client) => {
    const names = new Map(ROLES.map((role) => [deployedName(`sluice-${role}`, environment), role]))
    const holders = new Map<string, readonly string[]>()
    for await (const { Policies = [] } of paginateListPolicies({ client }, { Scope: 'Local', OnlyAttached: true })) {
      for (const policy of Policies) {
        const role = names.get(policy.PolicyName ?? '')
        if (role !== undefined) holders.set(role, await holdersOf(client, policy))
      }
    }
    return judge(holders)
  }).catch((error: unknown) =>
    notKnown(CHECK, error, 'let these credentials call iam:ListPolicies and iam:ListEntitiesForPolicy'),
  )
}

async function holdersOf(client: IAMClient, { Arn }: Policy): Promise<readonly string[]> {
  const holders: string[] = []
  for await (const page of paginateListEntitiesForPolicy({ client }, { PolicyArn: Arn }))
    holders.push(
      ...(page.PolicyRoles ?? []).map(({ RoleName = '' }) => `role ${RoleName}`),
      ...(page.PolicyUsers ?? []).map(({ UserName = '' }) => `user ${UserName}`),
      ...(page.PolicyGroups ?? []).map(({ GroupName = '' }) => `group ${GroupName}`),
    )
  return holders
}

function judge(holders: Holders): Check {
  const of = (role: string) => holders.get(role) ?? []
  const both = of('resolver').filter((holder) => of('declarer').includes(holder))
  if (both.length > 0) {
    const why = 'one person could hide a movement and declare that nothing moved, and it would be made again'
    return warn(
      CHECK,
      `${both.join(', ')} may settle doubts and declare movements foreign: ${why}`,
      'take one of them away',
    )
  }
  const named = ROLES.filter((role) => of(role).length > 0).map((role) => `${role}: ${listed(of(role))}`)
  return ok(CHECK, named.length === 0 ? 'nobody has a policy of people; administrators may act' : named.join('; '))
}

function listed(holders: readonly string[]): string {
  const more = holders.length - MOST_NAMED
  return [...holders.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

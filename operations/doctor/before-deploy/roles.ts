// Checks what treasury.json says of every role: the managed policy of the permissions boundary exists, and the path is
// that of the deployment. Reads only.
import { GetPolicyCommand, GetRoleCommand, IAMClient } from '@aws-sdk/client-iam'
import { deployedName, HOME_ROLE } from '../../../core/contract/deployed-names.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { errorName } from '../../../core/error-name.ts'
import { AWS_LIMITS, requestLimits } from '../../../core/keys/aws-limits.ts'
import { type Check, fail, notKnown, ok } from '../check.ts'
import { partitionOf } from './partition.ts'
import type { Place } from './place.ts'

/** The SDK's name of the error. */
const NOT_THERE = 'NoSuchEntityException'
const ROOT = '/'

export async function roleChecks(
  { aws, environment }: Pick<Treasury, 'aws' | 'environment'>,
  place: Place,
): Promise<readonly Check[]> {
  const client = new IAMClient(requestLimits(AWS_LIMITS))
  const home = deployedName(HOME_ROLE, environment)
  try {
    const boundary = aws?.permissionsBoundary
    return [
      ...(boundary === undefined ? [] : [await boundaryCheck(client, arnOf(boundary, place))]),
      ...(await pathChecks(client, home, aws?.rolePath ?? ROOT)),
    ]
  } finally {
    client.destroy()
  }
}

function arnOf(policy: string, { account, region }: Place): string {
  return policy.startsWith('arn:') ? policy : `arn:${partitionOf(region).id}:iam::${account}:policy/${policy}`
}

async function boundaryCheck(client: IAMClient, PolicyArn: string): Promise<Check> {
  const check = 'permissions boundary'
  try {
    await client.send(new GetPolicyCommand({ PolicyArn }))
    return ok(check, `${PolicyArn} is there`)
  } catch (error) {
    if (errorName(error) !== NOT_THERE) return notKnown(check, error, 'let these credentials call iam:GetPolicy')
    const next = 'make the policy, which the account owns, or correct aws.permissionsBoundary'
    return fail(check, `${PolicyArn} does not exist, so no role could be made`, next)
  }
}

/** Empty before a first deployment. CloudFormation cannot replace the home role, because its name is fixed. */
async function pathChecks(client: IAMClient, home: string, wanted: string): Promise<readonly Check[]> {
  const check = 'path of roles'
  try {
    const { Role: { Path = ROOT } = {} } = await client.send(new GetRoleCommand({ RoleName: home }))
    if (Path === wanted) return wanted === ROOT ? [] : [ok(check, `${wanted}, as it was deployed`)]
    const detail = `the roles of this deployment are in ${Path}, and treasury.json says ${wanted}: IAM moves no role`
    return [fail(check, detail, 'docs/deployment.md, "Tags, roles and logs", says how to change the path')]
  } catch (error) {
    if (errorName(error) === NOT_THERE) return []
    return [notKnown(check, error, 'let these credentials call iam:GetRole')]
  }
}

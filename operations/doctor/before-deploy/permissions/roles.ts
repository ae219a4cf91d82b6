// Checks what treasury.json says of all roles: that their boundary lets through what they need, and that their path is
// that of the deployed home role. Reads only.
import { GetRoleCommand, IAMClient } from '@aws-sdk/client-iam'
import { deployedName, HOME_ROLE } from '../../../../core/contract/deployed-names.ts'
import type { Treasury } from '../../../../core/contract/treasury.ts'
import { errorName } from '../../../../core/error-name.ts'
import { AWS_LIMITS, requestLimits } from '../../../../core/keys/aws-limits.ts'
import { type Check, fail, notKnown, ok } from '../../check.ts'
import type { Place } from '../place.ts'
import { boundaryCheck } from './boundary.ts'

/** The SDK's name of the error. */
const NOT_THERE = 'NoSuchEntityException'
const ROOT = '/'

export async function roleChecks(treasury: Treasury, place: Place): Promise<readonly Check[]> {
  const { aws, environment } = treasury
  const client = new IAMClient(requestLimits(AWS_LIMITS))
  const home = deployedName(HOME_ROLE, environment)
  try {
    const boundary = aws?.permissionsBoundary
    return [
      ...(boundary === undefined ? [] : [await boundaryCheck(client, boundary, { treasury, place })]),
      ...(await pathChecks(client, home, aws?.rolePath ?? ROOT)),
    ]
  } finally {
    client.destroy()
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

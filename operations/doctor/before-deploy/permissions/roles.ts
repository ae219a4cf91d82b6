// Checks what treasury.json says of all roles: that their boundary exists and lets through what they need, and that
// their path is that of the deployed home role. Reads only.

import { GetPolicyCommand, GetPolicyVersionCommand, GetRoleCommand, IAMClient } from '@aws-sdk/client-iam'
import { deployedName, HOME_ROLE } from '../../../../core/contract/deployed-names.ts'
import { partitionOf } from '../../../../core/contract/partition.ts'
import type { Treasury } from '../../../../core/contract/treasury.ts'
import { errorName } from '../../../../core/error-name.ts'
import { AWS_LIMITS, requestLimits } from '../../../../core/keys/aws-limits.ts'
import { advice, VERIFY } from '../../../../place/next-step.ts'
import { type Check, fail, notKnown, ok, warn } from '../../check.ts'
import type { Place } from '../place.ts'
import { parseLimitingPolicy } from './limiting-policy.ts'
import { knownOf, lacksOf, limitText } from './limits.ts'
import { neededPermissions } from './needed-permissions.ts'

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

const CHECK = 'permissions boundary'
/** The SDK's name of the error. */

async function boundaryCheck(
  client: IAMClient,
  boundary: string,
  { place, treasury }: { readonly treasury: Treasury; readonly place: Place },
): Promise<Check> {
  const PolicyArn = arnOf(boundary, place)
  const text = await readDocument(client, PolicyArn)
  if (typeof text !== 'string') return text
  const policy = parseLimitingPolicy(text)
  if (policy === undefined) return warn(CHECK, `${PolicyArn} is there, and its document cannot be read`, SHOWN_LATER)
  const { open, refused } = lacksOf(policy, neededPermissions(treasury, place), knownOf(place))
  const next = `allow it in the policy: docs/permissions.md lists what each role may do`
  if (refused.length > 0) return fail(CHECK, `${PolicyArn} refuses what roles need: ${limitText(refused)}`, next)
  if (open.keys.length > 0)
    return warn(CHECK, `${PolicyArn} decides by ${open.keys.join(', ')} about ${open.text}`, SHOWN_LATER)
  return ok(CHECK, `${PolicyArn} allows what roles need`)
}

const SHOWN_LATER = advice`${VERIFY} shows it after the deployment`

function arnOf(policy: string, { account, region }: Place): string {
  return policy.startsWith('arn:') ? policy : `arn:${partitionOf(region).id}:iam::${account}:policy/${policy}`
}

/** The JSON of the version in force, or the finding where nobody can read it. */
async function readDocument(client: IAMClient, PolicyArn: string): Promise<string | Check> {
  try {
    const { Policy } = await client.send(new GetPolicyCommand({ PolicyArn }))
    const VersionId = Policy?.DefaultVersionId
    const { PolicyVersion } = await client.send(new GetPolicyVersionCommand({ PolicyArn, VersionId }))
    return decodeURIComponent(PolicyVersion?.Document ?? '')
  } catch (error) {
    if (errorName(error) !== NOT_THERE)
      return notKnown(CHECK, error, 'let these credentials call iam:GetPolicy and iam:GetPolicyVersion')
    const next = 'make the policy, which the account owns, or correct aws.permissionsBoundary'
    return fail(CHECK, `${PolicyArn} does not exist, so no role could be made`, next)
  }
}

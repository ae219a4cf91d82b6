// Checks that the permissions boundary of treasury.json exists, and lets through what the roles need. Reads only.
import { GetPolicyCommand, GetPolicyVersionCommand, type IAMClient } from '@aws-sdk/client-iam'
import { partitionOf } from '../../../../core/contract/partition.ts'
import type { Treasury } from '../../../../core/contract/treasury.ts'
import { errorName } from '../../../../core/error-name.ts'
import { type Check, fail, notKnown, ok, warn } from '../../check.ts'
import type { Place } from '../place.ts'
import { knownOf } from './known-values.ts'
import { parseLimitingPolicy } from './limiting-policy.ts'
import { lacksOf, limitText } from './limits.ts'
import { neededPermissions } from './needed-permissions.ts'

const CHECK = 'permissions boundary'
/** The SDK's name of the error. */
const NOT_THERE = 'NoSuchEntityException'

export async function boundaryCheck(
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

const SHOWN_LATER = 'npm run verify:deployed shows it after the deployment'

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

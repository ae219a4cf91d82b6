// Checks the place of a deployment: credentials, the account and region that treasury.json pins, and the region's
// services. No API says before a deployment which types of resources a region has, so the gaps are a list with sources
// and date. The test test/infra/region-gaps.long.test.ts compares it with CloudFormation's Validate. Reads only.

import { Resolver } from 'node:dns/promises'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { hostOfAws, isCommercial, partitionOf } from '../../../core/contract/partition.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { errorText } from '../../../core/error-name.ts'
import { AWS_LIMITS, requestLimits } from '../../../core/keys/aws-limits.ts'
import { type AccessFault, findAccessFault } from '../../../place/aws/aws-access.ts'
import { findConnectionRemedy } from '../../../place/aws/connection-remedy.ts'
import { withClient } from '../../../place/aws/with-client.ts'
import { advice, option } from '../../../place/next-step.ts'
import { type Check, fail, ok, warn } from '../check.ts'

export interface Place {
  readonly account: string
  readonly region: string
}

const CREDENTIALS = 'aws credentials'

/** `place` is undefined where a check of the place fails. */
export async function placeCheck(
  pinned: Treasury['aws'],
): Promise<{ readonly checks: readonly Check[]; readonly place: Place | undefined }> {
  return withClient(new STSClient(requestLimits(AWS_LIMITS)), async (client) => {
    const region = await client.config.region()
    const { Account: account = '', Arn: arn = '' } = await client.send(new GetCallerIdentityCommand({}))
    const place = { account, region }
    const checks = [ok(CREDENTIALS, `${arn}, in ${region}`), ...pinnedChecks(pinned, place)]
    return { checks, place: checks.some(({ status }) => status === 'fail') ? undefined : place }
  }).catch((error: unknown) => {
    const { next, why } = findAccessFault(error) ?? unasked(error)
    return { checks: [fail(CREDENTIALS, `${why} (${errorText(error)})`, next)], place: undefined }
  })
}

function unasked(error: unknown): AccessFault {
  const look = findConnectionRemedy(error)
  if (look !== undefined) return { why: 'AWS could not be reached', next: look }
  return { why: 'AWS refused them', next: 'aws sts get-caller-identity shows whose they are' }
}

function pinnedChecks(pinned: Treasury['aws'], { account, region }: Place): Check[] {
  const check = 'pinned place'
  if (pinned === undefined) {
    const next = `add "aws": { "account": "${account}", "region": "${region}" } to the file`
    return [warn(check, 'treasury.json may be deployed anywhere', next)]
  }
  if (pinned.account === account && pinned.region === region) return [ok(check, 'that of treasury.json')]
  const detail = `treasury.json pins ${pinned.account} in ${pinned.region}; these credentials are for ${account} in ${region}`
  return [fail(check, detail, advice`set AWS_PROFILE and AWS_REGION, or name the other file with ${option('config')}`)]
}

/** The services that a deployment uses, by their names in addresses. */
const SERVICES = ['dynamodb', 'events', 'lambda', 'scheduler', 'secretsmanager', 'sqs', 'states'] as const

/** `resolve`: for tests. */
export async function servicesCheck(
  { region }: Place,
  resolve: (host: string) => Promise<unknown> = nameServers(),
): Promise<Check> {
  const check = 'services of the region'
  const known = await Promise.all(
    SERVICES.map((service) =>
      resolve(hostOfAws(service, region)).then(
        () => true,
        () => false,
      ),
    ),
  )
  const missing = SERVICES.filter((_, index) => known[index] !== true)
  if (missing.length === 0) return ok(check, SERVICES.join(', '))
  // If no name resolves, the name service itself may be out of reach.
  if (missing.length === SERVICES.length) return warn(check, 'no address of AWS can be looked up', 'check the network')
  return fail(check, `${region} has no ${missing.join(', ')}`, 'deploy to another region, which has them')
}

/** Name servers answer within two seconds, or count as silent. */
function nameServers(): (host: string) => Promise<unknown> {
  const resolver = new Resolver({ timeout: 2_000, tries: 1 })
  return (host) => resolver.resolve4(host)
}

/**
 * CloudFormation has no AWS::Lambda::Url in these regions. All other types of our templates are in every region.
 * Source: the schemas of CloudFormation Validate 1.14.0, looked up on 2026-11-22.
 */
export const WITHOUT_FUNCTION_URLS: readonly string[] = [
  ...['ap-east-2', 'ap-south-2', 'ap-southeast-4', 'ap-southeast-5', 'ap-southeast-6', 'ap-southeast-7'],
  ...['ca-west-1', 'cn-northwest-1', 'eu-central-2', 'il-central-1', 'me-central-1', 'mx-central-1'],
  ...['us-gov-east-1', 'us-gov-west-1'],
]

/**
 * CloudFormation has the type in these regions, but the description of Lambda says that they have no function URLs.
 * Source: AWS Lambda Developer Guide, "Creating and managing Lambda function URLs", and Amazon Web Services in China,
 * "Amazon Lambda", looked up on 2026-11-22.
 */
export const PERHAPS_WITHOUT_FUNCTION_URLS: readonly string[] = ['cn-north-1', 'eu-south-2']

const CHECK = 'addresses of functions'
const NEXT = 'deploy to a commercial region that has them: people and webhooks reach functions by their URLs'

/** Every deployment has function URLs: people halt and approve through them. */
export function functionUrlCheck({ region }: Pick<Place, 'region'>): Check {
  const { id, name } = partitionOf(region)
  if (!isCommercial(region))
    return fail(CHECK, `${region} is in ${id} (${name}), where Lambda has no function URLs`, NEXT)
  if (WITHOUT_FUNCTION_URLS.includes(region)) return fail(CHECK, `${region} has no function URLs of Lambda`, NEXT)
  if (PERHAPS_WITHOUT_FUNCTION_URLS.includes(region))
    return warn(CHECK, `Lambda's documentation names ${region} among the regions without function URLs`, NEXT)
  return ok(CHECK, `${region} is not known to lack function URLs of Lambda`)
}

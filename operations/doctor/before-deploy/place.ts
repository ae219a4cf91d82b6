// Checks the place of a deployment: credentials, the account and region that treasury.json pins, and the region's
// services. Reads only.

import { Resolver } from 'node:dns/promises'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { hostOfAws } from '../../../core/contract/partition.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { errorText } from '../../../core/error-name.ts'
import { AWS_LIMITS, requestLimits } from '../../../core/keys/aws-limits.ts'
import { type AccessFault, findAccessFault } from '../../../place/aws/aws-access.ts'
import { findConnectionRemedy } from '../../../place/aws/connection-remedy.ts'
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
  const client = new STSClient(requestLimits(AWS_LIMITS))
  try {
    const region = await client.config.region()
    const { Account: account = '', Arn: arn = '' } = await client.send(new GetCallerIdentityCommand({}))
    const place = { account, region }
    const checks = [ok(CREDENTIALS, `${arn}, in ${region}`), ...pinnedChecks(pinned, place)]
    return { checks, place: checks.some(({ status }) => status === 'fail') ? undefined : place }
  } catch (error) {
    const { next, why } = findAccessFault(error) ?? unasked(error)
    return { checks: [fail(CREDENTIALS, `${why} (${errorText(error)})`, next)], place: undefined }
  } finally {
    client.destroy()
  }
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
  return [fail(check, detail, 'set AWS_PROFILE and AWS_REGION, or name the other file with --config')]
}

/** The services that a deployment uses, by their names in addresses. */
const SERVICES = ['dynamodb', 'events', 'lambda', 'scheduler', 'secretsmanager', 'sqs', 'states'] as const

/** Name servers answer within two seconds, or count as silent. */
function nameServers(): (host: string) => Promise<unknown> {
  const resolver = new Resolver({ timeout: 2_000, tries: 1 })
  return (host) => resolver.resolve4(host)
}

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

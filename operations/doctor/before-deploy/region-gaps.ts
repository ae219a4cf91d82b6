// Checks whether a region has the types of resources that a deployment may have. No API says this before a deployment,
// so the gaps are a list with sources and date. test/infra/region-gaps.long.test.ts compares it with AWS's CloudFormation
// Validate.

import { isCommercial, partitionOf } from '../../../core/contract/partition.ts'
import { type Check, fail, ok, warn } from '../check.ts'
import type { Place } from './place.ts'

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

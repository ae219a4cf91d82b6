// Names what the functions need in the VPC of treasury.json, because nothing deploys it: a way to AWS and to the service.
// It asks nothing: the routes of a subnet show only what somebody meant.
import type { Treasury } from '../../../core/contract/treasury.ts'
import { type Check, warn } from '../check.ts'
import type { Place } from './place.ts'

/** AWS services that functions call, as endpoints name them. */
const CALLED = ['events', 'kms', 'lambda', 'secretsmanager', 'sns', 'sqs', 'states', 'sts', 'xray'] as const

/** Empty where functions run in no VPC. */
export function networkChecks(
  { aws, service }: Pick<Treasury, 'aws' | 'service'>,
  { region }: Place,
): readonly Check[] {
  if (aws?.vpc === undefined) return []
  const { id, subnets } = aws.vpc
  const interfaces = CALLED.map((name) => `com.amazonaws.${region}.${name}`).join(', ')
  const detail = `functions run in ${id}, ${subnets.join(', ')}: whether these reach AWS and ${new URL(service.url).host} is not known`
  const next = `a NAT gateway, whose address the service allows; or endpoints for AWS: com.amazonaws.${region}.dynamodb (gateway), ${interfaces}`
  return [warn('network of functions', detail, next)]
}

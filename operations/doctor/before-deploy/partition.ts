// Checks what the treasury file names against the partition of AWS that it is deployed to. China and the US government
// have partitions of their own: other ARNs, other host names, and no way across. Pure.
import type { Treasury } from '../../../core/contract/treasury.ts'
import { type Check, fail, ok } from '../check.ts'
import type { Place } from './place.ts'

interface Partition {
  readonly id: string
  /** For a person. */
  readonly name: string
}

const COMMERCIAL: Partition = { id: 'aws', name: 'commercial AWS' }

/** By the beginning of their regions' names. Source: AWS General Reference, "Amazon Resource Names (ARNs)". */
const OTHERS: readonly (readonly [prefix: string, partition: Partition])[] = [
  ['cn-', { id: 'aws-cn', name: 'Amazon Web Services in China' }],
  ['us-gov-', { id: 'aws-us-gov', name: 'AWS GovCloud (US)' }],
  ['eusc-', { id: 'aws-eusc', name: 'the AWS European Sovereign Cloud' }],
  ['us-iso-', { id: 'aws-iso', name: 'a secret region of AWS' }],
  ['us-isob-', { id: 'aws-iso-b', name: 'a secret region of AWS' }],
]

export function partitionOf(region: string): Partition {
  return OTHERS.find(([prefix]) => region.startsWith(prefix))?.[1] ?? COMMERCIAL
}

export function isCommercial(region: string): boolean {
  return partitionOf(region) === COMMERCIAL
}

const CHECK = 'partition'

export function partitionCheck(treasury: Treasury, { region }: Pick<Place, 'region'>): Check {
  const { id, name } = partitionOf(region)
  const copyRegion = treasury.journal?.copyRegion
  const foreign = [
    ...arnsOf(treasury).flatMap(([field, arn]) => (arn.startsWith(`arn:${id}:`) ? [] : [`${field} is ${arn}`])),
    ...(copyRegion === undefined || partitionOf(copyRegion).id === id ? [] : [`journal.copyRegion is ${copyRegion}`]),
  ]
  if (foreign.length === 0) return ok(CHECK, `${id}, ${name}`)
  const detail = `${region} is in ${id} (${name}); ${foreign.join('; ')}`
  return fail(CHECK, detail, `name resources of ${id}: nothing crosses from one partition to another`)
}

/** Every ARN in the file, with the path of its field. A parsed file has no more levels than its schema. */
function arnsOf(value: unknown, path: readonly string[] = []): (readonly [field: string, arn: string])[] {
  if (typeof value === 'string') return /^arn:[^:\s]+:/.test(value) ? [[path.join('.'), value]] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => arnsOf(inner, [...path, name]))
}

// Knows the partitions of AWS, and finds what treasury.json names in another one than that of its region. China, the US
// government and others have partitions of their own: other ARNs, other host names, and no way across. Pure.
import type { Treasury } from '../contract/treasury.ts'
import { fault, type Path, type PolicyFault } from '../policies/policy-fault.ts'

export interface Partition {
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

/** Something that the file names, as it is written there. */
export interface Foreign {
  readonly path: Path
  readonly text: string
}

/** Everything in the file that belongs to another partition than `region`. */
export function findForeign(treasury: Treasury, region: string): readonly Foreign[] {
  const { id } = partitionOf(region)
  const copyRegion = treasury.journal?.copyRegion
  const crosses = copyRegion !== undefined && partitionOf(copyRegion).id !== id
  return [
    ...arnsOf(treasury).filter(({ text }) => !text.startsWith(`arn:${id}:`)),
    ...(crosses ? [{ path: ['journal', 'copyRegion'], text: copyRegion }] : []),
  ]
}

/** Empty for a file that may be deployed anywhere. */
export function findPartitionFaults(treasury: Treasury): PolicyFault[] {
  const region = treasury.aws?.region
  if (region === undefined) return []
  const { id, name } = partitionOf(region)
  const expected = `expected something of the partition ${id} (${name}), as aws.region is ${region}`
  return findForeign(treasury, region).map(({ path, text }) => fault(path, `${expected}; got ${text}`))
}

/** A parsed file has no more levels than its schema. */
function arnsOf(value: unknown, path: Path = []): Foreign[] {
  if (typeof value === 'string') return /^arn:[^:\s]+:/.test(value) ? [{ path, text: value }] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    arnsOf(inner, [...path, Array.isArray(value) ? Number(name) : name]),
  )
}

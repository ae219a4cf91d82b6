// Finds what treasury.json names in another partition of AWS than that of its region. Pure.
import { partitionOf } from '../contract/partition.ts'
import type { Treasury } from '../contract/treasury.ts'
import { fault, type Path, type PolicyFault } from '../policies/policy-fault.ts'

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

// Checks what the treasury file names against the partition of AWS that it is deployed to. Pure.

import { partitionOf } from '../../../core/contract/partition.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { pathText } from '../../../core/policies/policy-fault.ts'
import { findForeign } from '../../../core/treasury/partition.ts'
import { type Check, fail, ok } from '../check.ts'
import type { Place } from './place.ts'

const CHECK = 'partition'

export function partitionCheck(treasury: Treasury, { region }: Pick<Place, 'region'>): Check {
  const { id, name } = partitionOf(region)
  const foreign = findForeign(treasury, region).map(({ path, text }) => `${pathText(path)} is ${text}`)
  if (foreign.length === 0) return ok(CHECK, `${id}, ${name}`)
  const detail = `${region} is in ${id} (${name}); ${foreign.join('; ')}`
  return fail(CHECK, detail, `name resources of ${id}: nothing crosses from one partition to another`)
}

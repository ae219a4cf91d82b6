// Finds faults across the settings of `aws`: something of another account, and tags that IAM counts as the same. Pure.
import type { Treasury } from '../contract/treasury.ts'
import { fault, findRepeat, type PolicyFault } from '../policies/policy-fault.ts'

export function findAccountFaults({ aws }: Pick<Treasury, 'aws'>): PolicyFault[] {
  if (aws === undefined) return []
  return [...boundaryFaults(aws), ...tagFaults(aws)]
}

type Aws = NonNullable<Treasury['aws']>

function boundaryFaults({ account, permissionsBoundary = '' }: Aws): PolicyFault[] {
  const [scheme, , , , owner] = permissionsBoundary.split(':')
  // AWS's own policies belong to no account.
  if (scheme !== 'arn' || owner === account || owner === 'aws') return []
  const message = `expected a policy of the account ${account}, as aws.account has it; got one of ${owner}`
  return [fault(['aws', 'permissionsBoundary'], message)]
}

/** IAM does not tell capital letters in the keys of tags. Source: IAM User Guide, "Rules for tagging". */
function tagFaults({ tags = {} }: Aws): PolicyFault[] {
  const keys = Object.keys(tags)
  const repeated = keys[findRepeat(keys) ?? keys.length]
  if (repeated === undefined) return []
  return [fault(['aws', 'tags', repeated], 'expected a key that differs by more than capital letters; IAM takes one')]
}

// From the input of an execution to the policy that it asks for. Pure. Says what is wrong with it in one sentence:
// a run is refused as an outcome, so that whoever started it hears why.
import { isWithdrawing, type Policy } from '../../contract/policies.ts'
import { findPolicyFaults } from '../../contract/policy-rules.ts'
import { type RunRequest, runRequest } from '../../contract/runs.ts'
import type { Treasury } from '../../contract/treasury.ts'
import { Refused } from '../errors.ts'
import { hashParams } from '../journal/journal.ts'
import { parseWith } from '../parse.ts'

export interface Asked {
  readonly name: string
  readonly policy: Policy
  readonly policyHash: string
}

const NAME_DIGITS = 8
const MOST_TOLD = 5

export function readRequest(input: unknown): { readonly request: RunRequest } | { readonly wrong: string } {
  try {
    return { request: parseWith(runRequest, input, 'input') }
  } catch (error) {
    if (error instanceof Refused) return { wrong: error.message }
    throw error
  }
}

/** The policy as it is now: of treasury.json by its name, or the one that came with the request. */
export function findAsked({ policy: asked }: RunRequest, { policies }: Treasury): Asked | undefined {
  if (typeof asked !== 'string') {
    const policyHash = hashParams(asked)
    return { name: `inline-${policyHash.slice(0, NAME_DIGITS)}`, policy: asked, policyHash }
  }
  const policy = Object.hasOwn(policies, asked) ? policies[asked] : undefined
  return policy && { name: asked, policy, policyHash: hashParams(policy) }
}

/**
 * What is wrong with a policy that came with its request, also beside those of treasury.json; `undefined` where
 * nothing is. Those themselves were checked when they were deployed.
 */
export function faultOf(
  { policy: asked }: RunRequest,
  { name, policyHash }: Asked,
  treasury: Treasury,
): string | undefined {
  if (typeof asked === 'string') return undefined
  // The same policy under a name of its own is no other that it could stand against.
  const others = Object.entries(treasury.policies).filter(([, other]) => hashParams(other) !== policyHash)
  const policies = { ...Object.fromEntries(others), [name]: asked }
  const faults = findPolicyFaults({ guards: treasury.guards, policies })
  const own = faults.filter(
    ({ path: [part, of], message }) => (part === 'policies' && of === name) || message.includes(name),
  )
  const told = own
    .slice(0, MOST_TOLD)
    .map(({ path, message }) => `${['input.policy', ...path.slice(2)].join('.')}: ${message}`)
  return told.length === 0 ? undefined : told.join('; ')
}

/** How people start a run of this policy. */
export function machineText(policy: Policy): string {
  return isWithdrawing(policy) ? 'sluice run sweep' : 'sluice run rebalance'
}

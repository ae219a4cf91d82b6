// Reads the input of a run, finds the policy that it asks for, and says what is wrong with either. A fault is one
// sentence and is not thrown: the run then ends with an outcome, so that the person who started it sees the reason.
// Pure.
import { PROTOTYPE_KEY } from '../../contract/fields.ts'
import { INLINE, type Policy } from '../../contract/policies.ts'
import { type RunRequest, runRequest } from '../../contract/runs.ts'
import type { Treasury } from '../../contract/treasury.ts'
import { Refused } from '../../errors.ts'
import { hashParams } from '../../params-hash.ts'
import { findPrototypeKey, parseWith } from '../../parse.ts'
import { hashPolicy } from '../../planning/plan-hash.ts'
import { isWithdrawing, takesRows, withRows } from '../../policies/kinds.ts'
import { findPolicyFaults } from '../../treasury/policy-rules.ts'

export interface RequestedPolicy {
  readonly name: string
  readonly policy: Policy
  readonly policyHash: string
}

const NAME_DIGITS = 8
const MOST_REPORTED = 5

export function readRequest(input: unknown): { readonly request: RunRequest } | { readonly wrong: string } {
  const stray = findPrototypeKey(input, 'input')
  if (stray !== undefined) return { wrong: `${stray}: the key "${PROTOTYPE_KEY}" is no name` }
  try {
    return { request: parseWith(runRequest, input, 'input') }
  } catch (error) {
    if (error instanceof Refused) return { wrong: error.message }
    throw error
  }
}

/**
 * The policy as it is now: from treasury.json, or from the request. Where treasury.json has the policy of the request too, the
 * one of treasury.json runs: it waits for the same runs, stops at the same halts, and uses the same budgets.
 */
export function findRequestedPolicy(
  { policy: asked, rows }: RunRequest,
  { policies }: Pick<Treasury, 'policies'>,
): RequestedPolicy | undefined {
  const known = Object.entries(policies).find(([name, each]) =>
    typeof asked === 'string' ? name === asked : isSameWork(each, asked),
  )
  if (known !== undefined) return { name: known[0], policy: withRows(known[1], rows), policyHash: hashPolicy(known[1]) }
  if (typeof asked === 'string') return undefined
  const policyHash = hashPolicy(asked)
  return { name: `${INLINE}${policyHash.slice(0, NAME_DIGITS)}`, policy: asked, policyHash }
}

/** Whether two policies do the same. Their schedules are ignored. */
function isSameWork(left: Policy, right: Policy): boolean {
  const workOf = ({ schedule: _schedule, was: _was, ...work }: Policy) => hashParams(work)
  return workOf(left) === workOf(right)
}

/**
 * The faults of rows that do not fit the policy, and of a policy that came with its request, also in its conflicts with
 * treasury.json; `undefined` for no fault. The policies of treasury.json themselves were checked at their deployment.
 */
export function faultOf(
  { policy: asked, rows }: RunRequest,
  { name, policy }: RequestedPolicy,
  treasury: Treasury,
): string | undefined {
  if (takesRows(policy) && rows === undefined) return `input.rows: policy ${name} pays the rows of a file; got none`
  if (rows !== undefined && !takesRows(policy)) return `input.rows: policy ${name} takes no rows; leave them out`
  if (typeof asked === 'string') return undefined
  // The ids of its payments come from the policy's name, and a policy of a request has another name after any change.
  if (takesRows(policy)) return 'input.policy: expected the name of a policy of treasury.json; got a whole policy'
  // The steps that send find such rules in the file alone.
  if (name.startsWith(INLINE) && asked.guards.approval !== undefined)
    return 'input.policy.guards.approval: expected none in a policy that comes with its request; use input.policy.approval, or a policy of treasury.json'
  const policies = { ...treasury.policies, [name]: asked }
  const faults = findPolicyFaults({ guards: treasury.guards, policies })
  const own = faults.filter(
    ({ path: [part, policyName], message }) => (part === 'policies' && policyName === name) || message.includes(name),
  )
  const reports = own
    .slice(0, MOST_REPORTED)
    .map(({ path, message }) => `${['input.policy', ...path.slice(2)].join('.')}: ${message}`)
  return reports.length === 0 ? undefined : reports.join('; ')
}

/** The command with which people start a run of this policy. */
export function runCommandOf(policy: Policy): string {
  return isWithdrawing(policy) ? 'sluice run sweep' : 'sluice run rebalance'
}

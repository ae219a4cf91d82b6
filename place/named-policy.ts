// Finds the policy or the run that a command names, the state machine that runs it, and the key roles that it sends
// with. A name is known from treasury.json, or from the journal, which also knows renamed policies.

import { intentId, policyName } from '../core/contract/fields.ts'
import type { Policy } from '../core/contract/policies.ts'
import type { RunRequest } from '../core/contract/runs.ts'
import { KeyRole } from '../core/contract/service-settings.ts'
import { StateMachine } from '../core/contract/states.ts'
import type { Treasury } from '../core/contract/treasury.ts'
import { isConverting, isWithdrawing } from '../core/policies/kinds.ts'
import type { RunRecord } from '../core/runs/record/run-record.ts'
import { nearestName } from '../core/treasury/nearest-name.ts'
import type { ConfiguredJournal, NamedJournal, RunAccess } from './journal/journal-parts.ts'
import { type Advice, advice, type Option, option } from './next-step.ts'
import { failedWith, usageError } from './operation-error.ts'

/**
 * `source`: the input that gave the name, for the error.
 * @throws OperationError (exit 2) with the nearest name, where treasury.json has no such policy
 */
export function findPolicy(name: string, { policies }: Treasury, source: Advice | Option): Policy {
  const policy = Object.hasOwn(policies, name) ? policies[name] : undefined
  if (policy !== undefined) return policy
  const names = Object.keys(policies)
  const nearest = nearestName(name, names)
  const known = names.length === 0 ? 'treasury.json has no policies' : `treasury.json has ${names.join(', ')}`
  const message = advice`${source}: expected the name of a policy; ${nearest === undefined ? known : `did you mean "${nearest}"?`}`
  throw usageError('input', message, { do: 'list-policies' })
}

export type PolicyVerb = 'rebalance' | 'sweep'

export function verbOf(policy: Policy): PolicyVerb {
  return isWithdrawing(policy) ? 'sweep' : 'rebalance'
}

export const machineOf: Readonly<Record<PolicyVerb, StateMachine>> = {
  rebalance: StateMachine.Rebalance,
  sweep: StateMachine.Sweep,
}

/**
 * The policy of a request to run.
 * @throws OperationError (exit 2) for an unknown name, or a policy of the other state machine
 */
export function policyOf(request: RunRequest, verb: PolicyVerb, treasury: Treasury): Policy {
  const { policy: asked } = request
  const policy = typeof asked === 'string' ? findPolicy(asked, treasury, 'input: policy') : asked
  const right = verbOf(policy)
  if (right === verb) return policy
  const message = `input: policy: expected a policy for run ${verb}; got one of kind ${policy.kind}`
  throw usageError('input', message, { do: 'run', verb: right, why: 'with the same input and id' })
}

/** The roles whose keys the policies send with. Without policies any role may be needed. */
export function sendingRoles({ policies }: Pick<Treasury, 'policies'>): KeyRole[] {
  const named = Object.values(policies).flatMap(keyRolesOf)
  return named.length === 0 ? [KeyRole.Trade, KeyRole.Transfer] : [...new Set(named)]
}

/** The roles whose keys a run of the policy sends with. */
export function keyRolesOf(policy: Policy): KeyRole[] {
  return [...(isConverting(policy) ? [KeyRole.Trade] : []), ...(isWithdrawing(policy) ? [KeyRole.Transfer] : [])]
}

const FLAG = option('policy')

/** @throws OperationError (exit 2) for a text that cannot be a policy's name */
export function assertPolicyName(name: string): void {
  if (policyName.safeParse(name).success) return
  const expected = 'expected at most 48 lower-case letters, digits and dashes'
  throw usageError('usage', advice`${FLAG}: ${expected}; got something else`, { do: 'list-policies' })
}

/**
 * @throws OperationError (exit 2) with the nearest name of treasury.json, where neither it nor the journal has the
 * policy
 */
export async function assertKnownPolicy(
  name: string,
  { treasury, runJournal }: ConfiguredJournal & RunAccess,
  nowMs: number,
): Promise<void> {
  if (Object.hasOwn(treasury.policies, name)) return
  if ((await runJournal.policy(name)).version > 0) return
  // A policy that only planned, or that came with its run, is known by its runs only.
  if ((await runJournal.listOf(name, 1, nowMs)).length > 0) return
  findPolicy(name, treasury, FLAG)
}

/**
 * @throws OperationError: exit 2 for a text that cannot be an id, exit 1 where the journal has no such run
 */
export async function findRun(
  runId: string,
  { runJournal, name, treasury }: NamedJournal & ConfiguredJournal & RunAccess,
): Promise<RunRecord> {
  if (!intentId.safeParse(runId).success) {
    const expected = 'expected at most 76 letters, digits and dashes'
    throw usageError('usage', `run: ${expected}; got something else`, { do: 'list-runs' })
  }
  const run = await runJournal.runs.find(runId)
  if (run !== undefined) return run
  // People often give a policy's name in place of its run's id.
  const policy = nearestName(runId, Object.keys(treasury.policies))
  const hint = policy === undefined ? '' : `; did you mean a run of policy ${policy}?`
  throw failedWith('refused', `the journal in ${name} has no run ${runId}${hint}`, { do: 'list-runs', policy })
}

// Says which execution a run of a policy is: its state machine and its input. What started it is told to
// people; the policy goes by its name, so that the run reads treasury.json as it is then.
import { isWithdrawing, type Policy } from '../../contract/policies.ts'
import type { RunRequest } from '../../contract/runs.ts'
import { StateMachine } from '../../contract/states.ts'
import type { Start } from './starter.ts'

/** The policies of treasury.json, by name. */
export type Policies = Readonly<Record<string, Policy>>

export function findPolicy(policies: Policies, name: string): Policy | undefined {
  return Object.hasOwn(policies, name) ? policies[name] : undefined
}

export function machineOf(policy: Policy): StateMachine {
  return isWithdrawing(policy) ? StateMachine.Sweep : StateMachine.Rebalance
}

export function policyStart(
  name: string,
  policy: string,
  machine: StateMachine,
  trigger: NonNullable<RunRequest['trigger']>,
): Start {
  const input: RunRequest = { policy, trigger }
  return { stateMachine: machine, name, input }
}

// Builds the start of a policy's run: its state machine and its input. The input records what started the run, for
// people. It only names the policy, so the run reads treasury.json as deployed at that time.

import type { Policy } from '../contract/policies.ts'
import type { RunRequest } from '../contract/runs.ts'
import type { StateMachine } from '../contract/states.ts'
import { Refused } from '../errors.ts'
import { nearestHint } from '../treasury/nearest-name.ts'
import type { Start } from './starter.ts'

export type Policies = Readonly<Record<string, Policy>>

/** The start of a policy's run, not of a movement. */
export interface RunStart extends Start {
  readonly input: RunRequest
}

/** `field`: the place of the name in the input. @throws Refused with the nearest name */
export function findPolicy(policies: Policies, name: string, field: string): Policy {
  const policy = Object.hasOwn(policies, name) ? policies[name] : undefined
  if (policy !== undefined) return policy
  const hint = nearestHint(name, Object.keys(policies))
  throw new Refused(`${field}: treasury.json as it is deployed has no policy ${name}${hint}`)
}

export function policyStart(
  name: string,
  policy: string,
  stateMachine: StateMachine,
  trigger: NonNullable<RunRequest['trigger']>,
): RunStart {
  const input: RunRequest = { policy, trigger }
  return { stateMachine, name, input }
}

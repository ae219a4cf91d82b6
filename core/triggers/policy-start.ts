// Says which execution a run of a policy is: its state machine and its input. The input names what started the run, for
// people to read. It names the policy, so that the run reads treasury.json as it is then.

import type { Policy } from '../contract/policies.ts'
import type { RunRequest } from '../contract/runs.ts'
import type { StateMachine } from '../contract/states.ts'
import { Refused } from '../errors.ts'
import { nearestHint } from '../treasury/nearest-name.ts'
import type { Start } from './starter.ts'

/** The policies of treasury.json, by name. */
export type Policies = Readonly<Record<string, Policy>>

/** Of a run of a policy, and not of a movement. */
export interface RunStart extends Start {
  readonly input: RunRequest
}

/** `field`: where it is named. @throws Refused with the nearest name */
export function findPolicy(policies: Policies, name: string, field: string): Policy {
  const policy = Object.hasOwn(policies, name) ? policies[name] : undefined
  if (policy !== undefined) return policy
  const hint = nearestHint(name, Object.keys(policies))
  throw new Refused(`${field}: treasury.json as it is deployed has no policy ${name}${hint}`)
}

export function policyStart(
  name: string,
  policy: string,
  machine: StateMachine,
  trigger: NonNullable<RunRequest['trigger']>,
): RunStart {
  const input: RunRequest = { policy, trigger }
  return { stateMachine: machine, name, input }
}

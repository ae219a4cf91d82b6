// Lists the policies of treasury.json that a state machine runs. Pure.
import type { StateMachine } from '../contract/states.ts'
import type { Treasury } from '../contract/treasury.ts'
import { machineOf } from '../policies/kinds.ts'

/** Names of the policies, in the order of the file. */
export function policiesOf({ policies }: Pick<Treasury, 'policies'>, machine: StateMachine): readonly string[] {
  return Object.entries(policies).flatMap(([name, policy]) => (machineOf(policy) === machine ? [name] : []))
}

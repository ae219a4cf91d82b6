// Maps the kind of a policy to the state machine that runs it.
import { InvalidRequest } from './errors.ts'

/** The policies of treasury.json by name, of which only the kind is read. Give `policies` of the file itself. */
export type Policies = Readonly<Record<string, { readonly kind: string }>>

const CONVERTING = 'sluice-rebalance'
const WITHDRAWING = 'sluice-sweep'

/** State machine of each kind. A test compares it with the product. */
export const MACHINE_OF_KIND: Readonly<Record<string, string>> = {
  rebalance: CONVERTING,
  fund: CONVERTING,
  'convert-on-arrival': CONVERTING,
  sweep: WITHDRAWING,
  'convert-and-withdraw': WITHDRAWING,
  payouts: WITHDRAWING,
}

/** @throws InvalidRequest */
export function machineOfPolicy(name: string, policies: Policies): string {
  const policy = Object.hasOwn(policies, name) ? policies[name] : undefined
  if (policy === undefined) {
    const known = Object.keys(policies).join(', ') || 'none'
    throw new InvalidRequest('policy', `a policy of the client's option "policies", which names ${known}`)
  }
  const machine = Object.hasOwn(MACHINE_OF_KIND, policy.kind) ? MACHINE_OF_KIND[policy.kind] : undefined
  if (machine !== undefined) return machine
  throw new InvalidRequest(`policies.${name}.kind`, `one of ${Object.keys(MACHINE_OF_KIND).join(', ')}`)
}

// Maps the kind of a policy to the state machine that runs it.
import { InvalidRequest } from './errors.ts'
import { checkedRows, type PayoutRow } from './requests.ts'

/** The policies of treasury.json by name, of which only the kind is read. Give `policies` of the file itself. */
export type Policies = Readonly<Record<string, { readonly kind: string }>>

/** The kind whose runs pay rows. */
const PAYING = 'payouts'

const CONVERTING = 'sluice-rebalance'
const WITHDRAWING = 'sluice-sweep'

/** State machine of each kind. A test compares it with the product. */
export const MACHINE_OF_KIND: Readonly<Record<string, string>> = {
  rebalance: CONVERTING,
  fund: CONVERTING,
  'convert-on-arrival': CONVERTING,
  sweep: WITHDRAWING,
  'convert-and-withdraw': WITHDRAWING,
  [PAYING]: WITHDRAWING,
}

/** Options of a run by the kind of its policy: a run of payouts pays rows, and no other run does. */
export type RowsOf<Kind extends string> = string extends Kind
  ? { readonly rows?: readonly PayoutRow[] | undefined }
  : Kind extends typeof PAYING
    ? { readonly rows: readonly PayoutRow[] }
    : { readonly rows?: undefined }

/** The rows for the input of a run. @throws InvalidRequest where the policy pays rows and has none, or the other way round */
export function rowsFor(name: string, policies: Policies, rows: readonly PayoutRow[] | undefined): object {
  if (policies[name]?.kind === PAYING) {
    if (rows === undefined) throw new InvalidRequest('rows', 'the rows that this run of payouts pays')
    return { rows: checkedRows(rows) }
  }
  if (rows === undefined) return {}
  throw new InvalidRequest('rows', `no rows, because ${name} is not of the kind ${PAYING}`)
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

// What runs of policies left on their way: whose it is by treasury.json as it stands, and what nobody carries on, which
// a person has to know of. Reads only.
import type { Policy } from '../../core/contract/policies.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { parseDecimal } from '../../core/money/decimal.ts'
import type { PolicyRecord } from '../../core/runs/record/policy-record.ts'
import { type AbandonedBalance, abandonedByItself, abandonedOf } from '../../core/runs/settle/abandoned-balances.ts'
import { carriesOn, ownerOf } from '../../core/treasury/policy-hubs.ts'

/** What the next run of `by` goes on with. */
export interface CarriedOn {
  readonly policy: string
  readonly asset: string
  readonly contactId?: string | undefined
  readonly amount: string
  readonly by: string
}

export interface LeftBehind {
  readonly stranded: readonly AbandonedBalance[]
  readonly carriedOn: readonly CarriedOn[]
}

export function leftBehind(records: readonly PolicyRecord[], { policies, guards }: Treasury): LeftBehind {
  const inOrder = [...records].sort((one, other) => (one.policy < other.policy ? -1 : 1))
  const all = inOrder.map((record): LeftBehind => {
    const heir = Object.entries(policies).find(([name, { was }]) => name === record.policy || was === record.policy)
    if (heir === undefined) return { stranded: abandonedOf(record), carriedOn: [] }
    const [by, policy] = heir
    return ofHeir(record, by, policy, policy.valuationAsset ?? guards.valuationAsset)
  })
  return { stranded: all.flatMap(({ stranded }) => stranded), carriedOn: all.flatMap(({ carriedOn }) => carriedOn) }
}

function ofHeir({ policy: name, residues = {} }: PolicyRecord, by: string, policy: Policy, asset: string): LeftBehind {
  const rows = Object.entries(residues)
  const amounts = new Map(rows.map(([key, amount]) => [key, parseDecimal(amount, 'residues')] as const))
  const owned = rows.filter(([key]) => carriesOn(policy, asset, key))
  return {
    stranded: abandonedByItself(name, policy, asset, amounts),
    carriedOn: owned.map(([key, amount]) => ({ policy: name, ...ownerOf(key), amount, by })),
  }
}

// Finds abandoned stranded balances, which no policy of treasury.json uses any more. They stay abandoned until a person writes
// them off, or a policy names them as its own. Until then every plan reports them, under the code `stranded`. Reads only.

import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { type NonLeg, NonLegCode } from '../../contract/plan.ts'
import { INLINE, type Policy } from '../../contract/policies.ts'
import { listing, ownerOf } from '../../contract/records.ts'
import { findPresentName } from '../../journal/policy-names.ts'
import { type Decimal, formatDecimal } from '../../money/decimal.ts'
import { carriesOn } from '../../policies/kinds.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyRecord } from '../record/policy-record.ts'

/** Maximum policies with stranded balances: up to 100 of the file, and former ones. */
const MOST_LISTED = 1_000

export interface AbandonedBalance {
  readonly policy: string
  readonly asset: string
  readonly contactId?: string | undefined
  /** Settled units, decimal string. */
  readonly amount: string
  /** One sentence: the balance, and why no policy uses it. */
  readonly why: string
}

/** Lists the balances of an existing policy that the policy no longer uses. */
export function abandonedByItself(
  name: string,
  policy: Policy,
  valuationAsset: string,
  balances: ReadonlyMap<string, Decimal>,
): AbandonedBalance[] {
  return [...balances]
    .filter(([key]) => !carriesOn(policy, valuationAsset, key))
    .map(([key, amount]) => abandonedAs(name, key, formatDecimal(amount), undefined))
}

/**
 * Lists the balances of all policies that are gone from treasury.json, except `own`. The next run of a renamed policy takes its
 * balances over.
 */
export async function findAbandoned(own: string, ports: RunPorts): Promise<AbandonedBalance[]> {
  const listed = await ports.index.list(listing.residues, MOST_LISTED)
  return (
    await readGone(
      listed.filter((name) => name !== own),
      ports,
    )
  ).flatMap(abandonedOf)
}

/** The records of the policies among these that are gone from treasury.json, under whatever name. @throws Transient, Defect */
export async function readGone(
  names: readonly string[],
  { treasury, namesOf, policies }: RunPorts,
): Promise<readonly PolicyRecord[]> {
  const found = await mapBounded(names, READS_AT_ONCE, async (name) => {
    const present = await findPresentName(name, treasury.policies, namesOf)
    return present === undefined ? [await policies.find(name)] : []
  })
  return found.flat()
}

export function abandonedOf({ policy, residues = {} }: PolicyRecord): AbandonedBalance[] {
  const reason = policy.startsWith(INLINE)
    ? 'it came with its request, and only a run with the same one carries it on'
    : `treasury.json has no policy ${policy} any more; the one that took its place says so by "was": "${policy}"`
  return Object.entries(residues).map(([key, amount]) => abandonedAs(policy, key, amount, reason))
}

export function asNonLeg({ asset, why }: AbandonedBalance): NonLeg {
  return { asset, code: NonLegCode.Stranded, reason: why }
}

function abandonedAs(policy: string, key: string, amount: string, because: string | undefined): AbandonedBalance {
  const { asset, contactId } = ownerOf(key)
  const left = contactId === undefined ? 'left on its way' : `were to send to ${contactId}`
  const subject = `no run carries on ${amount} ${asset} that earlier runs of ${policy} ${left}`
  return {
    policy,
    asset,
    ...(contactId !== undefined && { contactId }),
    amount,
    why: because === undefined ? subject : `${subject}: ${because}`,
  }
}

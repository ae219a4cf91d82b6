// Stranded balances that no policy of treasury.json carries on any more: abandoned, until a person takes them or a policy
// says that it carries them on. Every plan reports them till then, under the code `stranded`. Reads only.

import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { type NonLeg, NonLegCode } from '../../contract/plan.ts'
import type { Policy } from '../../contract/policies.ts'
import { listing } from '../../contract/records.ts'
import type { Treasury } from '../../contract/treasury.ts'
import { type Decimal, formatDecimal } from '../../money/decimal.ts'
import { carriesOn, ownerOf } from '../../treasury/policy-hubs.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyRecord } from '../record/policy-record.ts'
import { INLINE } from '../record/request.ts'

/** Policies with stranded balances: of a file's hundred, and of those that were in it before. */
const MOST_LISTED = 1_000

export interface AbandonedBalance {
  readonly policy: string
  readonly asset: string
  readonly contactId?: string | undefined
  /** Settled units, decimal string. */
  readonly amount: string
  /** One sentence: what it is, and why nobody carries it on. */
  readonly why: string
}

/** Of a policy that is there: what it carries on no more. */
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

/** Of all policies that are gone from treasury.json, but for `own`. Where one was renamed, the next run under its new name takes it up. */
export async function findAbandoned(
  own: string,
  { treasury, index, policies }: Pick<RunPorts, 'treasury' | 'index' | 'policies'>,
): Promise<AbandonedBalance[]> {
  const names = (await index.list(listing.residues, MOST_LISTED)).filter(
    (name) => name !== own && isGone(name, treasury),
  )
  const records = await mapBounded(names, READS_AT_ONCE, (name) => policies.find(name))
  return records.flatMap(abandonedOf)
}

export function abandonedOf({ policy, residues = {} }: PolicyRecord): AbandonedBalance[] {
  const gone = policy.startsWith(INLINE)
    ? 'it came with its request, and only a run with the same one carries it on'
    : `treasury.json has no policy ${policy} any more; the one that took its place says so by "was": "${policy}"`
  return Object.entries(residues).map(([key, amount]) => abandonedAs(policy, key, amount, gone))
}

export function isGone(name: string, { policies }: Pick<Treasury, 'policies'>): boolean {
  return !Object.hasOwn(policies, name) && !Object.values(policies).some(({ was }) => was === name)
}

export function asNonLeg({ asset, why }: AbandonedBalance): NonLeg {
  return { asset, code: NonLegCode.Stranded, reason: why }
}

function abandonedAs(policy: string, key: string, amount: string, because: string | undefined): AbandonedBalance {
  const { asset, contactId } = ownerOf(key)
  const left = contactId === undefined ? 'left on its way' : `were to send to ${contactId}`
  const what = `no run carries on ${amount} ${asset} that earlier runs of ${policy} ${left}`
  return {
    policy,
    asset,
    ...(contactId !== undefined && { contactId }),
    amount,
    why: because === undefined ? what : `${what}: ${because}`,
  }
}

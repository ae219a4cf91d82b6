// Says which hubs of a policy are assets of its own, and which only pass on what is converted through them. It also
// says whose a stranded balance is. Codes are settled ones, and are compared as they are. Pure.
import type { Policy } from '../contract/policies.ts'
import { isWithdrawing, kindOf, withdrawalsOf } from '../policies/kinds.ts'

/** Assets that the policy counts whole, each once. Empty for one that withdraws. */
export function ownAssetsOf(policy: Policy, valuationAsset: string): readonly string[] {
  return kindOf(policy).ownAssets(policy, valuationAsset)
}

/** Assets that the policy sees and does not touch. */
export function leftAloneBy(policy: Policy): readonly string[] {
  return kindOf(policy).leavesAlone?.(policy) ?? []
}

/** Hubs of a policy that are none of its assets: what comes there is to go on. Best first. */
export function passingHubsOf(policy: Policy, valuationAsset: string): readonly string[] {
  // A policy that withdraws converts by one market.
  if (isWithdrawing(policy)) return []
  const own = ownAssetsOf(policy, valuationAsset)
  const leftAlone = leftAloneBy(policy)
  return [...new Set(policy.hubs ?? [valuationAsset])].filter((hub) => !own.includes(hub) && !leftAlone.includes(hub))
}

/** Whose a stranded balance is: a hub's alone, or what conversions brought to go to one contact. */
export interface BalanceOwner {
  /** Settled code. */
  readonly asset: string
  /** Of a policy that withdraws: to whom it was to go. */
  readonly contactId?: string | undefined
}

/** No asset's code holds a space. A contact's id may hold anything. */
const BETWEEN = ' '

/** The key under which a policy remembers how much of it there is. */
export function balanceKey({ asset, contactId }: BalanceOwner): string {
  return contactId === undefined ? asset : `${asset}${BETWEEN}${contactId}`
}

export function ownerOf(key: string): BalanceOwner {
  const at = key.indexOf(BETWEEN)
  return at < 0 ? { asset: key } : { asset: key.slice(0, at), contactId: key.slice(at + BETWEEN.length) }
}

/** All that runs of the policy may leave stranded and its next run carries on. */
export function balanceOwnersOf(policy: Policy, valuationAsset: string): readonly BalanceOwner[] {
  if (!isWithdrawing(policy)) return passingHubsOf(policy, valuationAsset).map((asset) => ({ asset }))
  const owners = withdrawalsOf(policy).flatMap(({ convertInto: asset, contactId }) =>
    asset === undefined ? [] : [{ asset, contactId }],
  )
  return [...new Map(owners.map((owner) => [balanceKey(owner), owner])).values()]
}

export function carriesOn(policy: Policy, valuationAsset: string, key: string): boolean {
  return balanceOwnersOf(policy, valuationAsset).some((owner) => balanceKey(owner) === key)
}

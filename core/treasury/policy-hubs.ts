// Says which hubs of a policy are its own assets, and which only pass converted money on. Also says to which purpose a
// stranded balance belongs. Codes are settled codes, and are compared exactly. Pure.
import type { Policy } from '../contract/policies.ts'
import { isWithdrawing, kindOf, withdrawalsOf } from '../policies/kinds.ts'

/** Assets that the policy counts as its own, without duplicates. Empty for a policy that withdraws. */
export function ownAssetsOf(policy: Policy, valuationAsset: string): readonly string[] {
  return kindOf(policy).ownAssets(policy, valuationAsset)
}

/** Assets that the policy sees but does not touch. */
export function leftAloneBy(policy: Policy): readonly string[] {
  return kindOf(policy).leavesAlone?.(policy) ?? []
}

/** Returns the hubs of a policy that are not its own assets, best first. Money may not stay there. */
export function passingHubsOf(policy: Policy, valuationAsset: string): readonly string[] {
  // A policy that withdraws converts in one market only.
  if (isWithdrawing(policy)) return []
  const own = ownAssetsOf(policy, valuationAsset)
  const leftAlone = leftAloneBy(policy)
  return [...new Set(policy.hubs ?? [valuationAsset])].filter((hub) => !own.includes(hub) && !leftAlone.includes(hub))
}

/** The purpose of a stranded balance: in a hub, or converted for one contact. */
export interface BalanceOwner {
  /** Settled code. */
  readonly asset: string
  /** Only for a policy that withdraws: the contact that was to receive it. */
  readonly contactId?: string | undefined
}

/** Separator. An asset's code contains no space, while a contact's id may contain anything. */
const BETWEEN = ' '

/** The key under which a policy remembers the amount. */
export function balanceKey({ asset, contactId }: BalanceOwner): string {
  return contactId === undefined ? asset : `${asset}${BETWEEN}${contactId}`
}

export function ownerOf(key: string): BalanceOwner {
  const at = key.indexOf(BETWEEN)
  return at < 0 ? { asset: key } : { asset: key.slice(0, at), contactId: key.slice(at + BETWEEN.length) }
}

/** Every balance that runs of the policy may leave stranded, and that its next run uses. */
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

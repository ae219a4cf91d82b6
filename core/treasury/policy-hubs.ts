// Says which hubs of a policy are assets of its own, and which only pass on what is converted through them. It also
// says whose a stranded balance is. Codes are settled ones, and are compared as they are. Pure.
import { type ConvertingPolicy, isWithdrawing, type Policy, PolicyKind } from '../contract/policies.ts'

/** Assets that a policy that converts counts whole, each once. */
export function ownAssetsOf(policy: ConvertingPolicy, valuationAsset: string): readonly string[] {
  switch (policy.kind) {
    case PolicyKind.Rebalance: {
      const { weights = {}, amounts, hubs: [first] = [valuationAsset] } = policy
      if (amounts === undefined) return Object.keys(weights)
      // The first hub takes the rest.
      return [...new Set([...Object.keys(amounts), ...(first === undefined ? [] : [first])])]
    }
    case PolicyKind.Fund:
      return [...new Set([policy.asset, ...policy.from.map(({ asset }) => asset)])]
    case PolicyKind.ConvertOnArrival:
      return [...new Set([policy.asset, policy.into])]
  }
}

/** Hubs of a policy that are none of its assets: what comes there is to go on. Best first. */
export function passingHubsOf(policy: Policy, valuationAsset: string): readonly string[] {
  // Those convert by one market.
  if (isWithdrawing(policy)) return []
  const own = ownAssetsOf(policy, valuationAsset)
  const leftAlone = policy.kind === PolicyKind.Rebalance ? policy.leaveAlone : []
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
  const routes =
    policy.kind === PolicyKind.Sweep
      ? policy.rules.map(({ convertInto, contactId }) => ({ asset: convertInto, contactId }))
      : [{ asset: policy.into, contactId: policy.contactId }]
  const owners = routes.flatMap(({ asset, contactId }) => (asset === undefined ? [] : [{ asset, contactId }]))
  return [...new Map(owners.map((owner) => [balanceKey(owner), owner])).values()]
}

export function carriesOn(policy: Policy, valuationAsset: string, key: string): boolean {
  return balanceOwnersOf(policy, valuationAsset).some((owner) => balanceKey(owner) === key)
}

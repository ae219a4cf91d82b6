// Which hubs of a policy are assets of its own, and which only pass on what is converted through them. Codes are
// settled ones, compared as they are.
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

// Finds the assets that a policy names, by its text alone.
import { type Policy, PolicyKind } from '../../../../core/contract/policies.ts'

/** The assets that a policy holds or pays. */
export function ownAssets(policy: Policy): readonly string[] {
  switch (policy.kind) {
    case PolicyKind.Rebalance: {
      const { weights = {}, amounts, reserve, hubs = [] } = policy
      // With amounts, the first hub takes the rest.
      const rest = amounts === undefined ? [] : hubs.slice(0, 1)
      return [...Object.keys(weights), ...Object.keys(amounts ?? {}), ...Object.keys(reserve), ...rest]
    }
    case PolicyKind.Fund:
      return [policy.asset, ...policy.from.map(({ asset }) => asset)]
    case PolicyKind.ConvertOnArrival:
      return [policy.asset, policy.into]
    case PolicyKind.ConvertAndWithdraw:
      return [policy.from, policy.into]
    case PolicyKind.Sweep:
      return policy.rules.flatMap(({ assets = [], allBut = [] }) => [...assets, ...allBut])
    case PolicyKind.Payouts:
      return [...policy.assets, ...(policy.from ?? []).map(({ asset }) => asset)]
  }
}

/** Assets that only pass through: a hub, or the step between a conversion and a contact. */
export function passingAssets(policy: Policy): readonly string[] {
  switch (policy.kind) {
    case PolicyKind.ConvertAndWithdraw:
      return [policy.into]
    case PolicyKind.Sweep:
      return policy.rules.flatMap(({ convertInto }) => convertInto ?? [])
    default: {
      const own = ownAssets(policy)
      return (policy.hubs ?? []).filter((hub) => !own.includes(hub))
    }
  }
}

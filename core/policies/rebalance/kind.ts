// Defines the kind `rebalance`: assets are held at shares of their total value, or at fixed values.
import type { RebalancePolicy } from '../../contract/policies.ts'
import { targetsOf } from '../allowances.ts'
import type { Kind } from '../kind.ts'
import { keyed, listed, NO_REFERENCES } from '../references.ts'
import { rebalanceFaults } from './rules.ts'

export const rebalance: Kind<RebalancePolicy> = {
  withdraws: false,
  faults: rebalanceFaults,
  keeps: () => [],

  references(policy) {
    const { weights, reserve, leaveAlone } = policy
    const targets = keyed(weights === undefined ? 'amounts' : 'weights', targetsOf(policy))
    return {
      ...NO_REFERENCES,
      assets: [...targets, ...keyed('reserve', Object.keys(reserve)), ...listed('leaveAlone', leaveAlone)],
      portfolio: targets,
      valued: targets,
    }
  },

  givesUp: (policy, hubs) => [...targetsOf(policy), ...hubs],

  ownAssets({ weights = {}, amounts, hubs }, valuationAsset) {
    const [first] = hubs ?? [valuationAsset]
    if (amounts === undefined) return Object.keys(weights)
    // With `amounts`, the first hub takes the rest of the value.
    return [...new Set([...Object.keys(amounts), ...(first === undefined ? [] : [first])])]
  },

  smallestTrade: ({ smallestTrade }) => smallestTrade,
  leavesAlone: ({ leaveAlone }) => leaveAlone,
  portfolio: (policy) => policy,
}

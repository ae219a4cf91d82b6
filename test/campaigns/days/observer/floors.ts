// No movement of ours leaves a balance below the policy's floor. Others may take their own money.
import { type Policy, PolicyKind } from '../../../../core/contract/policies.ts'
import { nameOf, type Send } from './sends.ts'

/** Relative error of figures that are numbers here; absolute below one unit. */
const EPSILON = 1e-9

export function judgeFloors(sends: readonly Send[]): string[] {
  return sends.flatMap((send) => {
    const { asset, left, policies, movement } = send
    // The file may have changed since the plan, so the lower of both floors applies.
    const floor = Math.min(...policies.map((policy) => floorOf(policy, asset, movement.contactId)))
    if (policies.length === 0 || left >= floor - EPSILON * Math.max(1, Math.abs(floor))) return []
    return [`floor: ${nameOf(send)} left ${left} ${asset}, and ${floor} is to stay`]
  })
}

function floorOf(policy: Policy, asset: string, contactId: string | undefined): number {
  switch (policy.kind) {
    case PolicyKind.Rebalance:
      return Number(policy.reserve[asset] ?? 0)
    case PolicyKind.Fund:
      return Number(policy.from.find((source) => source.asset === asset)?.keep ?? 0)
    case PolicyKind.ConvertOnArrival:
      return asset === policy.asset ? Number(policy.keep.target) : 0
    case PolicyKind.ConvertAndWithdraw:
      return asset === policy.from && policy.amount === undefined ? Number(policy.keep.target) : 0
    case PolicyKind.Payouts:
      return Number(policy.reserve[asset] ?? policy.from?.find((source) => source.asset === asset)?.keep ?? 0)
    case PolicyKind.Sweep: {
      const rules = policy.rules.filter((rule) => contactId === undefined || rule.contactId === contactId)
      const own = rules.filter(({ assets, allBut }) => assets?.includes(asset) ?? !allBut?.includes(asset))
      return own.length === 0 ? 0 : Math.min(...own.map(({ keep }) => Number(keep.target)))
    }
  }
}

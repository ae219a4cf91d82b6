// What is left in a hub that is none of the policy's assets: what a first hop brought there and the second did not
// spend. That much of the hub is the policy's, and is moved on first; all else in it is others'. Pure.
import { type ConvertingPolicy, isWithdrawing, type Policy, PolicyKind } from '../../contract/policies.ts'
import { type Decimal, greatest, least, minus, ZERO } from '../money/decimal.ts'
import type { Desk } from './desk.ts'
import type { Snapshot } from './snapshot.ts'

/** Assets that a policy that converts counts whole. */
export function ownAssetsOf(policy: ConvertingPolicy, valuationAsset: string): ReadonlySet<string> {
  switch (policy.kind) {
    case PolicyKind.Rebalance: {
      const { weights = {}, amounts, hubs: [first] = [valuationAsset] } = policy
      if (amounts === undefined) return new Set(Object.keys(weights))
      return new Set([...Object.keys(amounts), ...(first === undefined ? [] : [first])])
    }
    case PolicyKind.Fund:
      return new Set([policy.asset, ...policy.from.map(({ asset }) => asset)])
    case PolicyKind.ConvertOnArrival:
      return new Set([policy.asset, policy.into])
  }
}

/** Hubs of a policy that are none of its assets: what comes there is to go on. Best first. */
export function passingHubsOf(policy: Policy, valuationAsset: string): readonly string[] {
  // Those convert by one market.
  if (isWithdrawing(policy)) return []
  const own = ownAssetsOf(policy, valuationAsset)
  const leftAlone = policy.kind === PolicyKind.Rebalance ? policy.leaveAlone : []
  return [...new Set(policy.hubs ?? [valuationAsset])].filter((hub) => !own.has(hub) && !leftAlone.includes(hub))
}

/**
 * The snapshot with no more of passing hubs than is the policy's: its residues, as far as they are still there
 * besides what `keepOf` says is to stay.
 */
export function ofPolicyOnly(
  snapshot: Snapshot,
  policy: Policy,
  keepOf: (asset: string) => Decimal = () => ZERO,
): Snapshot {
  const hubs = passingHubsOf(policy, snapshot.valuationAsset)
  if (!hubs.some((hub) => snapshot.positions.has(hub))) return snapshot
  const positions = new Map(snapshot.positions)
  for (const hub of hubs) {
    const position = positions.get(hub)
    if (position === undefined) continue
    const residue = snapshot.residues?.get(hub) ?? ZERO
    const own = (units: Decimal) => least(residue, greatest(ZERO, minus(units, keepOf(hub))))
    // One that is in doubt stays, so that it is seen to be.
    if (residue === 0n && position.inDoubt === undefined) positions.delete(hub)
    else positions.set(hub, { ...position, spendable: own(position.spendable), holding: own(position.holding) })
  }
  return { ...snapshot, positions }
}

/** Usable hubs with a residue that is worth a conversion. `desk` is of a snapshot `ofPolicyOnly`. */
export function residualHubs(desk: Desk, policy: Policy): readonly string[] {
  const { snapshot, valuation, smallestTrade } = desk
  const passing = new Set(passingHubsOf(policy, snapshot.valuationAsset))
  return desk.hubs.filter((hub) => {
    const holding = snapshot.positions.get(hub)?.holding ?? ZERO
    const value = passing.has(hub) ? valuation.valueDown(hub, holding) : null
    return value !== null && value > 0n && value >= smallestTrade
  })
}

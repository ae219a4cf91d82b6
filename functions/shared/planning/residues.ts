// What is left in a hub that is none of the policy's assets: what a first hop brought there and the second did not
// spend. That much of the hub is the policy's, and is moved on first; all else in it is others'. Pure.
import { type Policy, PolicyKind } from '../../contract/policies.ts'
import { type Decimal, greatest, least, minus, plus, ZERO } from '../money/decimal.ts'
import type { Desk } from './desk.ts'
import type { Snapshot } from './snapshot.ts'

/** Hubs of a policy that are none of its assets: what comes there is to go on. Best first. */
export function passingHubsOf(policy: Policy, valuationAsset: string): readonly string[] {
  const hubs = [...new Set(policy.hubs ?? [valuationAsset])]
  switch (policy.kind) {
    case PolicyKind.Rebalance: {
      const { weights = {}, amounts } = policy
      const targets = amounts ?? weights
      // With amounts the first hub takes the rest, so it is one of them.
      return hubs
        .slice(amounts === undefined ? 0 : 1)
        .filter((hub) => !Object.hasOwn(targets, hub) && !policy.leaveAlone.includes(hub))
    }
    case PolicyKind.Fund:
      return hubs.filter((hub) => hub !== policy.asset && !policy.from.some(({ asset }) => asset === hub))
    case PolicyKind.ConvertOnArrival:
      return hubs.filter((hub) => hub !== policy.asset && hub !== policy.into)
    // These convert by one market.
    case PolicyKind.Sweep:
    case PolicyKind.ConvertAndWithdraw:
      return []
  }
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

/** What is left once so much has come and so much has gone on. */
export function residueAfter(before: Decimal, came: Decimal, went: Decimal): Decimal {
  return greatest(ZERO, minus(plus(before, came), went))
}

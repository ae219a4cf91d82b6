// Stranded balances: what earlier runs left in a hub that is none of the policy's assets. A first hop brought it there and
// the second did not spend it. That much of the hub is the policy's, and is moved on first. All else in it is others'.
import { type Decimal, greatest, least, minus, ZERO } from '../money/decimal.ts'
import type { Snapshot } from './market/snapshot.ts'
import type { PlanningContext } from './planning-context.ts'

/**
 * The snapshot with no more of `passing`, the policy's passing hubs, than is the policy's: its stranded balances, as far
 * as they are still there besides what `keepOf` says is to stay.
 */
export function ofPolicyOnly(
  snapshot: Snapshot,
  passing: readonly string[],
  keepOf: (asset: string) => Decimal = () => ZERO,
): Snapshot {
  if (!passing.some((hub) => snapshot.positions.has(hub))) return snapshot
  const positions = new Map(snapshot.positions)
  for (const hub of passing) {
    const position = positions.get(hub)
    if (position === undefined) continue
    const stranded = snapshot.stranded?.get(hub) ?? ZERO
    const own = (units: Decimal) => least(stranded, greatest(ZERO, minus(units, keepOf(hub))))
    // One that is in doubt stays, so that it is seen to be.
    if (stranded === 0n && position.inDoubt === undefined) positions.delete(hub)
    else positions.set(hub, { ...position, spendable: own(position.spendable), holding: own(position.holding) })
  }
  return { ...snapshot, positions }
}

/**
 * Hubs with a stranded balance that is worth a conversion. One that is in doubt counts too, or it would pass for a loss.
 * `context` is of a snapshot `ofPolicyOnly`.
 */
export function findStrandedHubs(context: PlanningContext, passing: readonly string[]): readonly string[] {
  const { snapshot, valuation, smallestTrade } = context
  return context.allHubs.filter((hub) => {
    const holding = snapshot.positions.get(hub)?.holding ?? ZERO
    const value = passing.includes(hub) ? valuation.valueDown(hub, holding) : null
    return value !== null && value > 0n && value >= smallestTrade
  })
}

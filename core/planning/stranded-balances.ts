// Plans with stranded balances: what earlier runs left in a hub that is not among the policy's own assets. A first hop brought
// this amount there, and the second hop did not spend it. This part of the hub belongs to the policy, and is moved on first.
// The rest does not belong to the policy. Pure.
import { type Decimal, greatest, least, minus, ZERO } from '../money/decimal.ts'
import type { Snapshot } from './market/snapshot.ts'
import type { PlanningContext } from './planning-context.ts'

/**
 * The snapshot with only the policy's own part of `passing`, its passing hubs: the stranded balances, as far as they are still
 * there above what `keepOf` keeps.
 */
export function ownBalancesOnly(
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
    // A hub in doubt stays in the snapshot, so that planners see the doubt.
    if (stranded === 0n && position.inDoubt === undefined) positions.delete(hub)
    else positions.set(hub, { ...position, spendable: own(position.spendable), holding: own(position.holding) })
  }
  return { ...snapshot, positions }
}

/**
 * Hubs with a stranded balance that is worth a conversion. A balance in doubt counts too, or it would look like a loss.
 * `context`: of a snapshot made by `ownBalancesOnly`.
 */
export function findStrandedHubs(context: PlanningContext, passing: readonly string[]): readonly string[] {
  const { snapshot, valuation, smallestTrade } = context
  return context.allHubs.filter((hub) => {
    const holding = snapshot.positions.get(hub)?.holding ?? ZERO
    const value = passing.includes(hub) ? valuation.valueDown(hub, holding) : null
    return value !== null && value > 0n && value >= smallestTrade
  })
}

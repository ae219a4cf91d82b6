// Computes the floors of a sweep: the surplus of an asset above the amount that stays, and the floor that each leg carries
// until it is sent. Pure; settled units.
import { NonLegCode, type PlanLeg } from '../../contract/plan.ts'
import { IntentKind } from '../../contract/records.ts'
import { type SettledAmount, settledUnits } from '../../money/amount.ts'
import { type Decimal, formatDecimal, greatest, least, minus, ZERO } from '../../money/decimal.ts'
import type { Snapshot } from '../market/snapshot.ts'
import { covers, keyOf, type LegPurpose, type SettledCode, type SweepTask } from './task.ts'
import type { Obstacle } from './withdrawal-terms.ts'

/** Units that are neither frozen nor about to leave. `planned`: units that this plan spends already. */
export function availableOf(snapshot: Snapshot, asset: string, planned: Decimal = ZERO): Decimal {
  const position = snapshot.positions.get(asset)
  if (position === undefined) return ZERO
  return greatest(minus(least(position.spendable, position.holding), planned), ZERO)
}

/** The surplus that may go, or the reason why nothing goes. */
export function findSurplus(
  task: SweepTask,
  asset: string,
  snapshot: Snapshot,
  planned?: Decimal,
): SettledAmount | Obstacle {
  const { target, trigger } = task.keep
  const available = availableOf(snapshot, asset, planned)
  const inDoubt = snapshot.positions.get(asset)?.inDoubt
  if (inDoubt !== undefined) {
    return { code: NonLegCode.InDoubt, reason: `${asset} is left until it is known what became of ${inDoubt}` }
  }
  if (available === 0n) return { code: NonLegCode.NothingSpendable, reason: `there is no ${asset} that could be spent` }
  if (available <= trigger) {
    const reason = `${formatDecimal(available)} ${asset} is not more than ${formatDecimal(trigger)}, where this begins`
    return { code: NonLegCode.BelowTrigger, reason }
  }
  const surplus = minus(available, target)
  if (task.exactly === undefined) return settledUnits(asset, surplus)
  if (surplus >= task.exactly) return settledUnits(asset, task.exactly)
  const reason = `${formatDecimal(surplus)} ${asset} above what stays is less than the ${formatDecimal(task.exactly)} asked for`
  return { code: NonLegCode.NothingSpendable, reason }
}

/** Floor of an asset that conversions bring: the least that any task which sweeps the asset itself would leave. */
export function floorOfProceeds(tasks: readonly SweepTask[], asset: string, codeOf: SettledCode): Decimal {
  const floors = tasks.filter((task) => covers(task, asset, codeOf)).map(({ keep }) => keep.target)
  return leastOf(floors)
}

function leastOf(floors: readonly Decimal[]): Decimal {
  return floors.length === 0 ? ZERO : floors.reduce(least)
}

/** `legs`: all legs of the plan. */
interface FloorTerms {
  readonly tasks: readonly SweepTask[]
  readonly legs: readonly Pick<PlanLeg, 'key'>[]
  readonly codeOf: SettledCode
}

/**
 * The amount of an asset that must stay when a leg is sent, whatever has moved until then. Where several rules take from one
 * asset, it is the least that any of them leaves.
 */
export function floorOfLeg(leg: PlanLeg, { tasks, legs, codeOf }: FloorTerms): Decimal {
  const asset = leg.kind === IntentKind.Convert ? leg.gives.asset : leg.assetSymbol
  const owner = tasks.find((task) => isOf(task, leg.key, asset))
  // Proceeds of conversions have the floor of the tasks that sweep their asset itself.
  if (leg.kind === IntentKind.Withdraw && owner?.convertInto !== undefined) return floorOfProceeds(tasks, asset, codeOf)
  const takers = tasks.filter((task) => task === owner || legs.some(({ key }) => isOf(task, key, asset)))
  const floors = takers.map(({ keep }) => keep.target)
  return leastOf(floors)
}

/** Freezes the floor in the leg's request, so that the send is checked against it. */
export function withFloor<Leg extends PlanLeg>(leg: Leg, terms: FloorTerms): Leg {
  const floor = floorOfLeg(leg, terms)
  return floor === 0n ? leg : { ...leg, request: { ...leg.request, keep: formatDecimal(floor) } }
}

const PURPOSES: readonly LegPurpose[] = ['convert', 'canary', 'withdraw']

function isOf(task: SweepTask, key: string, asset: string): boolean {
  return PURPOSES.some((purpose) => key === keyOf(task, asset, purpose))
}

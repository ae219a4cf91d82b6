// Floors of a sweep: what is above what stays of an asset, and so may go, and what each leg is held to until it is sent.
// Pure; settled units.
import { NonLegCode, type PlanLeg } from '../../contract/plan.ts'
import { IntentKind } from '../../contract/records.ts'
import { type SettledAmount, settledUnits } from '../../money/amount.ts'
import { type Decimal, formatDecimal, greatest, least, minus, ZERO } from '../../money/decimal.ts'
import type { Snapshot } from '../market/snapshot.ts'
import { covers, keyOf, type LegPurpose, type SettledCode, type SweepTask } from './task.ts'
import type { Obstacle } from './withdrawal-terms.ts'

/** What may be given up: neither frozen nor about to leave. `planned`: given up already by this plan. */
export function availableOf(snapshot: Snapshot, asset: string, planned: Decimal = ZERO): Decimal {
  const position = snapshot.positions.get(asset)
  if (position === undefined) return ZERO
  return greatest(minus(least(position.spendable, position.holding), planned), ZERO)
}

/** What is above what stays, or why nothing is to go. */
export function findSurplus(
  task: SweepTask,
  asset: string,
  snapshot: Snapshot,
  planned?: Decimal,
): SettledAmount | Obstacle {
  const { target, trigger } = task.keep
  const there = availableOf(snapshot, asset, planned)
  const inDoubt = snapshot.positions.get(asset)?.inDoubt
  if (inDoubt !== undefined) {
    return { code: NonLegCode.InDoubt, reason: `${asset} is left until it is known what became of ${inDoubt}` }
  }
  if (there === 0n) return { code: NonLegCode.NothingSpendable, reason: `there is no ${asset} that could be given up` }
  if (there <= trigger) {
    const reason = `${formatDecimal(there)} ${asset} is not more than ${formatDecimal(trigger)}, where this begins`
    return { code: NonLegCode.BelowTrigger, reason }
  }
  const surplus = minus(there, target)
  if (task.exactly === undefined) return settledUnits(asset, surplus)
  if (surplus >= task.exactly) return settledUnits(asset, task.exactly)
  const reason = `${formatDecimal(surplus)} ${asset} above what stays is less than the ${formatDecimal(task.exactly)} asked for`
  return { code: NonLegCode.NothingSpendable, reason }
}

/** What stays of an asset that conversions bring: the least that any task which sweeps it as it is would leave. */
export function floorOfProceeds(tasks: readonly SweepTask[], asset: string, codeOf: SettledCode): Decimal {
  const floors = tasks.filter((task) => covers(task, asset, codeOf)).map(({ keep }) => keep.target)
  return leastOf(floors)
}

function leastOf(floors: readonly Decimal[]): Decimal {
  return floors.length === 0 ? ZERO : floors.reduce(least)
}

/** `legs`: all of the plan. */
export interface FloorTerms {
  readonly tasks: readonly SweepTask[]
  readonly legs: readonly Pick<PlanLeg, 'key'>[]
  readonly codeOf: SettledCode
}

/**
 * What is to stay of an asset when a leg is sent, whatever else has moved by then. Where several rules take of one asset,
 * it is the least that any of them leaves.
 */
export function floorOfLeg(leg: PlanLeg, { tasks, legs, codeOf }: FloorTerms): Decimal {
  const asset = leg.kind === IntentKind.Convert ? leg.gives.asset : leg.assetSymbol
  const owner = tasks.find((task) => isOf(task, leg.key, asset))
  // Proceeds of conversions: what the tasks that sweep their asset as it is would leave of it.
  if (leg.kind === IntentKind.Withdraw && owner?.convertInto !== undefined) return floorOfProceeds(tasks, asset, codeOf)
  const takers = tasks.filter((task) => task === owner || legs.some(({ key }) => isOf(task, key, asset)))
  const floors = takers.map(({ keep }) => keep.target)
  return leastOf(floors)
}

/** The floor is frozen in the leg's request, so that the send is held to it. */
export function withFloor<Leg extends PlanLeg>(leg: Leg, terms: FloorTerms): Leg {
  const floor = floorOfLeg(leg, terms)
  return floor === 0n ? leg : { ...leg, request: { ...leg.request, keep: formatDecimal(floor) } }
}

const PURPOSES: readonly LegPurpose[] = ['convert', 'canary', 'withdraw']

function isOf(task: SweepTask, key: string, asset: string): boolean {
  return PURPOSES.some((purpose) => key === keyOf(task, asset, purpose))
}

// What is to stay of an asset when a leg of a sweep is sent, whatever else has moved by then: frozen in the leg's
// request, so that the send is held to it. Where several rules take of one asset, the least that any of them leaves.
import type { PlanLeg } from '../../contract/plan.ts'
import { IntentKind } from '../../contract/records.ts'
import { type Decimal, formatDecimal, least, ZERO } from '../../money/decimal.ts'
import { floorOfProceeds, type SettledCode, type SweepTask } from './task.ts'
import { keyOf } from './withdrawals.ts'

/** `legs`: all of the plan. */
export interface FloorTerms {
  readonly tasks: readonly SweepTask[]
  readonly legs: readonly Pick<PlanLeg, 'key'>[]
  readonly codeOf: SettledCode
}

export function floorOfLeg(leg: PlanLeg, { tasks, legs, codeOf }: FloorTerms): Decimal {
  const asset = leg.kind === IntentKind.Convert ? leg.gives.asset : leg.assetSymbol
  const owner = tasks.find((task) => isOf(task, leg.key, asset))
  // Proceeds of conversions: what the tasks that sweep their asset as it is would leave of it.
  if (leg.kind === IntentKind.Withdraw && owner?.convertInto !== undefined) return floorOfProceeds(tasks, asset, codeOf)
  const takers = tasks.filter((task) => task === owner || legs.some(({ key }) => isOf(task, key, asset)))
  const floors = takers.map(({ keep }) => keep.target)
  return floors.length === 0 ? ZERO : floors.reduce(least)
}

export function withFloor<Leg extends PlanLeg>(leg: Leg, terms: FloorTerms): Leg {
  const floor = floorOfLeg(leg, terms)
  return floor === 0n ? leg : { ...leg, request: { ...leg.request, keep: formatDecimal(floor) } }
}

function isOf(task: SweepTask, key: string, asset: string): boolean {
  return (['convert', 'canary', 'withdraw'] as const).some((does) => key === keyOf(task, asset, does))
}

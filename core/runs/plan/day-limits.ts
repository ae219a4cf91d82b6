// What is reserved of a day's budgets and what has moved of it differ only by certified zeros. A plan that would be
// the same without any budget is the same with either, so only another is made again with what truly is left. It is
// the plan itself that is compared: planners do not tell of every bound that had a part in a figure.
import { hashParams } from '../../journal/journal.ts'
import type { PlanLimits, Snapshot } from '../../planning/market/snapshot.ts'
import type { Planned } from '../../planning/planner.ts'
import type { RunService } from '../ports.ts'
import { type PricedPlan, planWithPrices } from './price-plan.ts'
import type { Taken } from './take-snapshot.ts'

/** @throws Transient, Defect */
export async function planWithinDay(
  plan: (snapshot: Snapshot) => Planned,
  { snapshot, settledLimits }: Taken,
  service: Pick<RunService, 'price'>,
): Promise<PricedPlan> {
  const priced = await planWithPrices(plan, snapshot, service)
  if (!isBoundByDay((figures) => plan(figures).plan, priced.snapshot)) return priced
  return planWithPrices(plan, { ...priced.snapshot, limits: await settledLimits() }, service)
}

/** Does it matter to what is made of these figures how much is left of today's budgets? `make` is pure. */
export function isBoundByDay(make: (figures: Snapshot) => unknown, snapshot: Snapshot): boolean {
  if (!hasDay(snapshot.limits)) return false
  const free = make({ ...snapshot, limits: withoutDay(snapshot.limits) })
  return hashParams(free) !== hashParams(make(snapshot))
}

function hasDay({ leftTodayValue, assets, contacts, outflow }: PlanLimits): boolean {
  return (
    leftTodayValue !== undefined ||
    [...assets.values()].some(({ leftToday }) => leftToday !== undefined) ||
    [...contacts.values()].some((contact) => contact.leftTodayValue !== undefined) ||
    (outflow !== undefined && outflow.size > 0)
  )
}

function withoutDay({ leftTodayValue: _value, assets, contacts, outflow, ...rest }: PlanLimits): PlanLimits {
  return {
    ...rest,
    assets: new Map([...assets].map(([code, { leftToday: _left, ...bounds }]) => [code, bounds])),
    contacts: new Map([...contacts].map(([id, { leftTodayValue: _left, ...bounds }]) => [id, bounds])),
    ...(outflow && { outflow: new Map() }),
  }
}

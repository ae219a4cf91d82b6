// Makes a plan with the prices that it needs, and within what is left of today's budgets. Planned sizes need prices at about
// those sizes. So the prices that a planner requires are read, and it plans again, until it requires no more. Rounds, reads and
// parallel reads are bounded.
import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import type { ConvertLeg } from '../../contract/plan.ts'
import { Refused } from '../../errors.ts'
import { parseDecimal } from '../../money/decimal.ts'
import { hashParams } from '../../params-hash.ts'
import type { PlanLimits, PriceObservation, RequiredPrice, Snapshot } from '../../planning/market/snapshot.ts'
import type { Planned } from '../../planning/planner.ts'
import type { RunService } from '../ports.ts'
import type { TakenSnapshot } from './take-snapshot.ts'

/** Rounds: prices of assets direct, and through a hub; sizes of all ways; sizes of the remaining ways; one to spare. */
const MOST_ROUNDS = 5
/** Reads for one plan. The service answers about fifty a second, and the snapshot grows older meanwhile. */
const MOST_PRICES = 1_000

export interface PricedPlan {
  readonly planned: Planned
  readonly snapshot: Snapshot
}

/** Plans, reads the prices that the plan requires, and plans again: at most five times. @throws Transient, Defect */
export async function planWithPrices(
  plan: (snapshot: Snapshot) => Planned,
  unpriced: Snapshot,
  service: RunService,
): Promise<PricedPlan> {
  const requested = new Set<string>()
  let snapshot = unpriced
  let planned = plan(snapshot)
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const required = planned.required
      .filter((price) => !requested.has(keyOf(price)))
      .slice(0, MOST_PRICES - requested.size)
    if (required.length === 0) break
    for (const price of required) requested.add(keyOf(price))
    snapshot = await withPrices(snapshot, required, service)
    planned = plan(snapshot)
  }
  return { planned, snapshot }
}

/**
 * Reservations of a day and real movements differ only by certified zeros. A plan that no budget changes is the same with both.
 * So only a plan that a budget changes is made again, with what is really left. The plans themselves are compared, because
 * planners do not report every bound that shaped a figure.
 * @throws Transient, Defect
 */
export async function planWithinDay(
  plan: (snapshot: Snapshot) => Planned,
  { snapshot, settledLimits }: TakenSnapshot,
  service: RunService,
): Promise<PricedPlan> {
  const priced = await planWithPrices(plan, snapshot, service)
  if (!isBoundByDay((figures) => plan(figures).plan, priced.snapshot)) return priced
  return planWithPrices(plan, { ...priced.snapshot, limits: await settledLimits() }, service)
}

/** Whether the rest of today's budgets changes what `make` returns. `make` is pure. */
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

/**
 * Adds prices to a snapshot. Where the service refuses a price, none exists: a market may be listed without a quote, or without
 * one at a size. The refusal is kept in `missingPrices`, so that no plan uses the price of another size.
 * @throws Transient, Defect
 */
export async function withPrices<Priced extends Pick<Snapshot, 'prices' | 'missingPrices'>>(
  snapshot: Priced,
  required: readonly RequiredPrice[],
  service: RunService,
): Promise<Priced> {
  const requested = distinct(required)
  const observed = await mapBounded(requested, READS_AT_ONCE, (price) => observe(price, service))
  const missingPrices = requested.filter((_, index) => observed[index] === undefined)
  return {
    ...snapshot,
    prices: [...snapshot.prices, ...observed.flatMap((price) => price ?? [])],
    ...(missingPrices.length > 0 && { missingPrices: [...(snapshot.missingPrices ?? []), ...missingPrices] }),
  }
}

/** The price of a planned leg, at its size. */
export function priceOfLeg({ market, request: { side, amount, amountAsset } }: ConvertLeg): RequiredPrice {
  return { marketId: market, side, amount, amountAsset }
}

export async function observe(
  { marketId, side, amount, amountAsset }: RequiredPrice,
  service: RunService,
): Promise<PriceObservation | undefined> {
  const size = amount === undefined || amountAsset === undefined ? {} : { amount, amountAsset }
  try {
    const { baseAmount, rate } = await service.price(marketId, { side, ...size })
    return { marketId, side, baseAmount: parseDecimal(baseAmount, 'baseAmount'), rate: parseDecimal(rate, 'rate') }
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

function distinct(prices: readonly RequiredPrice[]): RequiredPrice[] {
  return [...new Map(prices.map((price) => [keyOf(price), price])).values()]
}

function keyOf({ marketId, side, amount, amountAsset }: RequiredPrice): string {
  return [marketId, side, amount ?? '', amountAsset ?? ''].join(' ')
}

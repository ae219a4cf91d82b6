// Asks the service for the indicative prices that a planner wants, until it wants none: a plan is only as good
// as the sizes that its prices are of. Bounded in rounds, in reads, and in reads at once.

import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import type { ConvertLeg } from '../../contract/plan.ts'
import { Refused } from '../../errors.ts'
import { parseDecimal } from '../../money/decimal.ts'
import type { PriceObservation, RequiredPrice, Snapshot } from '../../planning/market/snapshot.ts'
import type { Planned } from '../../planning/planner.ts'
import type { RunService } from '../ports.ts'

const MOST_ROUNDS = 3
/** Of one plan. The service takes some fifty a second, and a snapshot ages meanwhile. */
const MOST_PRICES = 1_000

export interface PricedPlan {
  readonly planned: Planned
  readonly snapshot: Snapshot
}

/** Plans, asks for what the plan wants, and plans again: at most three times. @throws Transient, Defect */
export async function planWithPrices(
  plan: (snapshot: Snapshot) => Planned,
  unpriced: Snapshot,
  service: Pick<RunService, 'price'>,
): Promise<PricedPlan> {
  const asked = new Set<string>()
  let snapshot = unpriced
  let planned = plan(snapshot)
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const wanted = planned.required.filter((price) => !asked.has(keyOf(price))).slice(0, MOST_PRICES - asked.size)
    if (wanted.length === 0) break
    for (const price of wanted) asked.add(keyOf(price))
    snapshot = await withPrices(snapshot, wanted, service)
    planned = plan(snapshot)
  }
  return { planned, snapshot }
}

/** Where the service refuses a price there is none: a market may be listed and not be quoted. @throws Transient, Defect */
export async function withPrices<Priced extends Pick<Snapshot, 'prices'>>(
  snapshot: Priced,
  wanted: readonly RequiredPrice[],
  service: Pick<RunService, 'price'>,
): Promise<Priced> {
  const observed = await mapBounded(distinct(wanted), READS_AT_ONCE, (price) => observe(price, service))
  return { ...snapshot, prices: [...snapshot.prices, ...observed.flatMap((price) => price ?? [])] }
}

/** The price of a planned leg, at its size. */
export function priceOfLeg({ market, request: { side, amount, amountAsset } }: ConvertLeg): RequiredPrice {
  return { marketId: market, side, amount, amountAsset }
}

export async function observe(
  { marketId, side, amount, amountAsset }: RequiredPrice,
  service: Pick<RunService, 'price'>,
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

function distinct(wanted: readonly RequiredPrice[]): RequiredPrice[] {
  return [...new Map(wanted.map((price) => [keyOf(price), price])).values()]
}

function keyOf({ marketId, side, amount, amountAsset }: RequiredPrice): string {
  return [marketId, side, amount ?? '', amountAsset ?? ''].join(' ')
}

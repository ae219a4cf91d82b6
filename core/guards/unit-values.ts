// Reads the value of one unit of the asset that a movement sells or withdraws, where a bound is in values. The step that
// settles the terms reads it, and the step that sends reads it again and goes by the dearer of both.
import { sameCode } from '../contract/fields.ts'
import { Refused } from '../errors.ts'
import { type Decimal, divide, formatDecimal, greatest, multiply, ONE_UNIT, parseDecimal } from '../money/decimal.ts'
import type { PriceReads } from '../service/ports.ts'
import { needsValue } from './approval-rules.ts'
import { type Bounded, boundsOf, type GuardSet } from './effective-guards.ts'

type Prices = Pick<PriceReads, 'findPrice'>

/** By valuation asset: decimal strings. */
export type UnitValues = Readonly<Record<string, string>>

/**
 * `undefined` where no bound is in values. A movement never passes a bound that cannot be checked.
 * @throws Refused where a bound is in values and no market has a price.
 * @throws Transient, Defect
 */
export async function findUnitValues(
  movement: Bounded,
  sets: readonly GuardSet[],
  hubs: readonly string[],
  prices: Prices,
): Promise<UnitValues | undefined> {
  const { assetSymbol } = movement
  const found = new Map<string, string>()
  const approvals = sets
    .filter((set) => needsValue(set, movement))
    .map(({ root, valuationAsset }) => ({ field: `${root}.approval`, valuationAsset }))
  for (const { field, valuationAsset } of [...sets.flatMap((set) => boundsOf(set, movement)), ...approvals]) {
    if (valuationAsset === undefined || found.has(valuationAsset)) continue
    const unitValue = await findUnitValue(assetSymbol, valuationAsset, hubs, prices)
    if (unitValue === undefined)
      throw new Refused(`${field} cannot be checked: no market tells what ${assetSymbol} is worth in ${valuationAsset}`)
    found.set(valuationAsset, formatDecimal(unitValue))
  }
  return found.size === 0 ? undefined : Object.fromEntries(found)
}

/** The dearer of two values of a unit, for each asset of `present`. */
export function dearerOf(present: UnitValues, settled: UnitValues = {}): UnitValues {
  const dearer = (asset: string, value: string) =>
    formatDecimal(greatest(parseDecimal(value, 'unitValue'), parseDecimal(settled[asset] ?? '0', 'unitValue')))
  return Object.fromEntries(Object.entries(present).map(([asset, value]) => [asset, dearer(asset, value)]))
}

/** Tried after the policy's hubs, where no market is direct. */
const USUAL_HUBS = ['USD', 'USDC', 'EUR']
/** Maximum hubs of a policy that are tried: each takes up to four reads of prices. */
const MOST_HUBS = 10

/**
 * Value of one settled unit of an asset in another, by the dearer side of indicative prices: the cost of buying it back.
 * Rounded up. So a guard never underrates a movement, and plans use the same side. `undefined` where no market has a price,
 * either direct or through one hub.
 * @throws Transient, Refused, Defect, like the read itself
 */
export async function findUnitValue(
  assetSymbol: string,
  valuationAsset: string,
  hubs: readonly string[],
  prices: Prices,
): Promise<Decimal | undefined> {
  const direct = await findRate(assetSymbol, valuationAsset, prices)
  if (direct !== undefined) return direct
  for (const hub of hubsBetween(assetSymbol, valuationAsset, hubs)) {
    const first = await findRate(assetSymbol, hub, prices)
    const second = first === undefined ? undefined : await findRate(hub, valuationAsset, prices)
    if (first !== undefined && second !== undefined) return multiply(first, second, 'up')
  }
  return undefined
}

/** Units of `into` that one unit of `from` costs: to buy with, or received for a sale. */
async function findRate(from: string, into: string, prices: Prices): Promise<Decimal | undefined> {
  if (sameCode(from, into)) return ONE_UNIT
  const bought = await prices.findPrice(from, into, 'BUY')
  if (bought !== undefined) return parseDecimal(bought, 'rate')
  const sold = await prices.findPrice(into, from, 'SELL')
  return sold === undefined ? undefined : divide(ONE_UNIT, parseDecimal(sold, 'rate'), 'up')
}

function hubsBetween(from: string, into: string, named: readonly string[]): string[] {
  const hubs: string[] = []
  for (const hub of [...named.slice(0, MOST_HUBS), ...USUAL_HUBS]) {
    if (![from, into, ...hubs].some((known) => sameCode(known, hub))) hubs.push(hub)
  }
  return hubs
}

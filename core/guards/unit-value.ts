// What one settled unit of an asset is worth in another, by the dearer side of indicative prices: what getting it back
// would cost. Rounded up. So a guard never takes a movement for smaller than it is, and plans reckon by the same side.
import { sameCode } from '../contract/fields.ts'
import { type Decimal, divide, multiply, ONE_UNIT, parseDecimal } from '../money/decimal.ts'
import type { PriceReads } from '../service/ports.ts'

type Prices = Pick<PriceReads, 'findPrice'>

/** Looked through where no market is direct, after those that a policy names. */
const USUAL_HUBS = ['USD', 'USDC', 'EUR']
const MOST_HUBS = 10

/** `undefined` where no market tells, direct or through one hub. @throws Transient, Refused, Defect as a read does */
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

/** Units of `into` that a unit of `from` costs: bought with it, or got for selling it. */
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

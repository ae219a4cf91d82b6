// What there would be once the legs of a plan have been carried out at their indicative prices.
import type { ConvertLeg, PlanPosition } from '../contract/plan.ts'
import {
  type Decimal,
  formatDecimal,
  greatest,
  minus,
  multiply,
  ONE_UNIT,
  parseDecimal,
  plus,
  ZERO,
} from '../money/decimal.ts'
import type { Position } from './market/snapshot.ts'
import type { Drift } from './rebalance/portfolio.ts'

/** By asset, units that come less units that go. Assets that no leg touches are not in it. */
export function changesOf(legs: readonly ConvertLeg[]): ReadonlyMap<string, Decimal> {
  const changes = new Map<string, Decimal>()
  for (const { gives, brings } of legs) {
    const given = parseDecimal(gives.amount, 'gives.amount')
    const brought = parseDecimal(brings.amount, 'brings.amount')
    changes.set(gives.asset, minus(changes.get(gives.asset) ?? ZERO, given))
    changes.set(brings.asset, plus(changes.get(brings.asset) ?? ZERO, brought))
  }
  return changes
}

/** One asset before and after. */
export interface Projected {
  readonly asset: string
  readonly position: Position | undefined
  readonly price: Decimal | null
  readonly holding: Decimal
  readonly value: Decimal
  readonly before?: Drift
}

/** In the order given. Weights are shares of the sums of their values, before and after. */
export function tellPositions(
  assets: readonly Projected[],
  changes: ReadonlyMap<string, Decimal>,
): { readonly positions: PlanPosition[]; readonly totalValue: Decimal } {
  let total = ZERO
  let growth = ZERO
  const after = assets.map((one) => {
    total = plus(total, one.value)
    const change = changes.get(one.asset)
    if (change === undefined) return undefined
    const now = changedBy(change, one)
    growth = plus(growth, minus(now.value, one.value))
    return now
  })
  const shareOf = sharesOf(total)
  const shareAfter = growth === 0n ? shareOf : sharesOf(plus(total, growth))
  const positions = assets.map((one, index): PlanPosition => {
    const now = after[index]
    const { asset, position, before } = one
    const holding = formatDecimal(one.holding)
    const spendable = position?.spendable === one.holding ? holding : formatDecimal(position?.spendable ?? ZERO)
    const price = one.price === null ? null : formatDecimal(one.price)
    const value = formatDecimal(one.value)
    const weight = shareOf(one.value)
    const afterHolding = now ? formatDecimal(now.holding) : holding
    const afterValue = now ? formatDecimal(now.value) : value
    const afterWeight = now || shareAfter !== shareOf ? shareAfter((now ?? one).value) : weight
    // One literal each: a spread in the middle of one takes as long as all of its figures.
    if (before?.target === undefined)
      return { asset, holding, spendable, price, value, weight, afterHolding, afterValue, afterWeight }
    const targetValue = formatDecimal(before.target)
    const targetWeight = shareOf(before.target)
    const drift = formatDecimal(before.drift)
    return {
      asset,
      holding,
      spendable,
      price,
      value,
      weight,
      targetValue,
      targetWeight,
      drift,
      afterHolding,
      afterValue,
      afterWeight,
    }
  })
  return { positions, totalValue: total }
}

function changedBy(change: Decimal, { holding, price }: Projected): Pick<Projected, 'holding' | 'value'> {
  const now = greatest(ZERO, plus(holding, change))
  return { holding: now, value: price === null ? ZERO : multiply(now, price, 'down') }
}

const MILLIONTHS = 1_000_000
/** In millionths. Below it a number tells every digit back: 15 of them survive. */
const MOST_AS_NUMBER = 1e15
/** In millionths. Below it a product of rounded numbers is off by less than `DOUBT`. */
const MOST_SURE = 1e9
const DOUBT = 1e-6

/** Six digits, cut off. By numbers where they leave no doubt: it takes a third of the time, and a share is no money. */
function sharesOf(whole: Decimal): (part: Decimal) => string {
  if (whole === 0n) return () => '0'
  const scale = MILLIONTHS / Number(whole)
  return (part) => {
    const about = Number(part) * scale
    const cut = Math.floor(about)
    const isSure = about < MOST_SURE && about - cut > DOUBT && cut + 1 - about > DOUBT
    const millionths = isSure ? cut : (part * BigInt(MILLIONTHS)) / whole
    if (millionths < MOST_AS_NUMBER) return String(Number(millionths) / MILLIONTHS)
    return formatDecimal(((BigInt(millionths) * ONE_UNIT) / BigInt(MILLIONTHS)) as Decimal)
  }
}

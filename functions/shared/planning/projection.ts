// What there would be once the legs of a plan have been carried out at their indicative prices.
import type { ConvertLeg, PlanPosition } from '../../contract/plan.ts'
import {
  type Decimal,
  formatDecimal,
  greatest,
  minus,
  multiplyDown,
  ONE_UNIT,
  parseDecimal,
  plus,
  ZERO,
} from '../money/decimal.ts'
import type { Position } from './snapshot.ts'
import type { Drift } from './targets.ts'

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
  const after = assets.map((one): Pick<Projected, 'holding' | 'value'> => {
    const change = changes.get(one.asset)
    if (change === undefined) return one
    const holding = greatest(ZERO, plus(one.holding, change))
    return { holding, value: one.price === null ? ZERO : multiplyDown(holding, one.price) }
  })
  const total = assets.reduce((sum, { value }) => plus(sum, value), ZERO)
  const totalAfter = after.reduce((sum, { value }) => plus(sum, value), ZERO)
  const positions = assets.map((one, index): PlanPosition => {
    const now = after[index] as Pick<Projected, 'holding' | 'value'>
    const { asset, position, before } = one
    const holding = formatDecimal(one.holding)
    const value = formatDecimal(one.value)
    const weight = shareText(one.value, total)
    const isTouched = now.holding !== one.holding
    return {
      asset,
      holding,
      spendable: position?.spendable === one.holding ? holding : formatDecimal(position?.spendable ?? ZERO),
      price: one.price === null ? null : formatDecimal(one.price),
      value,
      weight,
      ...(before?.target !== undefined && {
        targetValue: formatDecimal(before.target),
        targetWeight: shareText(before.target, total),
        drift: formatDecimal(before.drift),
      }),
      afterHolding: isTouched ? formatDecimal(now.holding) : holding,
      afterValue: isTouched ? formatDecimal(now.value) : value,
      afterWeight: isTouched || total !== totalAfter ? shareText(now.value, totalAfter) : weight,
    }
  })
  return { positions, totalValue: total }
}

const MILLIONTHS = 1_000_000n
/** Below it a number tells every digit back: 15 of them survive. */
const MOST_AS_NUMBER = 10n ** 15n

/** Six digits, cut off. By a number where that is exact: it takes half the time, and a share is no money. */
function shareText(part: Decimal, whole: Decimal): string {
  if (whole === 0n) return '0'
  const millionths = (part * MILLIONTHS) / whole
  if (millionths < MOST_AS_NUMBER) return String(Number(millionths) / Number(MILLIONTHS))
  return formatDecimal(((millionths * ONE_UNIT) / MILLIONTHS) as Decimal)
}

// What there would be once the legs of a plan have been carried out at their indicative prices.
import type { ConvertLeg, PlanPosition } from '../../contract/plan.ts'
import {
  type Decimal,
  formatDecimal,
  greatest,
  minus,
  multiplyDown,
  parseDecimal,
  plus,
  ZERO,
} from '../money/decimal.ts'
import type { Position } from './snapshot.ts'

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
  readonly target?: { readonly value: Decimal; readonly drift: Decimal } | undefined
}

/** In the order given. Weights are shares of the sums of their values, before and after. */
export function tellPositions(
  assets: readonly Projected[],
  changes: ReadonlyMap<string, Decimal>,
): { readonly positions: PlanPosition[]; readonly totalValue: Decimal } {
  const after = assets.map(({ asset, holding, price, value }) => {
    const change = changes.get(asset)
    if (change === undefined) return { holding, value }
    const units = greatest(ZERO, plus(holding, change))
    return { holding: units, value: price === null ? ZERO : multiplyDown(units, price) }
  })
  const total = assets.reduce((sum, { value }) => plus(sum, value), ZERO)
  const totalAfter = after.reduce((sum, { value }) => plus(sum, value), ZERO)
  const positions = assets.map((one, index): PlanPosition => {
    const { holding, value } = after[index] as { holding: Decimal; value: Decimal }
    const holdingText = formatDecimal(one.holding)
    const valueText = formatDecimal(one.value)
    const isTouched = holding !== one.holding
    const weight = shareText(one.value, total)
    return {
      asset: one.asset,
      holding: holdingText,
      spendable: one.position?.spendable === one.holding ? holdingText : formatDecimal(one.position?.spendable ?? ZERO),
      price: one.price === null ? null : formatDecimal(one.price),
      value: valueText,
      weight,
      ...(one.target && {
        targetValue: formatDecimal(one.target.value),
        targetWeight: shareText(one.target.value, total),
        drift: formatDecimal(one.target.drift),
      }),
      afterHolding: isTouched ? formatDecimal(holding) : holdingText,
      afterValue: isTouched ? formatDecimal(value) : valueText,
      afterWeight: isTouched || total !== totalAfter ? shareText(value, totalAfter) : weight,
    }
  })
  return { positions, totalValue: total }
}

const MILLIONTHS = 1_000_000n
const SHARE_DIGITS = 6

/** Six digits, cut off. */
function shareText(part: Decimal, whole: Decimal): string {
  if (whole === 0n || part === 0n) return '0'
  const digits = ((part * MILLIONTHS) / whole).toString().padStart(SHARE_DIGITS + 1, '0')
  const fraction = digits.slice(-SHARE_DIGITS).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, -SHARE_DIGITS) : `${digits.slice(0, -SHARE_DIGITS)}.${fraction}`
}

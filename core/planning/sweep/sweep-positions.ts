// What an account has, and would have after a plan: the figures that a person compares. Settled units and values.
import type { Plan, PlanLeg, PlanPosition } from '../../contract/plan.ts'
import {
  type Decimal,
  divide,
  formatDecimal,
  greatest,
  minus,
  multiply,
  parseDecimal,
  plus,
  quantiseDown,
  ZERO,
} from '../../money/decimal.ts'
import type { Snapshot } from '../market/snapshot.ts'
import type { Valuation } from '../market/valuation.ts'
import { unpricedOf } from '../plan-report.ts'

/** Six digits of a share. */
const SHARE_STEP = (10n ** 12n) as Decimal

export interface Told {
  readonly positions: PlanPosition[]
  readonly totalValue: string
  readonly unpriced?: Plan['unpriced']
}

export function tellPositions(
  assets: Iterable<string>,
  legs: readonly PlanLeg[],
  snapshot: Snapshot,
  valuation: Valuation,
): Told {
  const changes = changesOf(legs)
  const rows = [...new Set([...assets, ...changes.keys()])].sort().map((asset) => {
    const { holding, spendable } = snapshot.positions.get(asset) ?? { holding: ZERO, spendable: ZERO }
    const after = greatest(plus(holding, changes.get(asset) ?? ZERO), ZERO)
    const price = valuation.priceOf(asset)
    const worth = (units: Decimal) => multiply(units, price ?? ZERO, 'down')
    return { asset, holding, spendable, price, value: worth(holding), after, afterValue: worth(after) }
  })
  const total = sumOf(rows.map(({ value }) => value))
  const afterTotal = sumOf(rows.map(({ afterValue }) => afterValue))
  const positions = rows.map(({ asset, holding, spendable, price, value, after, afterValue }) => ({
    asset,
    holding: formatDecimal(holding),
    spendable: formatDecimal(spendable),
    price: price === null ? null : formatDecimal(price),
    value: formatDecimal(value),
    weight: shareOf(value, total),
    afterHolding: formatDecimal(after),
    afterValue: formatDecimal(afterValue),
    afterWeight: shareOf(afterValue, afterTotal),
  }))
  return { positions, totalValue: formatDecimal(total), ...unpricedOf(rows) }
}

function changesOf(legs: readonly PlanLeg[]): ReadonlyMap<string, Decimal> {
  const changes = new Map<string, Decimal>()
  const add = (asset: string, units: Decimal) => changes.set(asset, plus(changes.get(asset) ?? ZERO, units))
  for (const leg of legs) {
    if (leg.kind === 'withdraw') add(leg.assetSymbol, minus(ZERO, parseDecimal(leg.total, 'total')))
    else {
      add(leg.gives.asset, minus(ZERO, parseDecimal(leg.gives.amount, 'gives')))
      add(leg.brings.asset, parseDecimal(leg.brings.amount, 'brings'))
    }
  }
  return changes
}

function shareOf(value: Decimal, total: Decimal): string {
  return total === 0n ? '0' : formatDecimal(quantiseDown(divide(value, total, 'down'), SHARE_STEP))
}

export function sumOf(values: readonly Decimal[]): Decimal {
  return values.reduce((sum, value) => plus(sum, value), ZERO)
}

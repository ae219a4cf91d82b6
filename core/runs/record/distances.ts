// Computes how far each asset of a run ended from its target: figures for people. Which plan has missed its target is decided
// in core/runs/plan/unreached.ts. Pure.
import type { Plan, PlanPosition } from '../../contract/plan.ts'
import type { Policy } from '../../contract/policies.ts'
import { type Distance, MOST_DISTANCES } from '../../contract/runs.ts'
import {
  compareScaled,
  type Decimal,
  divide,
  formatDecimal,
  magnitude,
  minus,
  multiply,
  parseDecimal,
} from '../../money/decimal.ts'
import type { Portfolio } from '../../policies/kind.ts'
import { portfolioOf } from '../../policies/kinds.ts'

export interface ReachedValues {
  /** Value of all assets of the plan. */
  readonly total: string
  /** By asset. */
  readonly values: Readonly<Record<string, string>>
}

/** Distances of assets with a target and a known value, the furthest first. Undefined where no asset has both. */
export function distancesOf(plan: Plan, policy: Policy, { total, values }: ReachedValues): Distance[] | undefined {
  const totalValue = parseDecimal(total, 'total')
  const portfolio = portfolioOf(policy)
  const distances = plan.positions.flatMap((position) => {
    const { asset } = position
    const target = targetAt(totalValue, position, plan, portfolio)
    const value = Object.hasOwn(values, asset) ? values[asset] : undefined
    if (target === undefined || value === undefined) return []
    const off = minus(parseDecimal(value, 'value'), target)
    return [{ asset, value, target, off }]
  })
  if (distances.length === 0) return undefined
  return distances
    .sort((left, right) => compareScaled(magnitude(right.off), 1n, magnitude(left.off), 1n))
    .slice(0, MOST_DISTANCES)
    .map(({ asset, value, target, off }) => ({ asset, value, target: formatDecimal(target), off: formatDecimal(off) }))
}

/** The target of an asset at a total value of `total`: the cost of trades lowers targets that are shares. */
export function targetAt(
  total: Decimal,
  { targetValue }: PlanPosition,
  { totalValue }: Plan,
  portfolio: Portfolio | undefined,
): Decimal | undefined {
  if (targetValue === undefined) return undefined
  const target = parseDecimal(targetValue, 'targetValue')
  if (portfolio?.weights === undefined) return target
  const planned = parseDecimal(totalValue, 'totalValue')
  return planned === 0n ? undefined : divide(multiply(target, total, 'down'), planned, 'down')
}

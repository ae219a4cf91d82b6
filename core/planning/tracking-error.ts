// Counts how far a policy's holdings were from its targets when it was planned. The metric `TrackingError` and the costs
// of a month use the same figures. Exact, and pure.
import type { Plan } from '../contract/plan.ts'
import { type Decimal, magnitude, minus, parseDecimal, partOf, sumOf, WHOLE_BPS } from '../money/decimal.ts'

/**
 * Half of the sum of all weight differences, in basis points: the share that must change hands. Undefined where no asset
 * has a target.
 * @throws AmountError
 */
export function trackingErrorBps({ positions }: Pick<Plan, 'positions'>): Decimal | undefined {
  const apart = positions.flatMap(({ weight, targetWeight }) =>
    targetWeight === undefined
      ? []
      : [magnitude(minus(parseDecimal(weight, 'weight'), parseDecimal(targetWeight, 'targetWeight')))],
  )
  return apart.length === 0 ? undefined : partOf(sumOf(apart), WHOLE_BPS, 2n, 'down')
}

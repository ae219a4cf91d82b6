// Counts how much worse a rate was than the indicative price that a conversion was planned by. The metric `Slippage` and
// the costs of a month use the same figures. Exact, and pure.
import type { ConvertIntent } from '../../journal/intent.ts'
import {
  type Decimal,
  magnitude,
  minus,
  negate,
  ONE_UNIT,
  parseDecimal,
  partOf,
  WHOLE_BPS,
  ZERO,
} from '../../money/decimal.ts'

/**
 * Basis points, cut off after 18 places, and below zero where the rate was better. Undefined where the conversion had no
 * indicative price. `rate`: that of its order.
 * @throws AmountError
 */
export function slippageOf({ attempt, frozen, params }: ConvertIntent, rate: string): Decimal | undefined {
  // Without an attempt nothing proves that its request could be read.
  const indicative = attempt === undefined ? undefined : (params.plannedRate ?? frozen.referenceRate)
  if (indicative === undefined) return undefined
  const planned = parseDecimal(indicative, 'plannedRate')
  if (planned === ZERO) return undefined
  const dearer = minus(parseDecimal(rate, 'rate'), planned)
  const part = partOf(magnitude(dearer), ONE_UNIT * WHOLE_BPS, planned, 'down')
  const isWorse = dearer > ZERO === (params.side === 'BUY')
  return isWorse ? part : negate(part)
}

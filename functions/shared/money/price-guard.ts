// The price guard of a conversion: is a quote no worse than the caller allows? Pure and exact.
import { compareScaled, type Decimal, formatDecimal } from './decimal.ts'

const WHOLE_BPS = 10_000n

export interface PriceGuard {
  readonly side: 'BUY' | 'SELL'
  /** Quote units per settled base unit: the most to pay (BUY), the least to take (SELL). */
  readonly worstRate: Decimal | undefined
  /** Basis points by which a rate may be worse than `reference`. Needs `reference`. */
  readonly maxSlippageBps: number | undefined
  /** Indicative rate at the start of the intent. */
  readonly reference: Decimal | undefined
}

/** `undefined` when `rate` passes, else one sentence that says which bound it breaks. */
export function findPriceBreach(rate: Decimal, guard: PriceGuard): string | undefined {
  const { side, worstRate, maxSlippageBps, reference } = guard
  const worse = side === 'BUY' ? 'above' : 'below'
  if (worstRate !== undefined && isWorse(side, compareScaled(rate, 1n, worstRate, 1n))) {
    return `the quoted rate ${formatDecimal(rate)} is ${worse} worstRate ${formatDecimal(worstRate)}`
  }
  if (maxSlippageBps === undefined) return undefined
  if (reference === undefined) throw new TypeError('maxSlippageBps needs a reference rate')
  const allowance = BigInt(maxSlippageBps)
  const bound = side === 'BUY' ? WHOLE_BPS + allowance : WHOLE_BPS - allowance
  if (isWorse(side, compareScaled(rate, WHOLE_BPS, reference, bound))) {
    return `the quoted rate ${formatDecimal(rate)} is more than ${maxSlippageBps} bps ${worse} the indicative rate ${formatDecimal(reference)}`
  }
  return undefined
}

function isWorse(side: 'BUY' | 'SELL', comparison: -1 | 0 | 1): boolean {
  return side === 'BUY' ? comparison > 0 : comparison < 0
}

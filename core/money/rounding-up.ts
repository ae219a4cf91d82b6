// Products and quotients of exact decimals, rounded up at the 18th place: for what a guard must not take
// for less than it is.
import type { Decimal } from './decimal.ts'

const ONE = 10n ** 18n

/** The least decimal of 18 places that is not below `left * right`. Neither may be negative. */
export function multiplyUp(left: Decimal, right: Decimal): Decimal {
  if (left < 0n || right < 0n) throw new RangeError('expected factors of zero or more')
  return quotientUp(left * right, ONE)
}

/** The least decimal of 18 places that is not below `dividend / divisor`. The divisor must be above zero. */
export function divideUp(dividend: Decimal, divisor: Decimal): Decimal {
  if (dividend < 0n || divisor <= 0n) throw new RangeError('expected a dividend of zero or more, a divisor above zero')
  return quotientUp(dividend * ONE, divisor)
}

function quotientUp(dividend: bigint, divisor: bigint): Decimal {
  return ((dividend + divisor - 1n) / divisor) as Decimal
}

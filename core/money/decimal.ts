// A decimal is exact, in fixed point: a bigint count of 10^-18. This file owns reading, printing, comparing and computing with
// decimals. Every product and every quotient names its rounding. No other room casts to `Decimal`, and no amount that moves is
// ever a `number`.
import { AMOUNT_EXPECTATION, AMOUNT_PATTERN, UNREADABLE } from '../contract/amount.ts'

declare const fixed: unique symbol
/** A decimal of any sign, as a count of 10^-18. */
export type Decimal = bigint & { readonly [fixed]: true }

/** Direction from the exact value to its 18 places. Only values of zero or more are rounded. */
export type Rounding = 'up' | 'down'

const SCALE_DIGITS = 18
const ONE = 10n ** BigInt(SCALE_DIGITS)

export const ZERO = 0n as Decimal
/** The smallest decimal above zero: 10^-18. */
export const ATOM = 1n as Decimal
export const ONE_UNIT = ONE as Decimal
/** Larger than any sum of money, for values without a bound. */
export const BOUNDLESS = (10n ** 60n) as Decimal
/** The whole, in basis points. */
export const WHOLE_BPS = 10_000n

/** The text is not an amount. The message names the field and the kind of value, never its digits. */
export class AmountError extends Error {
  override readonly name = 'AmountError'
  readonly field: string
  constructor(field: string, value: unknown) {
    super(`${field}: expected ${AMOUNT_EXPECTATION}; got ${shapeOf(value)}`)
    this.field = field
  }
}

function shapeOf(value: unknown): string {
  if (typeof value !== 'string') return value === null ? 'null' : `a ${typeof value}`
  if (value === '') return 'an empty string'
  if (value.startsWith(UNREADABLE)) return value.slice(UNREADABLE.length)
  return `a string of ${value.length} characters that is not one`
}

/** @throws AmountError naming `field` when `text` does not match AMOUNT_PATTERN */
export function parseDecimal(text: unknown, field: string): Decimal {
  if (typeof text !== 'string' || !AMOUNT_PATTERN.test(text)) throw new AmountError(field, text)
  const point = text.indexOf('.')
  if (point < 0) return (BigInt(text) * ONE) as Decimal
  const fraction = text.slice(point + 1)
  return BigInt(text.slice(0, point) + fraction.padEnd(SCALE_DIGITS, '0')) as Decimal
}

/** Also accepts a leading minus, for a balance or a difference. @throws AmountError */
export function parseSignedDecimal(text: string, field: string): Decimal {
  return text.startsWith('-') ? negate(parseDecimal(text.slice(1), field)) : parseDecimal(text, field)
}

/** Plain notation without trailing zeros: `"12.5"`, `"0"`, `"-3"`. */
export function formatDecimal(value: Decimal): string {
  const digits = (value < 0n ? -value : value).toString().padStart(SCALE_DIGITS + 1, '0')
  const point = digits.length - SCALE_DIGITS
  let end = digits.length
  while (end > point && digits.charCodeAt(end - 1) === ZERO_CODE) end -= 1
  const whole = digits.slice(0, point)
  return `${value < 0n ? '-' : ''}${end === point ? whole : `${whole}.${digits.slice(point, end)}`}`
}

const ZERO_CODE = '0'.charCodeAt(0)

/** Whether two texts are the same amount, apart from trailing zeros. `field`: name in the error. @throws AmountError */
export function isSameAmount(left: string, right: string, field = 'amount'): boolean {
  return parseDecimal(left, field) === parseDecimal(right, field)
}

export function plus(left: Decimal, right: Decimal): Decimal {
  return (left + right) as Decimal
}

/** Adds to the map's value under `key`; a missing value counts as zero. */
export function addTo(sums: Map<string, Decimal>, key: string, value: Decimal): void {
  sums.set(key, plus(sums.get(key) ?? ZERO, value))
}

/** The difference, which may be below zero. */
export function minus(left: Decimal, right: Decimal): Decimal {
  return (left - right) as Decimal
}

export function negate(value: Decimal): Decimal {
  return -value as Decimal
}

export function magnitude(value: Decimal): Decimal {
  return value < 0n ? negate(value) : value
}

export function sumOf(values: readonly Decimal[]): Decimal {
  return values.reduce(plus, ZERO)
}

export function least(left: Decimal, right: Decimal): Decimal {
  return left < right ? left : right
}

export function greatest(left: Decimal, right: Decimal): Decimal {
  return left > right ? left : right
}

/** Compares `left * leftFactor` with `right * rightFactor`, exactly: -1, 0 or 1. */
export function compareScaled(left: Decimal, leftFactor: bigint, right: Decimal, rightFactor: bigint): -1 | 0 | 1 {
  const a = left * leftFactor
  const b = right * rightFactor
  return a < b ? -1 : a > b ? 1 : 0
}

/** `left * right`. @throws RangeError where the product is below zero */
export function multiply(left: Decimal, right: Decimal, rounding: Rounding): Decimal {
  return quotientOf(left * right, ONE, rounding)
}

/** `dividend / divisor`. @throws RangeError unless the dividend is zero or more and the divisor above zero */
export function divide(dividend: Decimal, divisor: Decimal, rounding: Rounding): Decimal {
  if (divisor <= 0n) throw new RangeError('divisor: expected more than zero')
  return quotientOf(dividend * ONE, divisor, rounding)
}

/**
 * `value * numerator / denominator`, rounded once; the denominator is above zero.
 * @throws RangeError as `divide` does
 */
export function partOf(value: Decimal, numerator: bigint, denominator: bigint, rounding: Rounding): Decimal {
  return quotientOf(value * numerator, denominator, rounding)
}

/** The middle of two values. @throws RangeError where their sum is below zero */
export function middleOf(left: Decimal, right: Decimal, rounding: Rounding): Decimal {
  return quotientOf(left + right, 2n, rounding)
}

/** The only division of money. The language itself refuses a divisor of zero. */
function quotientOf(dividend: bigint, divisor: bigint, rounding: Rounding): Decimal {
  if (dividend < 0n) throw new RangeError('expected a dividend of zero or more')
  return (rounding === 'up' ? (dividend + divisor - 1n) / divisor : dividend / divisor) as Decimal
}

/** The largest multiple of `increment` up to `value`. @throws RangeError unless `value` >= 0 and `increment` > 0 */
export function quantiseDown(value: Decimal, increment: Decimal): Decimal {
  if (increment <= 0n) throw new RangeError('increment: expected more than zero')
  if (value < 0n) throw new RangeError('value: expected zero or more')
  return (value - (value % increment)) as Decimal
}

/** Cuts off to a multiple of `increment`, towards zero. @throws RangeError for an increment of zero */
export function truncate(value: Decimal, increment: Decimal): Decimal {
  return (value - (value % increment)) as Decimal
}

/** The smallest multiple of `increment` from `value` upwards. @throws RangeError as `quantiseDown` does */
export function quantiseUp(value: Decimal, increment: Decimal): Decimal {
  return quantiseDown((value + increment - 1n) as Decimal, increment)
}

/** An increment is one of these, times a power of ten: 1, 2, 2.5 or 5. */
const USUAL_STEPS = [1n, 2n, 5n, 25n] as const

/** Whether an increment has one of the usual steps. */
export function isUsualIncrement(increment: string): boolean {
  const digits = parseDecimal(increment, 'increment').toString().replace(/0+$/, '')
  return USUAL_STEPS.some((step) => step.toString() === digits)
}

/** Whether `part` is what remains of `whole`, cut to any usual increment. It is so if both are equal. */
export function isCutOf(part: Decimal, whole: Decimal): boolean {
  if (part > whole) return false
  for (let power = 1n; power <= whole; power *= 10n)
    if (USUAL_STEPS.some((step) => truncate(whole, (step * power) as Decimal) === part)) return true
  return part === whole
}

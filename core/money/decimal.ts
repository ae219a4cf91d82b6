// Exact decimals as fixed point: a bigint count of 10^-18. Owns parsing, printing and the few
// operations money needs. No division or product without naming how it rounds; never `number`.
import { AMOUNT_EXPECTATION, AMOUNT_PATTERN } from '../contract/amount.ts'

declare const fixed: unique symbol
/** A non-negative or negative decimal, as a count of 10^-18. */
export type Decimal = bigint & { readonly [fixed]: true }

const SCALE_DIGITS = 18
const ONE = 10n ** BigInt(SCALE_DIGITS)

/** A text is not an amount. Names the field and the shape of what came, never its digits. */
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
  return `a string of ${value.length} characters that is not one`
}

/** @throws AmountError when `text` does not match AMOUNT_PATTERN. `field` names it in the error. */
export function parseDecimal(text: unknown, field: string): Decimal {
  if (typeof text !== 'string' || !AMOUNT_PATTERN.test(text)) throw new AmountError(field, text)
  const point = text.indexOf('.')
  if (point < 0) return (BigInt(text) * ONE) as Decimal
  const fraction = text.slice(point + 1)
  return BigInt(text.slice(0, point) + fraction.padEnd(SCALE_DIGITS, '0')) as Decimal
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

/** The largest multiple of `increment` that is not above `value`. Both must be positive or zero, `increment` above zero. */
export function quantiseDown(value: Decimal, increment: Decimal): Decimal {
  if (increment <= 0n) throw new RangeError('increment: expected more than zero')
  if (value < 0n) throw new RangeError('value: expected zero or more')
  return (value - (value % increment)) as Decimal
}

/** Compares `left * leftFactor` with `right * rightFactor`, exactly: -1, 0 or 1. */
export function compareScaled(left: Decimal, leftFactor: bigint, right: Decimal, rightFactor: bigint): -1 | 0 | 1 {
  const a = left * leftFactor
  const b = right * rightFactor
  return a < b ? -1 : a > b ? 1 : 0
}

export const ZERO = 0n as Decimal
export const ONE_UNIT = ONE as Decimal

export function plus(left: Decimal, right: Decimal): Decimal {
  return (left + right) as Decimal
}

/** May be below zero. */
export function minus(left: Decimal, right: Decimal): Decimal {
  return (left - right) as Decimal
}

export function least(left: Decimal, right: Decimal): Decimal {
  return left < right ? left : right
}

export function greatest(left: Decimal, right: Decimal): Decimal {
  return left > right ? left : right
}

/** `left * right`, cut off after 18 places. Both must be positive or zero. */
export function multiplyDown(left: Decimal, right: Decimal): Decimal {
  return ((left * right) / ONE) as Decimal
}

/** `left * right`, rounded up in the 18th place. Both must be positive or zero. */
export function multiplyUp(left: Decimal, right: Decimal): Decimal {
  return ((left * right + ONE - 1n) / ONE) as Decimal
}

/** `left / right`, cut off after 18 places. `left` must be positive or zero, `right` above zero. */
export function divideDown(left: Decimal, right: Decimal): Decimal {
  if (right <= 0n) throw new RangeError('divisor: expected more than zero')
  return ((left * ONE) / right) as Decimal
}

/** `left / right`, rounded up in the 18th place. `left` must be positive or zero, `right` above zero. */
export function divideUp(left: Decimal, right: Decimal): Decimal {
  if (right <= 0n) throw new RangeError('divisor: expected more than zero')
  return ((left * ONE + right - 1n) / right) as Decimal
}

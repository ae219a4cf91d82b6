// Exact decimal arithmetic for the sandbox, by decimal.js: parsing, printing and rounding. Never touches `number`.
// Shares no code and no algorithm with the client, which counts units of 10^-18 in a bigint, because the witness must
// not inherit the client's mistakes.
import { Decimal } from 'decimal.js'

export type Amount = Decimal

/**
 * Decimals of 120 digits. Sums and products of amounts of 48 digits are exact, and so is every digit shown of a
 * quotient.
 */
const Exact = Decimal.clone({ precision: 120, rounding: Decimal.ROUND_DOWN, toExpNeg: -9e15, toExpPos: 9e15 })

// By default an operator turns a decimal.js object into text, and '9' < '10' is false. Here operators throw, and so
// does `toNumber`, which uses an operator inside.
Object.defineProperty(Exact, 'prototype', {
  value: Object.create(Decimal.prototype, {
    [Symbol.toPrimitive]: {
      value(this: Decimal, hint: string) {
        if (hint === 'string') return this.toFixed()
        throw new TypeError('amounts are compared and added by their methods, never by operators')
      },
    },
  }),
})

export const ZERO: Amount = new Exact(0)
export const ONE: Amount = new Exact(1)
/** Maximum number of decimals of an amount. */
const DECIMALS = 18
const UNIT: Amount = new Exact(`1e-${DECIMALS}`)
const UNITS_A_WHOLE: Amount = new Exact(`1e${DECIMALS}`)
/** Plain notation: no sign, no exponent, no leading zeros. */
export const PLAIN_DECIMAL = /^(0|[1-9][0-9]{0,29})(\.[0-9]{1,18})?$/

/** Parses a plain decimal string. Throws for any other spelling; schemas refuse those earlier. */
export function amount(text: string): Amount {
  if (!PLAIN_DECIMAL.test(text)) throw new Error(`not a plain decimal: ${text}`)
  return new Exact(text)
}

export function isAmount(value: unknown): value is Amount {
  return value instanceof Exact
}

/** Returns plain notation: never exponential, no trailing zeros. */
export function formatAmount(value: Amount): string {
  return value.toFixed()
}

/** Returns a whole number of units of 10^-18, the form of amounts in the state file. */
export function unitsOf(value: Amount): string {
  return value.times(UNITS_A_WHOLE).toFixed()
}

export function amountOfUnits(units: string | Amount): Amount {
  return new Exact(units).times(UNIT)
}

/** Cuts off after 18 decimals. Every value here is zero or above. */
export function cutDown(value: Amount): Amount {
  return value.toDecimalPlaces(DECIMALS, Decimal.ROUND_DOWN)
}

export function multiplyDown(a: Amount, b: Amount): Amount {
  return cutDown(a.times(b))
}

/** Returns a ÷ b, rounded down. Divides whole units, because a quotient of 120 digits takes four times as long. */
export function divideDown(a: Amount, b: Amount): Amount {
  return amountOfUnits(a.times(UNITS_A_WHOLE).divToInt(b))
}

/** Returns the largest multiple of `increment` that is at most `value`. */
export function truncateTo(value: Amount, increment: Amount): Amount {
  return value.toNearest(increment, Decimal.ROUND_DOWN)
}

/** Returns the smallest multiple of `increment` that is at least `value`. */
export function raiseTo(value: Amount, increment: Amount): Amount {
  return value.toNearest(increment, Decimal.ROUND_UP)
}

/** Rounds `value`, which is above zero, to this many significant digits. */
export function inDigits(value: Amount, digits: number, towards: 'down' | 'up'): Amount {
  return value.toSignificantDigits(digits, towards === 'down' ? Decimal.ROUND_DOWN : Decimal.ROUND_UP)
}

/** Returns the largest power of ten that is at most `value`, which is above zero. */
export function powerOfTen(value: Amount): Amount {
  return new Exact(`1e${value.e}`)
}

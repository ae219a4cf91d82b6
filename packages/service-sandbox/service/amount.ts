// Exact decimal arithmetic for the sandbox, by decimal.js. Owns parsing, printing and rounding. Never touches `number`,
// and shares no code and no algorithm with the client, which counts units of 10^-18 in a bigint: the witness must not
// inherit the client's mistakes.
import { Decimal } from 'decimal.js'

export type Amount = Decimal

/** Sums and products of amounts of 48 digits are exact, and of a quotient all digits that anybody is shown are. */
const Exact = Decimal.clone({ precision: 120, rounding: Decimal.ROUND_DOWN, toExpNeg: -9e15, toExpPos: 9e15 })

// By itself a decimal.js object turns into text for an operator, and '9' < '10' is false: here operators throw, and so
// does `toNumber`, which is one inside.
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
/** Decimals that an amount has at most. */
const DECIMALS = 18
const UNIT: Amount = new Exact(`1e-${DECIMALS}`)
const UNITS_A_WHOLE: Amount = new Exact(`1e${DECIMALS}`)
/** Plain notation: no sign, no exponent, no zeros in front. */
export const PLAIN_DECIMAL = /^(0|[1-9][0-9]{0,29})(\.[0-9]{1,18})?$/

/** What a plain decimal string says. Throws on any other spelling, which a schema has kept out of here. */
export function amount(text: string): Amount {
  if (!PLAIN_DECIMAL.test(text)) throw new Error(`not a plain decimal: ${text}`)
  return new Exact(text)
}

export function isAmount(value: unknown): value is Amount {
  return value instanceof Exact
}

/** Plain notation, never exponential, no trailing zeros. */
export function formatAmount(value: Amount): string {
  return value.toFixed()
}

/** A whole number of units of 10^-18, as the state file has amounts. */
export function unitsOf(value: Amount): string {
  return value.times(UNITS_A_WHOLE).toFixed()
}

export function amountOfUnits(units: string | Amount): Amount {
  return new Exact(units).times(UNIT)
}

/** Cut off after 18 decimals. For values that are not negative, as all of these are. */
export function cutDown(value: Amount): Amount {
  return value.toDecimalPlaces(DECIMALS, Decimal.ROUND_DOWN)
}

/** a × b, rounded down. */
export function multiplyDown(a: Amount, b: Amount): Amount {
  return cutDown(a.times(b))
}

/** a ÷ b, rounded down. As a whole number of units, because a quotient of 120 digits takes four times as long. */
export function divideDown(a: Amount, b: Amount): Amount {
  return amountOfUnits(a.times(UNITS_A_WHOLE).divToInt(b))
}

/** The largest multiple of `increment` that is not above `value`. */
export function truncateTo(value: Amount, increment: Amount): Amount {
  return value.toNearest(increment, Decimal.ROUND_DOWN)
}

/** The smallest multiple of `increment` that is not below `value`. */
export function raiseTo(value: Amount, increment: Amount): Amount {
  return value.toNearest(increment, Decimal.ROUND_UP)
}

/** `value`, which is above zero, in so many digits, rounded down or up. */
export function inDigits(value: Amount, digits: number, towards: 'down' | 'up'): Amount {
  return value.toSignificantDigits(digits, towards === 'down' ? Decimal.ROUND_DOWN : Decimal.ROUND_UP)
}

/** The largest power of ten that is not above `value`, which is above zero. */
export function powerOfTen(value: Amount): Amount {
  return new Exact(`1e${value.e}`)
}

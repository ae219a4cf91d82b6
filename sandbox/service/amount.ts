// Exact decimal arithmetic for the sandbox: a decimal is a bigint counting units of 10^-18.
// Owns parsing, printing and rounding. Never touches `number`, and shares no code with the client,
// because the witness must not inherit the client's mistakes.

/** One, in units of 10^-18. */
export const ONE = 10n ** 18n

const PLAIN_DECIMAL = /^(0|[1-9][0-9]{0,29})(?:\.([0-9]{1,18}))?$/

/** A plain decimal string as units of 10^-18; undefined for any other spelling. */
export function findAmount(text: string): bigint | undefined {
  const match = PLAIN_DECIMAL.exec(text)
  if (match === null) return undefined
  return BigInt(match[1] as string) * ONE + BigInt((match[2] ?? '').padEnd(18, '0'))
}

/** As `findAmount`, for amounts that this program wrote itself. */
export function amount(text: string): bigint {
  const found = findAmount(text)
  if (found === undefined) throw new Error(`not a plain decimal: ${text}`)
  return found
}

/** Plain notation, never exponential, no trailing zeros. */
export function formatAmount(value: bigint): string {
  const sign = value < 0n ? '-' : ''
  const digits = (value < 0n ? -value : value).toString().padStart(19, '0')
  const whole = digits.slice(0, -18)
  const fraction = digits.slice(-18).replace(/0+$/, '')
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
}

/** a × b, rounded down. For values that are not negative, as all of these are. */
export function multiplyDown(a: bigint, b: bigint): bigint {
  return (a * b) / ONE
}

/** a ÷ b, rounded down. */
export function divideDown(a: bigint, b: bigint): bigint {
  return (a * ONE) / b
}

/** The largest multiple of `increment` that is not above `value`. */
export function truncateTo(value: bigint, increment: bigint): bigint {
  return value - (value % increment)
}

/** The smallest multiple of `increment` that is not below `value`. */
export function raiseTo(value: bigint, increment: bigint): bigint {
  return truncateTo(value + increment - 1n, increment)
}

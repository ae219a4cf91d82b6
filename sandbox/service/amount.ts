// Exact decimal arithmetic for the sandbox: a decimal is a bigint counting units of 10^-18.
// Owns parsing, printing and rounding. Never touches `number`, and shares no code with the client,
// because the witness must not inherit the client's mistakes.

/** One, in units of 10^-18. */
export const ONE = 10n ** 18n

const PLAIN_DECIMAL = /^(0|[1-9][0-9]{0,29})(?:\.([0-9]{1,18}))?$/

const ZERO = '0'.charCodeAt(0)

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
  if (value === 0n) return '0'
  if (value < 0n) return `-${formatAmount(-value)}`
  const digits = value.toString().padStart(19, '0')
  const point = digits.length - 18
  let end = digits.length
  while (end > point && digits.charCodeAt(end - 1) === ZERO) end -= 1
  return end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`
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

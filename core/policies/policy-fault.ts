// Defines the form of a fault across fields, and the exact arithmetic that the rules need. It contains no rule.

/** A fault of treasury.json that no single field shows. */
export interface PolicyFault {
  /** Path from the root of treasury.json. */
  readonly path: readonly (string | number)[]
  /** `expected …; got …`, with the way to fix it. */
  readonly message: string
}

export type Path = PolicyFault['path']

export function fault(path: Path, message: string): PolicyFault {
  return { path, message }
}

/** The path as people write it: `policies.mix.hubs[0]`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('')
}

/** Decimal places of an amount. */
const DIGITS = 18

/** The amount as a whole number of 10^-18. `text`: has passed AMOUNT_PATTERN. */
export function unitsOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(DIGITS, '0'))
}

/** The plain decimal notation of a whole number of 10^-18, zero or more. */
export function textOf(units: bigint): string {
  const digits = units.toString().padStart(DIGITS + 1, '0')
  return `${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`.replace(/\.?0+$/, '')
}

/** Index of the first code that names the same asset as an earlier code. */
export function findRepeat(codes: readonly string[]): number | undefined {
  const seen = new Set<string>()
  const index = codes.findIndex((code) => seen.size === seen.add(code.toLowerCase()).size)
  return index < 0 ? undefined : index
}

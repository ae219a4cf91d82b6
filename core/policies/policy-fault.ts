// The form of what a rule across fields finds, and the exact arithmetic that such rules need. It knows no rule.

/** One thing wrong in treasury.json that no single field shows. */
export interface PolicyFault {
  /** From the root of treasury.json. */
  readonly path: readonly (string | number)[]
  /** `expected …; got …`, with the fix. */
  readonly message: string
}

export type Path = PolicyFault['path']

export function fault(path: Path, message: string): PolicyFault {
  return { path, message }
}

/** `policies.mix.hubs[0]`, as people write it. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('')
}

const DIGITS = 18

/** An amount as a count of 10^-18. `text` has passed AMOUNT_PATTERN. */
export function unitsOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(DIGITS, '0'))
}

/** The plain notation of such a count, zero or more. */
export function textOf(units: bigint): string {
  const digits = units.toString().padStart(DIGITS + 1, '0')
  return `${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`.replace(/\.?0+$/, '')
}

/** The first of `codes` that names the same asset as an earlier one, by its index. */
export function findRepeat(codes: readonly string[]): number | undefined {
  const seen = new Set<string>()
  const index = codes.findIndex((code) => seen.size === seen.add(code.toLowerCase()).size)
  return index < 0 ? undefined : index
}

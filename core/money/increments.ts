// Says which amounts a service may make of an amount by cutting it to a coarser increment. Pure.
import { type Decimal, parseDecimal, truncate } from './decimal.ts'

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

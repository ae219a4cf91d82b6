// Prints figures for people, in sentences and tables. Figures are cut off, never rounded, and no decision uses them.
// Counts how far a policy's holdings were from its targets: the metric `TrackingError` and the costs of a month use
// the same figures.
import type { Plan } from '../contract/plan.ts'
import {
  type Decimal,
  divide,
  formatDecimal,
  magnitude,
  minus,
  parseDecimal,
  partOf,
  quantiseDown,
  sumOf,
  truncate,
  WHOLE_BPS,
} from '../money/decimal.ts'

const MILLIONTH = parseDecimal('0.000001', 'millionth')
const MILLIONTHS = 1_000_000
const MILLIONTHS_OF_ONE = BigInt(MILLIONTHS)

/** `12.3456789` becomes `12.345678`: cut off after six places, towards zero. */
export function figure(value: Decimal): string {
  return formatDecimal(truncate(value, MILLIONTH))
}

/** `12.345678 BTC`. */
export function figureOf(value: Decimal, asset: string): string {
  return `${figure(value)} ${asset}`
}

/** `part` of `whole` in basis points, cut off after one place: `12.5`. */
export function bpsOf(part: Decimal, whole: Decimal): string {
  const tenths: bigint = partOf(part, 10n * WHOLE_BPS, whole, 'down')
  return `${tenths / 10n}.${tenths % 10n}`
}

/** Millionths. Below this a number keeps every digit: a number holds 15 decimal digits. */
const MOST_AS_NUMBER = 1e15
/** Millionths. Below this a product of rounded numbers is off by less than `DOUBT`. */
const MOST_SURE = 1e9
const DOUBT = 1e-6

/**
 * Returns a function that writes a part of `whole` as a share, cut off after six places. It computes with numbers where they
 * leave no doubt about the last place, which takes a third of the time. A share is no amount of money.
 */
export function sharesOf(whole: Decimal): (part: Decimal) => string {
  if (whole === 0n) return () => '0'
  const scale = MILLIONTHS / Number(whole)
  return (part) => {
    const estimate = Number(part) * scale
    const cut = Math.floor(estimate)
    const isSure = estimate < MOST_SURE && estimate - cut > DOUBT && cut + 1 - estimate > DOUBT
    const millionths = isSure ? cut : Number(partOf(part, MILLIONTHS_OF_ONE, whole, 'down'))
    if (millionths < MOST_AS_NUMBER) return String(millionths / MILLIONTHS)
    return formatDecimal(quantiseDown(divide(part, whole, 'down'), MILLIONTH))
  }
}

/**
 * Half of the sum of all weight differences, in basis points: the share that must change hands. Undefined where no asset
 * has a target.
 * @throws AmountError
 */
export function trackingErrorBps({ positions }: Pick<Plan, 'positions'>): Decimal | undefined {
  const apart = positions.flatMap(({ weight, targetWeight }) =>
    targetWeight === undefined
      ? []
      : [magnitude(minus(parseDecimal(weight, 'weight'), parseDecimal(targetWeight, 'targetWeight')))],
  )
  return apart.length === 0 ? undefined : partOf(sumOf(apart), WHOLE_BPS, 2n, 'down')
}

// The few sums that a report shows beside the figures of a run. They are exact, and each names its rounding.
import {
  type Decimal,
  formatDecimal,
  magnitude,
  minus,
  negate,
  ONE_UNIT,
  parseSignedDecimal,
  partOf,
  sumOf,
  truncate,
  WHOLE_BPS,
} from '../../core/money/decimal.ts'
import { figure } from '../../core/planning/figures.ts'

/** A figure of a report, which may have a sign. Throws AmountError for text that is no amount. */
function read(text: string): Decimal {
  return parseSignedDecimal(text, 'amount')
}

/** `value * numerator / denominator`, cut towards zero. The factors are zero or more. */
function scaled(value: Decimal, numerator: bigint, denominator: bigint): Decimal {
  const size = partOf(magnitude(value), numerator, denominator, 'down')
  return value < 0n ? negate(size) : size
}

/** A value as people read it, cut off after six places. An empty text stays empty. */
export function shown(value: string): string {
  return value === '' ? value : figure(read(value))
}

/** `0.125` → `12.5`. */
export function percent(weight: string): string {
  return formatDecimal(scaled(read(weight), 100n, 1n))
}

export function total(amounts: readonly string[]): string {
  return formatDecimal(sumOf(amounts.map(read)))
}

/** `quote / base`, cut after `digits`; undefined where the base is zero. */
export function rateOf(quoteAmount: string, baseAmount: string, digits: number): string | undefined {
  const base = read(baseAmount)
  if (base === 0n) return undefined
  const unit = partOf(ONE_UNIT, 1n, 10n ** BigInt(digits), 'down')
  return formatDecimal(truncate(scaled(read(quoteAmount), ONE_UNIT, base), unit))
}

/**
 * By how much a rate was worse (positive) or better (negative) than expected, in basis points, cut towards
 * zero after one digit. A BUY is worse when it paid more, a SELL when it got less.
 */
export function slippageBps(side: 'BUY' | 'SELL', expected: string, actual: string): string | undefined {
  const from = read(expected)
  if (from === 0n) return undefined
  const more = side === 'BUY' ? minus(read(actual), from) : minus(from, read(actual))
  const tenth = partOf(ONE_UNIT, 1n, 10n, 'down')
  return formatDecimal(truncate(scaled(more, WHOLE_BPS * ONE_UNIT, from), tenth))
}

/** Difference of two values as people read it, with a sign: `after - before`. */
export function change(before: string, after: string): string {
  const difference = minus(read(after), read(before))
  return `${difference > 0n ? '+' : ''}${figure(difference)}`
}

/** Rows with the largest value first. Only for ordering and drawing. */
export function byValue<Row>(rows: readonly Row[], figureOf: (row: Row) => string): Row[] {
  return rows
    .map((row) => ({ row, value: read(figureOf(row)) }))
    .sort((left, right) => (left.value === right.value ? 0 : left.value > right.value ? -1 : 1))
    .map(({ row }) => row)
}

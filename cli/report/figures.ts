// The few sums that a report shows beside the figures of a run. They are exact, and each names its rounding.
import { type Decimal, formatDecimal, ONE_UNIT, parseDecimal, WHOLE_BPS } from '../../core/money/decimal.ts'
import { figure } from '../../core/planning/figures.ts'

/** A figure of a report, which may have a sign. Throws AmountError for text that is no amount. */
function read(text: string): Decimal {
  return text.startsWith('-') ? (-parseDecimal(text.slice(1), 'amount') as Decimal) : parseDecimal(text, 'amount')
}

/** A value as people read it, cut off after six places. An empty text stays empty. */
export function shown(value: string): string {
  return value === '' ? value : figure(read(value))
}

/** `0.125` → `12.5`. */
export function percent(weight: string): string {
  return formatDecimal((read(weight) * 100n) as Decimal)
}

export function total(amounts: readonly string[]): string {
  return formatDecimal(amounts.reduce((sum, amount) => sum + read(amount), 0n) as Decimal)
}

/** `quote / base`, cut after `digits`; undefined where the base is zero. */
export function rateOf(quoteAmount: string, baseAmount: string, digits: number): string | undefined {
  const base = read(baseAmount)
  if (base === 0n) return undefined
  const unit = 10n ** BigInt(18 - digits)
  const rate = (read(quoteAmount) * ONE_UNIT) / base
  return formatDecimal((rate - (rate % unit)) as Decimal)
}

/**
 * By how much a rate was worse (positive) or better (negative) than expected, in basis points, cut towards
 * zero after one digit. A BUY is worse when it paid more, a SELL when it got less.
 */
export function slippageBps(side: 'BUY' | 'SELL', expected: string, actual: string): string | undefined {
  const from = read(expected)
  if (from === 0n) return undefined
  const more = side === 'BUY' ? read(actual) - from : from - read(actual)
  const tenths = (more * WHOLE_BPS * 10n) / from
  return formatDecimal(((tenths * ONE_UNIT) / 10n) as Decimal)
}

/** Difference of two values as people read it, with a sign: `after - before`. */
export function change(before: string, after: string): string {
  const difference = read(after) - read(before)
  return `${difference > 0n ? '+' : ''}${figure(difference as Decimal)}`
}

/** Rows with the largest value first. Only for ordering and drawing. */
export function byValue<Row>(rows: readonly Row[], figureOf: (row: Row) => string): Row[] {
  return rows
    .map((row) => ({ row, value: read(figureOf(row)) }))
    .sort((left, right) => (left.value === right.value ? 0 : left.value > right.value ? -1 : 1))
    .map(({ row }) => row)
}

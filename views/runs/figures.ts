// Computes the sums that a report shows beside the figures of a run, by decimal.js, and formats figures. A sum is cut
// off, never rounded up, and nothing is decided by it. Amounts are texts at the border of this file, because operators
// on objects of decimal.js compare text.
import { Decimal } from 'decimal.js'
import { AMOUNT_PATTERN } from '../../core/contract/amount.ts'
import { AmountError } from '../../core/money/decimal.ts'
import { READ_DIGITS, shortened } from '../text/cut-figures.ts'

export { AMOUNT_DIGITS, type Cut, readable, shortened } from '../text/cut-figures.ts'

/** 120 digits make sums and products of amounts with 48 digits exact, and exceed all digits that a quotient shows. */
const Exact = Decimal.clone({ precision: 120, rounding: Decimal.ROUND_DOWN, defaults: true })

/** Decimal places of a value that people read. */
const PLACES = 6

/** Narrow space that does not break. */
const GROUP = '\u202f'

/**
 * Reads a figure of a report, which may have a sign.
 * @throws AmountError for a text that is not an amount
 */
function read(text: string): Decimal {
  if (!AMOUNT_PATTERN.test(text.replace(/^-/, ''))) throw new AmountError('amount', text)
  return new Exact(text)
}

/** Cuts towards zero, and drops trailing zeros. */
function cut(value: Decimal, places: number): string {
  return value.toDecimalPlaces(places).toFixed()
}

/** A value as people read it, cut to six decimal places. An empty text stays empty. */
export function shown(value: string): string {
  return value === '' ? value : cut(read(value), PLACES)
}

/** The share of `part` in `whole`, in percent. Undefined for a whole of zero. */
export function shareOf(part: string, whole: string): string | undefined {
  const all = read(whole)
  return all.isZero() ? undefined : cut(read(part).times(100).div(all), PLACES)
}

/** `1234567.891` → `1 234 567.891`, with a narrow space that does not break. Other text stays unchanged. */
export function grouped(amount: string): string {
  const [, sign = '', whole = '', rest = ''] = /^([-+]?)([0-9]+)(\.[0-9]+…?)?$/.exec(amount) ?? []
  if (whole === '') return amount
  return `${sign}${whole.replace(/\B(?=([0-9]{3})+$)/g, GROUP)}${rest}`
}

/** Matches an amount before the code of its asset, but not an id after the name of its kind. */
const AMOUNT_IN_TEXT =
  /(?<![\w.,:/-])(?<!\b(?:order|withdrawal|intent|run|id) )([0-9]{4,}(?:\.[0-9]+…?)?)(?= [A-Z][A-Z0-9]{1,11}\b)/g

/** Matches a time, but not in the value of an option, which somebody may copy. */
const TIME_IN_TEXT = /(?<!--[a-z-]{1,20}[ =])\b(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d{1,9})?Z/g

/** `sell 24374.59 EUR at 2026-01-31T09:00:05.123Z` → `sell 24 374.59 EUR at 2026-01-31 09:00:05`. Other numbers stay as they are. */
export function prose(text: string, digits = READ_DIGITS): string {
  return spelled(shortened(text, digits))
}

/** The same with every digit. */
export function spelled(text: string): string {
  return text.replace(AMOUNT_IN_TEXT, (amount) => grouped(amount)).replace(TIME_IN_TEXT, '$1 $2')
}

/** Adds a full stop where the text has no end mark. */
export function sentence(text: string): string {
  const spoken = prose(text)
  return /[.!?…]$/.test(spoken) ? spoken : `${spoken}.`
}

/** `0.125` → `12.5`. */
export function percent(weight: string): string {
  return read(weight).times(100).toFixed()
}

export function total(amounts: readonly string[]): string {
  return amounts.reduce((sum, amount) => sum.plus(read(amount)), new Exact(0)).toFixed()
}

/** `quote / base`, cut to `digits` decimal places. Undefined for a base of zero. */
export function rateOf(quoteAmount: string, baseAmount: string, digits: number): string | undefined {
  const base = read(baseAmount)
  return base.isZero() ? undefined : cut(read(quoteAmount).div(base), digits)
}

/**
 * How much worse (positive) or better (negative) the actual rate is, in basis points, cut towards zero to one decimal place.
 * A BUY is worse when it paid more, a SELL when it got less. Undefined for an expected rate of zero.
 */
export function slippageBps(side: 'BUY' | 'SELL', expected: string, actual: string): string | undefined {
  const from = read(expected)
  if (from.isZero()) return undefined
  const more = side === 'BUY' ? read(actual).minus(from) : from.minus(read(actual))
  return cut(more.times(10_000).div(from), 1)
}

interface PlannedSpread {
  readonly side: 'BUY' | 'SELL'
  readonly indicativeRate: string
  /** Planned cost in the valuation asset: half the difference between both sides of the market, for the amount `base`. */
  readonly cost: string
  readonly base: string
  /** The planned quote amount, and its value in the valuation asset. */
  readonly quote: string
  readonly quoteValue: string
}

/**
 * The actual cost of the spread, in the valuation asset. It is the planned cost of the filled part, plus the loss against the
 * indicative rate. Below zero where the fills were better than the middle of both sides. Undefined where the plan has a zero.
 */
export function spreadPaid(
  { side, indicativeRate, cost, base, quote, quoteValue }: PlannedSpread,
  filled: { readonly baseAmount: string; readonly quoteAmount: string },
): string | undefined {
  if (read(base).isZero() || read(quote).isZero()) return undefined
  const planned = read(cost).times(read(filled.baseAmount)).div(read(base))
  const expected = read(filled.baseAmount).times(read(indicativeRate))
  const actual = read(filled.quoteAmount)
  const worse = side === 'BUY' ? actual.minus(expected) : expected.minus(actual)
  return cut(planned.plus(worse.times(read(quoteValue)).div(read(quote))), PLACES)
}

/** `after - before` in value, as people read it, with a sign. */
export function change(before: string, after: string): string {
  const changed = read(after).minus(read(before))
  return `${changed.greaterThan(0) ? '+' : ''}${cut(changed, PLACES)}`
}

/** `after - before` of an amount, with every digit and a sign. */
export function difference(before: string, after: string): string {
  const changed = read(after).minus(read(before))
  return `${changed.greaterThan(0) ? '+' : ''}${changed.toFixed()}`
}

/** Rows with the largest value first, for ordering and drawing only. */
export function byValue<Row>(rows: readonly Row[], figureOf: (row: Row) => string): Row[] {
  return rows
    .map((row) => ({ row, value: read(figureOf(row)) }))
    .sort((left, right) => right.value.comparedTo(left.value))
    .map(({ row }) => row)
}

// The few sums that a report shows beside the figures of a run, by decimal.js. Each is cut off, never rounded up, and
// nothing is decided by them. Texts come in and go out: an operator on an object of decimal.js would compare text.
import { Decimal } from 'decimal.js'
import { AMOUNT_PATTERN } from '../../core/contract/amount.ts'
import { AmountError } from '../../core/money/decimal.ts'

/** Sums and products of amounts of 48 digits are exact, and of a quotient all digits that anybody is shown are. */
const Exact = Decimal.clone({ precision: 120, rounding: Decimal.ROUND_DOWN, defaults: true })

const PLACES = 6

const GROUP = '\u202f'

/** A figure of a report, which may have a sign. Throws AmountError for text that is no amount. */
function read(text: string): Decimal {
  if (!AMOUNT_PATTERN.test(text.replace(/^-/, ''))) throw new AmountError('amount', text)
  return new Exact(text)
}

/** Cut off towards zero, without trailing zeros. */
function cut(value: Decimal, places: number): string {
  return value.toDecimalPlaces(places).toFixed()
}

/** A value as people read it, cut off after six places. An empty text stays empty. */
export function shown(value: string): string {
  return value === '' ? value : cut(read(value), PLACES)
}

/** `1234567.891` → `1 234 567.891`, with a space that does not break. What is no amount stays as it is. */
export function grouped(amount: string): string {
  const [, sign = '', whole = '', rest = ''] = /^([-+]?)([0-9]+)(\.[0-9]+…?)?$/.exec(amount) ?? []
  if (whole === '') return amount
  return `${sign}${whole.replace(/\B(?=([0-9]{3})+$)/g, GROUP)}${rest}`
}

/** An amount before the code of its asset, and not an id after the word for what it names. */
const AMOUNT_IN_TEXT =
  /(?<![\w.,:/-])(?<!\b(?:order|withdrawal|intent|run|id) )([0-9]{4,}(?:\.[0-9]+)?)(?= [A-Z][A-Z0-9]{1,11}\b)/g

/** And not the value of an option, which somebody may copy. */
const TIME_IN_TEXT = /(?<!--[a-z-]{1,20}[ =])\b(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d{1,9})?Z/g

/** `sell 24374.59 EUR at 2026-01-31T09:00:05.123Z` → `sell 24 374.59 EUR at 2026-01-31 09:00:05`. Other numbers stay as they are. */
export function prose(text: string): string {
  return text.replace(AMOUNT_IN_TEXT, (amount) => grouped(amount)).replace(TIME_IN_TEXT, '$1 $2')
}

/** With one full stop, of whoever wrote it. */
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

/** `quote / base`, cut after `digits`; undefined where the base is zero. */
export function rateOf(quoteAmount: string, baseAmount: string, digits: number): string | undefined {
  const base = read(baseAmount)
  return base.isZero() ? undefined : cut(read(quoteAmount).div(base), digits)
}

/**
 * By how much a rate was worse (positive) or better (negative) than expected, in basis points, cut towards
 * zero after one digit. A BUY is worse when it paid more, a SELL when it got less.
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
  /** Of the plan, in the valuation asset: half of what lies between the two sides, for `base`. */
  readonly cost: string
  readonly base: string
  /** What the quote side was planned to be, and its value in the valuation asset. */
  readonly quote: string
  readonly quoteValue: string
}

/**
 * What the spread cost in the end, in the valuation asset: the planned cost for as much as was filled, and by how much the
 * fills were worse (more) or better (less) than the indicative rate. Below zero where they were better than the middle.
 * Undefined where the plan tells too little.
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

/** Difference of two values as people read it, with a sign: `after - before`. */
export function change(before: string, after: string): string {
  const difference = read(after).minus(read(before))
  return `${difference.greaterThan(0) ? '+' : ''}${cut(difference, PLACES)}`
}

/** Rows with the largest value first. Only for ordering and drawing. */
export function byValue<Row>(rows: readonly Row[], figureOf: (row: Row) => string): Row[] {
  return rows
    .map((row) => ({ row, value: read(figureOf(row)) }))
    .sort((left, right) => right.value.comparedTo(left.value))
    .map(({ row }) => row)
}

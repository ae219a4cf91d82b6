// Derives from the ledger's entries what happened to one withdrawal. Pure. The service promises that amounts are positive and
// that the type of an entry carries its direction, and lists no types (description, "Deposits and ledger records"). So the two
// legs of a debit in a double-entry ledger look like a debit and its refund, unless a name tells them apart.
import { type Decimal, parseDecimal, plus, sumOf, ZERO } from '../../money/decimal.ts'
import type { WithdrawalState } from '../../service/ports.ts'

export interface BookedEntry {
  /** The entry's type and the type of its source, as the ledger names them. */
  readonly type: string
  /** Settled and positive; null where it cannot be read, or may belong to another withdrawal. */
  readonly amount: string | null
}

/**
 * `none`: no entry yet, or none for good where a service books at completion and the withdrawal failed. `debited`: its total or
 * less has left. `refunded`: entries named as a refund give its whole total back. `unclear`: there is more than a debit, and no
 * name shows that the whole total came back.
 */
export type Booking = 'none' | 'debited' | 'refunded' | 'unclear'

/**
 * Words in the type of an entry that gives money back. "Credit" and "release" are left out: a debit can have a leg of that
 * name.
 */
const GIVES_BACK = /refund|revers|return/i
const ALL_GIVING_BACK = /refund|revers|return/gi
/** Maximum entries of one refund. With more entries, too many sums would have to be tried, and the booking is `unclear`. */
const MOST_BACK = 12

/** `total`: the debited amount and fee. Each of them may be one entry or several, and each entry may have a second leg. */
export function bookingOf(entries: readonly BookedEntry[], total: string): Booking {
  if (entries.length === 0) return 'none'
  if (!areRead(entries)) return 'unclear'
  const whole = parseDecimal(total, 'total')
  const refunds = entries.filter(({ type }) => GIVES_BACK.test(type))
  const debits = entries.filter(({ type }) => !GIVES_BACK.test(type))
  if (refunds.length === 0) return totalOf(debits) <= whole ? 'debited' : 'unclear'
  return areWhole(refunds, whole, legsOf(debits, whole)) ? 'refunded' : 'unclear'
}

interface Booked {
  readonly row: Pick<WithdrawalState, 'amount' | 'fee' | 'total'>
  readonly entries: readonly BookedEntry[]
}

/**
 * Decides where no name does, by comparison with a COMPLETED withdrawal. Nothing of that one came back, so its entries show
 * what a debit looks like, and all further entries of the other one give money back. `completed`: of the same asset and kind,
 * with a fee where the other has one.
 */
export function bookingByComparison({ row, entries }: Booked, completed: Booked): Booking {
  if (!areRead(entries) || !areRead(completed.entries)) return 'unclear'
  const debit = completed.entries.map((entry) => figureOf(entry, completed.row))
  const beyond = entries.filter((entry) => {
    const index = debit.indexOf(figureOf(entry, row))
    if (index >= 0) debit.splice(index, 1)
    return index < 0
  })
  // Where the ledger hides a part of the debit, it may hide a part of what came later too.
  if (debit.length > 0) return 'unclear'
  if (beyond.length === 0) return 'debited'
  const whole = parseDecimal(row.total, 'total')
  const legs = legsOf(completed.entries, parseDecimal(completed.row.total, 'total'))
  return isOneRefund(beyond, whole) || areWhole(beyond, whole, legs) ? 'refunded' : 'unclear'
}

/** The type of an entry, with the figure of its withdrawal that it equals. */
function figureOf({ type, amount }: BookedEntry, row: Booked['row']): string {
  const equals = (figure: string) =>
    amount !== null && parseDecimal(amount, 'amount') === parseDecimal(figure, 'figure')
  const name = (['total', 'amount', 'fee'] as const).find((figure) => equals(row[figure]))
  return `${type} ${name ?? 'of another amount'}`
}

/**
 * Number of entries that the ledger shows for each movement, derived from a debit; `undefined` where it is neither one nor two.
 */
function legsOf(debit: readonly BookedEntry[], total: Decimal): 1 | 2 | undefined {
  const sum = totalOf(debit)
  if (sum === total) return 1
  return sum === plus(total, total) ? 2 : undefined
}

/**
 * Whether entries give the whole total back: with as many legs as the debit has, and in that form. Entries that form two equal
 * halves may be the two legs of a refund of half the total.
 */
function areWhole(entries: readonly BookedEntry[], total: Decimal, legs: 1 | 2 | undefined): boolean {
  if (legs === undefined || entries.length > MOST_BACK || mayTakeBack(entries)) return false
  return totalOf(entries) === (legs === 1 ? total : plus(total, total)) && areTwoHalves(entries) === (legs === 2)
}

/**
 * Whether one of the entries may undo another. That is so for two different refund words, as in the reversal of a refund. It is
 * so where only some entries have a refund word. It is also so where the type of one entry has all words of another with the
 * same amount, and more: a refund, and a refund that is cancelled.
 */
function mayTakeBack(entries: readonly BookedEntry[]): boolean {
  const refundWords = entries.flatMap(({ type }) => type.match(ALL_GIVING_BACK) ?? [])
  if (new Set(refundWords.map((refundWord) => refundWord.toLowerCase())).size > 1) return true
  if (refundWords.length > 0 && !entries.every(({ type }) => GIVES_BACK.test(type))) return true
  return entries.some((entry) => entries.some((other) => isSameAmount(entry, other) && hasMoreWords(entry, other)))
}

function hasMoreWords(entry: BookedEntry, other: BookedEntry): boolean {
  const [longer, shorter] = [wordsOf(entry), wordsOf(other)]
  return shorter.size < longer.size && [...shorter].every((part) => longer.has(part))
}

function wordsOf({ type }: BookedEntry): ReadonlySet<string> {
  const text = type.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return new Set(text.match(/[a-z]+/g))
}

/** A single entry over the whole total: one leg of a partial refund is less than that. */
function isOneRefund(entries: readonly BookedEntry[], total: Decimal): boolean {
  return entries.length === 1 && entries.every((entry) => GIVES_BACK.test(entry.type) && amountOf(entry) === total)
}

/** Tries the sum of every subset. */
function areTwoHalves(entries: readonly BookedEntry[]): boolean {
  let sums = new Set<Decimal>([ZERO])
  for (const entry of entries) sums = new Set([...sums].flatMap((sum) => [sum, plus(sum, amountOf(entry))]))
  const whole = totalOf(entries)
  return [...sums].some((sum) => plus(sum, sum) === whole)
}

function areRead(entries: readonly BookedEntry[]): boolean {
  return entries.every(({ amount }) => amount !== null)
}

function isSameAmount(entry: BookedEntry, other: BookedEntry): boolean {
  return amountOf(entry) === amountOf(other)
}

function totalOf(entries: readonly BookedEntry[]): Decimal {
  return sumOf(entries.map(amountOf))
}

/** For entries whose amounts were read. */
function amountOf({ amount }: BookedEntry): Decimal {
  return amount === null ? ZERO : parseDecimal(amount, 'amount')
}

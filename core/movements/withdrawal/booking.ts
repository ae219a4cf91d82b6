// Says what the entries of the ledger show of one withdrawal. Pure. The service promises that amounts are positive and that
// the type of an entry carries its direction, and names no types (description, "Deposits and ledger records"). So both legs
// of a debit in a double-entry ledger look like a debit and its refund, unless a name tells them apart.
import { type Decimal, parseDecimal, plus, sumOf, ZERO } from '../../money/decimal.ts'
import type { WithdrawalState } from '../../service/ports.ts'

export interface BookedEntry {
  /** Its type and that of its source, as the ledger names them. */
  readonly type: string
  /** Settled and positive; null where it cannot be read, or may be another's. */
  readonly amount: string | null
}

/**
 * `none`: no entry at all, as before it is booked, and for good where a service books at completion and it failed.
 * `debited`: its total or less has left. `refunded`: entries that are named as a refund give its whole total back.
 * `unclear`: there is more than a debit, and no name says that the whole total came back.
 */
export type Booking = 'none' | 'debited' | 'refunded' | 'unclear'

/** Words of a type that gives money back. Credit and release are none: a debit has a leg of such a name too. */
const GIVES_BACK = /refund|revers|return/i
const ALL_GIVING_BACK = /refund|revers|return/gi
/** Entries of one refund: more are not tried for being two legs. */
const MOST_BACK = 12

/** `total`: what was debited, amount and fee. Either may be one entry or several, and each may have a second leg. */
export function bookingOf(entries: readonly BookedEntry[], total: string): Booking {
  if (entries.length === 0) return 'none'
  if (!areRead(entries)) return 'unclear'
  const whole = parseDecimal(total, 'total')
  const back = entries.filter(({ type }) => GIVES_BACK.test(type))
  const gone = entries.filter(({ type }) => !GIVES_BACK.test(type))
  if (back.length === 0) return totalOf(gone) <= whole ? 'debited' : 'unclear'
  return areWhole(back, whole, legsOf(gone, whole)) ? 'refunded' : 'unclear'
}

/** A withdrawal, and its entries. */
export interface Booked {
  readonly row: Pick<WithdrawalState, 'amount' | 'fee' | 'total'>
  readonly entries: readonly BookedEntry[]
}

/**
 * Decides what no name does, by a withdrawal that is COMPLETED: nothing of it came back, so its entries show what a debit
 * looks like. What the other has beyond them gives back. `completed`: of the same asset and kind, with a fee where the other has one.
 */
export function bookingBeside({ row, entries }: Booked, completed: Booked): Booking {
  if (!areRead(entries) || !areRead(completed.entries)) return 'unclear'
  const debit = completed.entries.map((entry) => figureOf(entry, completed.row))
  const beyond = entries.filter((entry) => {
    const at = debit.indexOf(figureOf(entry, row))
    if (at >= 0) debit.splice(at, 1)
    return at < 0
  })
  // What the ledger does not show of the debit, it may not show of what came after it either.
  if (debit.length > 0) return 'unclear'
  if (beyond.length === 0) return 'debited'
  const whole = parseDecimal(row.total, 'total')
  const legs = legsOf(completed.entries, parseDecimal(completed.row.total, 'total'))
  return isOneRefund(beyond, whole) || areWhole(beyond, whole, legs) ? 'refunded' : 'unclear'
}

/**
 * Whether one of the entries may undo another. Of two such words, as in the reversal of a refund, one may; so may a type
 * that has more words than another one of the same amount, as a refund and a refund that is cancelled; and one without
 * such a word beside one with it.
 */
function mayTakeBack(entries: readonly BookedEntry[]): boolean {
  const words = entries.flatMap(({ type }) => type.match(ALL_GIVING_BACK) ?? [])
  if (new Set(words.map((word) => word.toLowerCase())).size > 1) return true
  if (words.length > 0 && !entries.every(({ type }) => GIVES_BACK.test(type))) return true
  return entries.some((entry) => entries.some((other) => isSameAmount(entry, other) && hasMoreWords(entry, other)))
}

function hasMoreWords(entry: BookedEntry, other: BookedEntry): boolean {
  const [words, fewer] = [wordsOf(entry), wordsOf(other)]
  return fewer.size < words.size && [...fewer].every((word) => words.has(word))
}

function wordsOf({ type }: BookedEntry): ReadonlySet<string> {
  const parts = type.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return new Set(parts.match(/[a-z]+/g))
}

/** Which of its withdrawal's figures an entry is over, and its type. */
function figureOf({ type, amount }: BookedEntry, row: Booked['row']): string {
  const is = (figure: string) => amount !== null && parseDecimal(amount, 'amount') === parseDecimal(figure, 'figure')
  const name = (['total', 'amount', 'fee'] as const).find((figure) => is(row[figure]))
  return `${type} ${name ?? 'of another amount'}`
}

/** How many legs the ledger shows of each movement, by the entries of a debit; `undefined` where they are neither one nor two. */
function legsOf(debit: readonly BookedEntry[], total: Decimal): 1 | 2 | undefined {
  const sum = totalOf(debit)
  if (sum === total) return 1
  return sum === plus(total, total) ? 2 : undefined
}

/**
 * Whether entries give a total back: with as many legs as its debit has, and in the form of so many. Entries that two equal
 * halves can be made of may be the two legs of half of it.
 */
function areWhole(entries: readonly BookedEntry[], total: Decimal, legs: 1 | 2 | undefined): boolean {
  if (legs === undefined || entries.length > MOST_BACK || mayTakeBack(entries)) return false
  return totalOf(entries) === (legs === 1 ? total : plus(total, total)) && areTwoHalves(entries) === (legs === 2)
}

/** One leg of a half is less than the total. */
function isOneRefund(entries: readonly BookedEntry[], total: Decimal): boolean {
  return entries.length === 1 && entries.every((entry) => GIVES_BACK.test(entry.type) && amountOf(entry) === total)
}

/** Tries each sum that some of the entries have. */
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

/** Of entries whose amounts were read. */
function amountOf({ amount }: BookedEntry): Decimal {
  return amount === null ? ZERO : parseDecimal(amount, 'amount')
}

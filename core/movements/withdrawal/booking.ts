// Says what the entries of the ledger show of one withdrawal. Pure. The service promises that amounts are positive and that
// the type of an entry carries its direction, and names no types (description, "Deposits and ledger records"). So both legs
// of a debit in a double-entry ledger look like a debit and its refund, unless a name tells them apart.
import { type Decimal, parseDecimal, plus, ZERO } from '../../money/decimal.ts'
import type { WithdrawalState } from '../../service/ports.ts'

export interface BookedEntry {
  /** Its type and that of its source, as the ledger names them. */
  readonly type: string
  /** Settled and positive; null where it cannot be read. */
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

/** `total`: what was debited, amount and fee. Either may be one entry or several, and each may have a second leg. */
export function bookingOf(entries: readonly BookedEntry[], total: string): Booking {
  if (entries.length === 0) return 'none'
  const whole = parseDecimal(total, 'total')
  const back = entries.filter(({ type }) => GIVES_BACK.test(type))
  if (back.some(mayTakeBack)) return 'unclear'
  if (areWhole(back, whole)) return 'refunded'
  const gone = sumsByType(entries.filter(({ type }) => !GIVES_BACK.test(type)))
  const isRead = entries.every(({ amount }) => amount !== null)
  return isRead && back.length === 0 && gone.reduce(plus, ZERO) <= whole ? 'debited' : 'unclear'
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
  const debit = completed.entries.map((entry) => figureOf(entry, completed.row))
  if (debit.length === 0) return 'unclear'
  const beyond = entries.filter((entry) => {
    const at = debit.indexOf(figureOf(entry, row))
    if (at >= 0) debit.splice(at, 1)
    return at < 0
  })
  if (beyond.length === 0) return 'debited'
  if (entries.some(mayTakeBack)) return 'unclear'
  return areWhole(beyond, parseDecimal(row.total, 'total')) ? 'refunded' : 'unclear'
}

/** Of two such words, as in the reversal of a refund, one may undo the other. */
function mayTakeBack({ type }: BookedEntry): boolean {
  const words = type.match(ALL_GIVING_BACK) ?? []
  return new Set(words.map((word) => word.toLowerCase())).size > 1
}

/** Which of its withdrawal's figures an entry is over, and its type. */
function figureOf({ type, amount }: BookedEntry, row: Booked['row']): string {
  const is = (figure: string) => amount !== null && parseDecimal(amount, 'amount') === parseDecimal(figure, 'figure')
  const name = (['total', 'amount', 'fee'] as const).find((figure) => is(row[figure]))
  return `${type} ${name ?? 'of another amount'}`
}

/**
 * Whether entries add up to a total: all of them, or those of one type; with both legs of each, to twice as much. Entries
 * that come in pairs of one amount may be the two legs of half of it.
 */
function areWhole(entries: readonly BookedEntry[], total: Decimal): boolean {
  const sums = sumsByType(entries)
  const most = plus(total, total)
  if (areInPairs(entries)) return sums.reduce(plus, ZERO) === most
  return [...sums, sums.reduce(plus, ZERO)].some((sum) => sum === total || sum === most)
}

function areInPairs(entries: readonly BookedEntry[]): boolean {
  const unpaired = new Set<Decimal>()
  for (const { amount } of entries) {
    if (amount === null) return false
    const figure = parseDecimal(amount, 'amount')
    if (!unpaired.delete(figure)) unpaired.add(figure)
  }
  return entries.length > 0 && unpaired.size === 0
}

function sumsByType(entries: readonly BookedEntry[]): Decimal[] {
  const sums = new Map<string, Decimal>()
  for (const { type, amount } of entries) {
    if (amount !== null) sums.set(type, plus(sums.get(type) ?? ZERO, parseDecimal(amount, 'amount')))
  }
  return [...sums.values()]
}

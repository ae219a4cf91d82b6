// Says what the entries of the ledger show of one withdrawal. Pure. The service promises that amounts are positive and that
// the type of an entry carries its direction, and names no types (description, "Deposits and ledger records"). So both legs
// of a debit in a double-entry ledger look like a debit and its refund, unless a name tells them apart.
import { type Decimal, parseDecimal, plus, ZERO } from '../../money/decimal.ts'

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

/** `total`: what was debited, amount and fee. Either may be one entry or several, and each may have a second leg. */
export function bookingOf(entries: readonly BookedEntry[], total: string): Booking {
  if (entries.length === 0) return 'none'
  const whole = parseDecimal(total, 'total')
  const back = sumsByType(entries.filter(({ type }) => GIVES_BACK.test(type)))
  const backInAll = back.reduce(plus, ZERO)
  if ([...back, backInAll].some((sum) => sum === whole || sum === plus(whole, whole))) return 'refunded'
  const gone = sumsByType(entries.filter(({ type }) => !GIVES_BACK.test(type)))
  const isRead = entries.every(({ amount }) => amount !== null)
  return isRead && back.length === 0 && gone.reduce(plus, ZERO) <= whole ? 'debited' : 'unclear'
}

function sumsByType(entries: readonly BookedEntry[]): Decimal[] {
  const sums = new Map<string, Decimal>()
  for (const { type, amount } of entries) {
    if (amount !== null) sums.set(type, plus(sums.get(type) ?? ZERO, parseDecimal(amount, 'amount')))
  }
  return [...sums.values()]
}

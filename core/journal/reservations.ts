// What the record of a budget holds: how much each intent has reserved, and in a rolling budget until when that could
// move. Pure.
import * as z from 'zod/mini'
import { type Decimal, formatDecimal, minus, parseDecimal, sumOf, ZERO } from '../money/decimal.ts'
import { checkRecord } from './record-format.ts'
import type { StoredRecord } from './record-store.ts'
import { endOfDayMs } from './sending-days.ts'

/** By intent: `12.5`, or with its end in epoch seconds `12.5@1767225600`. */
export type Reserved = Readonly<Record<string, string>>
const budgetFields = z.object({ reserved: z.record(z.string(), z.string()) })

/** @throws Defect for a record that holds something else */
export function reservedIn(record: StoredRecord | undefined): Reserved {
  return record === undefined ? {} : checkRecord(budgetFields, record).reserved
}

export interface Reservation {
  readonly amount: Decimal
  /** Epoch ms, service time: from then on it cannot move any more. Absent: the end of its day. */
  readonly untilMs?: number
}

export function reservationOf(text: string): Reservation {
  const [amount, untilSeconds] = text.split('@')
  return {
    amount: parseDecimal(amount, 'reserved'),
    ...(untilSeconds !== undefined && { untilMs: Number(untilSeconds) * 1000 }),
  }
}

/** The larger, and the later, of what is wanted and what was reserved before. */
export function reservationText(wanted: Reservation, own: Reservation | undefined): string {
  const amount = own === undefined || own.amount < wanted.amount ? wanted.amount : own.amount
  if (wanted.untilMs === undefined) return formatDecimal(amount)
  const untilMs = Math.max(wanted.untilMs, own?.untilMs ?? 0)
  return `${formatDecimal(amount)}@${Math.ceil(untilMs / 1000)}`
}

/** What counts in a budget, its sum kept up: a record may hold thousands. */
export interface Counting {
  holders(): readonly string[]
  size(): number
  sum(): Decimal
  takeOut(intentId: string): void
}

/** Each intent once, by the most that it reserved on any day. `afterMs`: only those that could move later. */
export function countingOf(
  records: readonly (StoredRecord | undefined)[],
  afterMs: number | undefined,
  leftOut: string | undefined,
): Counting {
  const amounts = new Map<string, Decimal>()
  for (const record of records) {
    for (const [intentId, text] of Object.entries(reservedIn(record))) {
      const { amount, untilMs = endOfDayMs(record?.pk) } = reservationOf(text)
      if (intentId === leftOut || (afterMs !== undefined && untilMs <= afterMs)) continue
      const known = amounts.get(intentId) ?? ZERO
      if (amount > known) amounts.set(intentId, amount)
    }
  }
  let sum = sumOf([...amounts.values()])
  return {
    holders: () => [...amounts.keys()],
    size: () => amounts.size,
    sum: () => sum,
    takeOut(intentId) {
      sum = minus(sum, amounts.get(intentId) ?? ZERO)
      amounts.delete(intentId)
    },
  }
}

// Owns the content of a budget's record: the amount that each intent has reserved, and in a rolling budget until when
// it could move. For DONE intents it may hold a sum, under a holder that is no intent. A release that knows no sums
// counts it as one more permanent reservation. Pure.
import * as z from 'zod/mini'
import { isSettledHolder, settledHolder } from '../contract/records.ts'
import { type Decimal, formatDecimal, minus, parseDecimal, plus, sumOf, ZERO } from '../money/decimal.ts'
import { checkRecord } from './record-format.ts'
import type { StoredRecord } from './record-store.ts'
import { dayIn, endOfDayMs } from './sending-days.ts'

/** Seconds that one sum of a rolling budget covers. Its content counts until the last of them. */
const SUM_SECONDS = 300

/**
 * Text by intent name with its kind, or by holder of a sum: `12.5`, or with its end in epoch seconds `12.5@1767225600`.
 */
export type Reserved = Readonly<Record<string, string>>
const budgetFields = z.object({ reserved: z.record(z.string(), z.string()) })

/** @throws Defect for a record with another content */
export function reservedIn(record: StoredRecord | undefined): Reserved {
  return record === undefined ? {} : checkRecord(budgetFields, record).reserved
}

export interface Reservation {
  readonly amount: Decimal
  /** Epoch ms, service time, after which it cannot move any more. Absent: the end of its day. */
  readonly untilMs?: number
}

export function reservationOf(text: string): Reservation {
  const [amount, untilSeconds] = text.split('@')
  return {
    amount: parseDecimal(amount, 'reserved'),
    ...(untilSeconds !== undefined && { untilMs: Number(untilSeconds) * 1000 }),
  }
}

/** The larger amount and the later end of the wanted and the earlier reservation. */
export function reservationText(wanted: Reservation, own: Reservation | undefined): string {
  const amount = own === undefined || own.amount < wanted.amount ? wanted.amount : own.amount
  if (wanted.untilMs === undefined) return formatDecimal(amount)
  return textOf(amount, Math.ceil(Math.max(wanted.untilMs, own?.untilMs ?? 0) / 1000))
}

function textOf(amount: Decimal, untilSeconds: number | undefined): string {
  return untilSeconds === undefined ? formatDecimal(amount) : `${formatDecimal(amount)}@${untilSeconds}`
}

/** Holders that are single intents. */
export function listedIn(reserved: Reserved): readonly string[] {
  return Object.keys(reserved).filter((holder) => !isSettledHolder(holder))
}

/**
 * The sums of several records, as a text to compare: empty without sums. An intent enters a sum only by a change of this
 * text.
 */
export function sumsText(records: readonly Reserved[]): string {
  const sums = records.flatMap((reserved) => Object.entries(reserved).filter(([holder]) => isSettledHolder(holder)))
  return sums.toSorted().join(' ')
}

/**
 * Whether the intent's whole reservation is in this record. If it could move after midnight, the next day has it too.
 */
export function isOfOneDay(text: string, pk: string): boolean {
  return (reservationOf(text).untilMs ?? 0) < endOfDayMs(pk)
}

/**
 * Moves listed holders into sums: the exact amount of each, and at least its end. Only for DONE intents, because parts
 * are never removed from a sum. `pk`: key of the record.
 */
export function withSumsOf(holders: readonly string[], reserved: Reserved, pk: string): Reserved {
  const next: Record<string, string> = { ...reserved }
  for (const holder of holders) {
    const { amount, untilMs } = reservationOf(reserved[holder] ?? '')
    delete next[holder]
    const until = untilMs === undefined ? undefined : Math.ceil(untilMs / 1000 / SUM_SECONDS) * SUM_SECONDS
    const sum = settledHolder(dayIn(pk), until)
    const before = next[sum]
    next[sum] = textOf(before === undefined ? amount : plus(reservationOf(before).amount, amount), until)
  }
  return next
}

/** Reservations that count in a budget, with a running sum, because a record may hold thousands. */
export interface Counting {
  /** Holders that are single intents. */
  holders(): readonly string[]
  sum(): Decimal
  takeOut(holder: string): void
}

/** Counts each intent once, by its largest reservation on any day. `afterMs`: only those that could move later. */
export function countingOf(
  records: readonly (StoredRecord | undefined)[],
  afterMs: number | undefined,
  leftOut: string | undefined,
): Counting {
  const amounts = new Map<string, Decimal>()
  for (const record of records) {
    for (const [holder, text] of Object.entries(reservedIn(record))) {
      const { amount, untilMs = endOfDayMs(record?.pk) } = reservationOf(text)
      if (holder === leftOut || (afterMs !== undefined && untilMs <= afterMs)) continue
      const known = amounts.get(holder) ?? ZERO
      if (amount > known) amounts.set(holder, amount)
    }
  }
  let sum = sumOf([...amounts.values()])
  return {
    holders: () => [...amounts.keys()].filter((holder) => !isSettledHolder(holder)),
    sum: () => sum,
    takeOut(holder) {
      sum = minus(sum, amounts.get(holder) ?? ZERO)
      amounts.delete(holder)
    },
  }
}

// What the record of a budget holds: how much each intent has reserved, and in a rolling budget until when that could
// move. Of intents that are DONE it may hold a sum instead: it stands under a holder that is no intent, so that a release
// that knows no sums counts it as one more reservation that is never given back. Pure.
import * as z from 'zod/mini'
import { isSettledHolder, settledHolder } from '../contract/records.ts'
import { type Decimal, formatDecimal, minus, parseDecimal, plus, sumOf, ZERO } from '../money/decimal.ts'
import { checkRecord } from './record-format.ts'
import type { StoredRecord } from './record-store.ts'
import { dayIn, endOfDayMs } from './sending-days.ts'

/** Sums of a rolling budget are of so many seconds each: what is in one counts until the last of them. */
const SUM_SECONDS = 300

/** By the name of an intent with its kind, or by what stands for several: `12.5`, or with its end in epoch seconds `12.5@1767225600`. */
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
  return textOf(amount, Math.ceil(Math.max(wanted.untilMs, own?.untilMs ?? 0) / 1000))
}

function textOf(amount: Decimal, untilSeconds: number | undefined): string {
  return untilSeconds === undefined ? formatDecimal(amount) : `${formatDecimal(amount)}@${untilSeconds}`
}

/** Intents that are listed one by one. */
export function listedIn(reserved: Reserved): readonly string[] {
  return Object.keys(reserved).filter((holder) => !isSettledHolder(holder))
}

export function hasSums(reserved: Reserved): boolean {
  return Object.keys(reserved).some(isSettledHolder)
}

/** Whether all that an intent reserved is in the one record: what could move after midnight is in the next day's too. */
export function isOfOneDay(text: string, pk: string): boolean {
  return (reservationOf(text).untilMs ?? 0) < endOfDayMs(pk)
}

/**
 * `holders`, which are listed, in sums: exactly what each has reserved, and until when at least. Only for intents that
 * are DONE, as nobody takes a part out of a sum. `pk`: of the record.
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

/** What counts in a budget, its sum kept up: a record may hold thousands. */
export interface Counting {
  /** Without those that stand for several. */
  holders(): readonly string[]
  sum(): Decimal
  takeOut(holder: string): void
}

/** Each intent once, by the most that it reserved on any day. `afterMs`: only those that could move later. */
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

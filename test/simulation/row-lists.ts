// How a service lists its rows: dated as exactly as it likes, newest first or in no lasting order, within a
// window in time whose ends may belong to it or not.
import type { Scheduler } from './scheduler.ts'

export interface ListTruth {
  /** Times are told down to this, and cut off below. */
  readonly datedTo: 'millisecond' | 'second' | 'minute' | 'day'
  /** By how much the clock of a zone is ahead of UTC in which they are told; absent: not at all. */
  readonly datedAheadMs?: number
  /** What comes in another order with every request: nothing, rows of the same told time, all rows. */
  readonly unordered: 'no' | 'ties' | 'all'
  /** Rows that a page holds at most, whatever is asked for. */
  readonly rowsAPage: number
  /** Whether a row of exactly `startDate`, or `endDate`, is listed. */
  readonly includesStart: boolean
  readonly includesEnd: boolean
}

/** Epoch ms; what is not asked for is not bounded. */
export interface Window {
  readonly fromMs: number
  readonly toMs: number
}

const UNIT_MS = { millisecond: 1, second: 1_000, minute: 60_000, day: 86_400_000 }
/** Orders that differ; the first is the usual one. */
const ORDERS = [0, 1, 2, 3, 5, 7]

export function withTimeTold(ms: number, { datedTo, datedAheadMs = 0 }: ListTruth): number {
  const toldMs = ms + datedAheadMs
  return toldMs - (toldMs % UNIT_MS[datedTo])
}

export function isWithin({ fromMs, toMs }: Window, toldMs: number, { includesStart, includesEnd }: ListTruth): boolean {
  return (includesStart ? toldMs >= fromMs : toldMs > fromMs) && (includesEnd ? toldMs <= toMs : toldMs < toMs)
}

/** `rows`: newest first. */
export function inOrder<Row>(
  rows: Row[],
  unordered: ListTruth['unordered'],
  toldMs: (row: Row) => number,
  scheduler: Scheduler,
): Row[] {
  if (unordered === 'no' || rows.length < 2) return rows
  const salt = scheduler.pick(ORDERS)
  if (salt === 0) return rows
  const place = (at: number) => ((at + 1) * salt * 7 + salt) % 11
  const placed = rows.map((row, at) => ({ row, at, ms: unordered === 'all' ? 0 : toldMs(row) }))
  placed.sort((left, right) => right.ms - left.ms || place(left.at) - place(right.at) || left.at - right.at)
  return placed.map(({ row }) => row)
}

/** What a list is asked for, as the wire has it. */
export function windowOf(target: string): Window {
  if (!target.includes('Date=')) return EVER
  const query = new URLSearchParams(target.slice(target.indexOf('?')))
  const time = (name: string, otherwise: number) => {
    const text = query.get(name)
    return text === null ? otherwise : Date.parse(text)
  }
  return { fromMs: time('startDate', EVER.fromMs), toMs: time('endDate', EVER.toMs) }
}

const EVER: Window = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY }

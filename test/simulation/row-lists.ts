// Models how a service lists its rows: with dates of any precision, newest first or in changing order, within a window
// of time that may include its ends or not.
import type { Scheduler } from './scheduler.ts'

export interface ListTruth {
  /** Precision of shown times, which are cut off below it. */
  readonly datedTo: 'millisecond' | 'second' | 'minute' | 'day'
  /** How far the zone of shown times is ahead of UTC. Absent: they are in UTC. */
  readonly datedAheadMs?: number
  /** Which rows change their order with every request: none, rows of the same shown time, or all. */
  readonly unordered: 'no' | 'ties' | 'all'
  /** Maximum rows of a page, whatever is asked for. */
  readonly rowsAPage: number
  /** Whether a row of exactly `startDate`, or `endDate`, is listed. */
  readonly includesStart: boolean
  readonly includesEnd: boolean
}

/** Epoch ms. A missing end is unbounded. */
export interface Window {
  readonly fromMs: number
  readonly toMs: number
}

const UNIT_MS = { millisecond: 1, second: 1_000, minute: 60_000, day: 86_400_000 }
/** Seeds of different orders; 0 is the usual order. */
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

/** The window that a request's URL asks for. */
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

// Dates rows: to the millisecond; cut to the second or minute, as the seed decides for each kind; to the day; or by a
// clock that is behind. A row is dated once. Dating does not change when things happen.
import { seededNumber } from '../seeded.ts'
import type { Manners } from './manners.ts'

export type RowKind = 'order' | 'fill' | 'withdrawal' | 'deposit' | 'entry'

const COARSE_MS = [1_000, 60_000] as const

const DAY_MS = 24 * 3_600_000
/** How far the clock of `behind` is behind: it writes its zone's wall clock as if it were UTC. */
const BEHIND_MS = 5 * 3_600_000

export function rowDate({ rows }: Manners, seed: string, kind: RowKind, happenedMs: number): number {
  // The ledger dates an entry by its movement's date, which is shifted already.
  const atMs = rows.includes('behind') && kind !== 'entry' ? happenedMs - BEHIND_MS : happenedMs
  if (rows.includes('daily')) return Math.floor(atMs / DAY_MS) * DAY_MS
  if (!rows.includes('coarse')) return atMs
  const stepMs = COARSE_MS[seededNumber(seed, `dates ${kind}`) % COARSE_MS.length] as number
  return Math.floor(atMs / stepMs) * stepMs
}

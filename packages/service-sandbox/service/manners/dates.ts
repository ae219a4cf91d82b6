// How rows are dated: to the millisecond, or cut to the second or the minute, as the seed says for each kind of row; to the
// day; by the clock of a zone that is behind. A row is dated once; what happens when is not changed by it.
import { seededNumber } from '../seeded.ts'
import type { Manners } from './manners.ts'

export type RowKind = 'order' | 'fill' | 'withdrawal' | 'deposit' | 'entry'

const COARSE_MS = [1_000, 60_000] as const

const DAY_MS = 24 * 3_600_000
/** Of the zone that is behind, as it writes its own wall clock for UTC. */
const BEHIND_MS = 5 * 3_600_000

export function rowDate({ rows }: Manners, seed: string, kind: RowKind, happenedMs: number): number {
  // The ledger dates an entry from the date of its movement.
  const atMs = rows.includes('behind') && kind !== 'entry' ? happenedMs - BEHIND_MS : happenedMs
  if (rows.includes('daily')) return Math.floor(atMs / DAY_MS) * DAY_MS
  if (!rows.includes('coarse')) return atMs
  const stepMs = COARSE_MS[seededNumber(seed, `dates ${kind}`) % COARSE_MS.length] as number
  return Math.floor(atMs / stepMs) * stepMs
}

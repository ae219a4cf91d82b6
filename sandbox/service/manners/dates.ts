// How finely rows are dated: to the millisecond, or cut to the second or the minute, as the seed says for each kind
// of row. A row is dated once; what happens when is not changed by it.
import { seededNumber } from '../seeded.ts'
import type { Manners } from './manners.ts'

export type RowKind = 'order' | 'fill' | 'withdrawal' | 'deposit' | 'entry'

const COARSE_MS = [1_000, 60_000] as const

export function rowDate(manners: Manners, seed: string, kind: RowKind, atMs: number): number {
  if (!manners.rows.includes('coarse')) return atMs
  const stepMs = COARSE_MS[seededNumber(seed, `dates ${kind}`) % COARSE_MS.length] as number
  return Math.floor(atMs / stepMs) * stepMs
}

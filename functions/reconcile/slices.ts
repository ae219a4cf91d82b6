// Cuts a stretch into slices, each of which one piece of memory can hold. A slice begins where the one before ended. Its length
// follows from how many movements the one before had. Remembers where it is, and reads nothing.
import type { TooMany } from '../../core/errors.ts'
import type { Stretch } from './audit-window.ts'
import { MOST_MOVEMENTS } from './limits.ts'

/** A part of an audit's time that is judged at once. */
export interface Slice extends Stretch {
  /** Whether it is everything that the audit judges. Then the lists are read up to now. */
  readonly isWhole: boolean
  /** Whether it ends where the audit ends. */
  readonly isNewest: boolean
  /** Whether it is too short to be cut. */
  readonly isShortest: boolean
}

/** Maximum number of movements of each kind in the shortest slice, for example those that a service dates to one moment. */
const MOST_AT_ONE_TIME = 100_000
const SHORTEST_MS = 1_000
const LONGEST_MS = 7 * 24 * 3_600_000
/** Share of the maximum that the next slice aims at. */
const AIM = 0.7

export function mostMovementsOf({ isShortest }: Slice): number {
  return isShortest ? MOST_AT_ONE_TIME : MOST_MOVEMENTS
}

export class Slices {
  readonly #endMs: number
  readonly #newestMs: number
  #fromMs: number
  #lengthMs: number

  /** `newestMs`: where the audit ends, in epoch ms. */
  constructor({ sinceMs, throughMs }: Stretch, newestMs: number, lengthMs = LONGEST_MS) {
    this.#fromMs = sinceMs
    this.#endMs = throughMs
    this.#newestMs = newestMs
    this.#lengthMs = lengthMs
  }

  /** `undefined` at the end of the stretch. */
  next(): Slice | undefined {
    const sinceMs = this.#fromMs
    if (sinceMs >= this.#endMs) return undefined
    const throughMs = Math.min(this.#endMs, Math.floor(sinceMs + this.#lengthMs))
    const isShortest = throughMs - sinceMs <= SHORTEST_MS
    return { sinceMs, throughMs, isWhole: false, isNewest: throughMs === this.#newestMs, isShortest }
  }

  /** Begins the next slice where this one ended. `movements`: how many it had. */
  pass({ sinceMs, throughMs }: Slice, movements: number): void {
    this.#fromMs = throughMs
    const fitting = ((throughMs - sinceMs) * MOST_MOVEMENTS * AIM) / Math.max(1, movements)
    this.#lengthMs = Math.max(SHORTEST_MS, Math.min(LONGEST_MS, 2 * this.#lengthMs, fitting))
  }

  /** Cuts the slice that had too many movements. @throws the error where it is too short */
  cut(slice: Slice, tooMany: TooMany): void {
    if (slice.isShortest) throw tooMany
    this.#lengthMs = Math.max(SHORTEST_MS, Math.floor((slice.throughMs - slice.sinceMs) / 2))
  }

  /** Milliseconds of the next slice, for a stretch of about as many movements. */
  get lengthMs(): number {
    return this.#lengthMs
  }
}

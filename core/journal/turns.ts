// Owns whose turn it is to begin at the service, where that tells a limit of its requests: what all processes that quote have
// taken of the window that runs now, in one record. A quote lives for seconds, and its order needs room behind it; so who
// begins an attempt takes for all of it. It moves nothing and proves nothing: a record that is lost costs refusals only.
import type { Clock } from '../clock.ts'
import { recordKey } from '../contract/records.ts'
import type { ToldLimit } from '../service/ports.ts'
import { putOver, type RecordWriter, type StoredRecord } from './record-store.ts'

/** Requests of one attempt once it has its turn: the quote, the time, the order, and the order and its fills as booked. */
export const CALLS_OF_ATTEMPT = 5
/** Percent of a window that attempts may take: the rest is for what follows up, and for attempts at the window's edge. */
const MOST_PERCENT = 60
/** With as many left, no thousand attempts at once can use them up: nobody needs to ask for a turn. */
const AMPLE = 10_000
/** No window is taken to end later than this from now: a clock that was wrong once holds nobody up for long. */
const LONGEST_WINDOW_MS = 60_000
/** Ends of one window differ by as much: the service tells whole seconds, and answers take their time. */
const TOLD_TO_MS = 2_000
/** Many write at once: who lost as often waits outside, where that is cheaper. */
const MOST_WRITES = 5

export interface Turns {
  /**
   * Whether an attempt may begin now. `told`: what the service last said of its limit, undefined where it says nothing.
   * @throws Transient
   */
  take(told: ToldLimit | undefined): Promise<boolean>
}

export function createTurns(writer: RecordWriter, clock: Clock): Turns {
  return {
    async take(told) {
      if (told === undefined || isAmple(told, clock.nowMs())) return true
      for (let writes = 0; writes < MOST_WRITES; writes += 1) {
        const known = await writer.store.read(recordKey.turns)
        const { isGiven, window } = turnIn(windowOf(known), told, clock.nowMs())
        if (window === undefined) return isGiven
        if ((await putOver(writer, known, recordKey.turns, { ...window })) === 'written') return isGiven
      }
      return false
    },
  }
}

interface Window {
  /** Epoch ms, by the clocks of our machines. */
  readonly endsAtMs: number
  /** Requests that were taken of it. */
  readonly taken: number
}

/** Also for a record that is none of ours: as if there were none. */
function windowOf(record: StoredRecord | undefined): Window {
  const endsAtMs = record?.endsAtMs
  const taken = record?.taken
  return typeof endsAtMs === 'number' && typeof taken === 'number' ? { endsAtMs, taken } : { endsAtMs: 0, taken: 0 }
}

function isAmple(told: ToldLimit, nowMs: number): boolean {
  return told.endsAtMs > nowMs && told.left >= AMPLE
}

interface Turn {
  readonly isGiven: boolean
  /** To be written. */
  readonly window?: Window
}

function turnIn(stored: Window, told: ToldLimit, nowMs: number): Turn {
  const isToldNow = told.endsAtMs > nowMs
  if (isToldNow && told.left < CALLS_OF_ATTEMPT) return { isGiven: false }
  const isRunning = stored.endsAtMs > nowMs && stored.endsAtMs <= nowMs + LONGEST_WINDOW_MS
  // Who has not been told since the window ended takes the next one to be as long as those it has seen.
  const guessedEndMs = isRunning ? stored.endsAtMs : nowMs + told.windowMs
  const endsAtMs = isToldNow ? told.endsAtMs : guessedEndMs
  const takenBefore = isRunning ? stored.taken : 0
  const taken = takenBefore + CALLS_OF_ATTEMPT
  // However low the limit is, one attempt a window begins.
  if (taken <= Math.max((told.limit * MOST_PERCENT) / 100, CALLS_OF_ATTEMPT)) {
    return { isGiven: true, window: { endsAtMs, taken } }
  }
  // A guess that was too long would keep all from the next window.
  const isWrongEnd = stored.endsAtMs > endsAtMs + TOLD_TO_MS
  return { isGiven: false, ...(isWrongEnd && { window: { endsAtMs, taken: takenBefore } }) }
}

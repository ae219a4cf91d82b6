// Owns the turns of attempts when the service reports a limit of its requests. One record counts what all quoting
// processes have taken of the current window. A quote lives for seconds, and its order needs room after it, so an
// attempt takes its turn for all of its requests. It moves nothing and proves nothing: a lost record costs only
// refusals.
import type { Clock } from '../clock.ts'
import { recordKey } from '../contract/records.ts'
import type { ReportedLimit } from '../service/ports.ts'
import { putOver, type RecordWriter, type StoredRecord } from './record-store.ts'

/** Requests of one attempt after its turn: the quote, the time, the order, and two reads (the order, and its fills). */
export const CALLS_OF_ATTEMPT = 5
/**
 * Maximum percent of a window for attempts. The rest is for reads afterwards, and for attempts at the window's edge.
 */
const MOST_PERCENT = 60
/** Requests left from which no turn is needed: a thousand attempts at once cannot use them up. */
const AMPLE = 10_000
/** Milliseconds. A window never ends later than this from now, so that a wrong clock delays others only briefly. */
const LONGEST_WINDOW_MS = 60_000
/**
 * Milliseconds by which reported ends of one window differ: the service reports whole seconds, and answers take time.
 */
const REPORT_SPREAD_MS = 2_000
/** Maximum writes, because many processes write at once. A process that loses each time waits more cheaply outside. */
const MOST_WRITES = 5

export interface Turns {
  /** Whether an attempt may begin now. `reported`: the limit in the service's last answer, if any. @throws Transient */
  take(reported: ReportedLimit | undefined): Promise<boolean>
}

export function createTurns(writer: RecordWriter, clock: Clock): Turns {
  return {
    async take(reported) {
      if (reported === undefined || (reported.endsAtMs > clock.nowMs() && reported.left >= AMPLE)) return true
      for (let writes = 0; writes < MOST_WRITES; writes += 1) {
        const known = await writer.store.read(recordKey.turns)
        const { isGiven, window } = turnIn(windowOf(known), reported, clock.nowMs())
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
  readonly taken: number
}

/** A record in an unknown form counts as a missing one. */
function windowOf(record: StoredRecord | undefined): Window {
  const endsAtMs = record?.endsAtMs
  const taken = record?.taken
  return typeof endsAtMs === 'number' && typeof taken === 'number' ? { endsAtMs, taken } : { endsAtMs: 0, taken: 0 }
}

interface Turn {
  readonly isGiven: boolean
  /** The window to write, if any. */
  readonly window?: Window
}

function turnIn(stored: Window, reported: ReportedLimit, nowMs: number): Turn {
  const isReportedNow = reported.endsAtMs > nowMs
  if (isReportedNow && reported.left < CALLS_OF_ATTEMPT) return { isGiven: false }
  const isRunning = stored.endsAtMs > nowMs && stored.endsAtMs <= nowMs + LONGEST_WINDOW_MS
  // A process without a report since the window ended expects the next window to be as long as the last.
  const guessedEndMs = isRunning ? stored.endsAtMs : nowMs + reported.windowMs
  const endsAtMs = isReportedNow ? reported.endsAtMs : guessedEndMs
  const takenBefore = isRunning ? stored.taken : 0
  const taken = takenBefore + CALLS_OF_ATTEMPT
  // Even under a very low limit, one attempt may begin in each window.
  if (taken <= Math.max((reported.limit * MOST_PERCENT) / 100, CALLS_OF_ATTEMPT)) {
    return { isGiven: true, window: { endsAtMs, taken } }
  }
  // An end that was guessed too late would block the next window for all.
  const isWrongEnd = stored.endsAtMs > endsAtMs + REPORT_SPREAD_MS
  return { isGiven: false, ...(isWrongEnd && { window: { endsAtMs, taken: takenBefore } }) }
}

// Owns how fast reads may go, so that all processes slow down before the service has to refuse a request. Every read
// and quote takes from the budget of its process. The service's limit covers all processes of the key or the account,
// so each leaves a part of it to more urgent work. Where the service reports no limit (section "Limits"), a rate of our
// own holds. Sends take nothing from the budget and are never delayed.
import { type Clock, steadyMs } from '../clock.ts'
import { Refused } from '../errors.ts'
import type { Answered, PaceHeaders, Transport } from './http.ts'
import type { ReportedLimit } from './ports.ts'
import { parseHttpDate } from './recognise-time.ts'

/** Longest pause in milliseconds by `Retry-After`. Bounds the effect of a stray header. */
export const LONGEST_PAUSE_MS = 3_600_000
/** Longest time in milliseconds until a window of the rate limit ends. */
export const LONGEST_WINDOW_MS = 60_000
const DIGITS = /^\d{1,12}$/
/** From this number on, a count of seconds is read as a point in time (2001-09-09 as an epoch time). */
const EPOCH_SECONDS = 1_000_000_000

/**
 * Pause that the service asks for, in ms: `Retry-After` (RFC 9110, section 10.2.3) of an error, at most an hour, or
 * `RateLimit-Reset` once `RateLimit-Remaining` is 0, at most a minute. `undefined` without either. Dates count from the
 * answer's own `Date`, so that this machine's clock does not matter.
 */
export function requestedPauseMs({ status, pace, date }: Answered): number | undefined {
  if (pace === undefined) return undefined
  const sentMs = parseHttpDate(date)
  const askedMs = status >= 400 ? parsePause(pace.retryAfter, sentMs) : undefined
  const resetMs = pace.rateLimitRemaining === '0' ? parsePause(pace.rateLimitReset, sentMs) : undefined
  const pauseMs = askedMs ?? resetMs
  const longestMs = askedMs === undefined ? LONGEST_WINDOW_MS : LONGEST_PAUSE_MS
  return pauseMs === undefined ? undefined : Math.min(Math.max(pauseMs, 0), longestMs)
}

const LEADING_COUNT = /^\d{1,9}(?=$|[,;\s])/

/**
 * Percent of the service's rate limit that is left, by `RateLimit-Remaining` and `RateLimit-Limit`. `undefined` where
 * an answer lacks one of them. A limit may list its windows after its count.
 */
export function shareLeft(pace: PaceHeaders): number | undefined {
  const counted = countsOf(pace)
  return counted && Math.round(Math.min(counted.left / counted.limit, 1) * 1000) / 10
}

function countsOf({ rateLimitLimit, rateLimitRemaining }: PaceHeaders): { limit: number; left: number } | undefined {
  const limit = Number(LEADING_COUNT.exec(rateLimitLimit)?.[0] ?? 0)
  const [left] = LEADING_COUNT.exec(rateLimitRemaining) ?? []
  return limit === 0 || left === undefined ? undefined : { limit, left: Number(left) }
}

function parsePause(text: string, sentMs: number | undefined): number | undefined {
  const count = DIGITS.test(text) ? Number(text) : undefined
  if (count !== undefined && count < EPOCH_SECONDS) return count * 1000
  const untilMs = count === undefined ? parseHttpDate(text) : count * 1000
  return untilMs === undefined || sentMs === undefined ? undefined : untilMs - sentMs
}

export const NO_TURN = 'the rate limit of the service has no room for this now'

export interface ReadBudget {
  /** Waits for a turn. Returns false at once when the turn would come later than `withinMs`. */
  take(withinMs: number): Promise<boolean>
  pause(durationMs: number): void
  /** One sentence why no turn is given now. */
  whyNone(): string
  /** Records the limit that the service reports. It replaces our own rate. */
  note(pace: PaceHeaders): void
  /** The last reported limit; `undefined` when it is older than the end of the next window. */
  told(): ReportedLimit | undefined
  /**
   * Whether at least `percent` of the service's limit is left and no pause holds. True where the service reports no
   * limit.
   */
  hasLeft(percent: number): boolean
}

export interface ReadBudgetOptions {
  readonly clock: Clock
  /** Reads that may start at once after a quiet time; 100 by default. */
  readonly burst?: number
  /** Reads a second after the burst; 50 by default. */
  readonly perSecond?: number
  /** Percent of the service's limit that stays for more urgent work. Below it no turn is given. 0 by default. */
  readonly leaves?: number
}

/**
 * Creates a token bucket that gives turns in the order of the requests. Throws Refused for a burst below 1 or a rate of
 * 0 or less.
 */
export function createReadBudget({ clock, burst = 100, perSecond = 50, leaves = 0 }: ReadBudgetOptions): ReadBudget {
  if (!(burst >= 1 && perSecond > 0)) throw new Refused('read budget: expected a burst of 1 or more and a rate above 0')
  const intervalMs = 1000 / perSecond
  let nextTurnMs = Number.NEGATIVE_INFINITY
  let pausedUntilMs = Number.NEGATIVE_INFINITY
  let pausedUntilByDateMs = Number.NEGATIVE_INFINITY
  let reported: ReportedLimit | undefined

  function lastReported(): ReportedLimit | undefined {
    return reported && clock.nowMs() < reported.endsAtMs + reported.windowMs ? reported : undefined
  }

  /**
   * After a freeze of an hour the monotonic clock may have stood still. A pause is therefore over once either clock
   * says so. A pause that ends too early costs one more refusal.
   */
  function pauseLeftMs(): number {
    return Math.min(pausedUntilMs - steadyMs(clock), pausedUntilByDateMs - clock.nowMs())
  }

  async function take(withinMs: number): Promise<boolean> {
    const endMs = steadyMs(clock) + withinMs
    for (;;) {
      const nowMs = steadyMs(clock)
      // A quiet time saves up at most one burst.
      const ownMs = lastReported() ? nowMs : Math.max(nextTurnMs, nowMs - (burst - 1) * intervalMs)
      const turnMs = Math.max(ownMs, nowMs + pauseLeftMs())
      if (turnMs > Math.max(endMs, nowMs)) return false
      nextTurnMs = turnMs + intervalMs
      if (turnMs > nowMs) await clock.sleep(turnMs - nowMs)
      // The service may have asked for a pause meanwhile. Then the turn comes after it.
      if (pauseLeftMs() <= 0) return true
    }
  }

  function pause(durationMs: number): void {
    pausedUntilMs = Math.max(pausedUntilMs, steadyMs(clock) + durationMs)
    pausedUntilByDateMs = Math.max(pausedUntilByDateMs, clock.nowMs() + durationMs)
  }

  return {
    take,
    pause,
    whyNone() {
      const leftMs = pauseLeftMs()
      if (leftMs < LONGEST_WINDOW_MS) return NO_TURN
      return `the service asked to wait, and nothing is read from it for ${Math.ceil(leftMs / 60_000)} more minutes`
    },
    note: (pace) => {
      const counted = countsOf(pace)
      const resetMs = parsePause(pace.rateLimitReset, undefined)
      // Answers to requests without a key, such as the time, report no limit.
      if (counted === undefined || resetMs === undefined) return
      const endsInMs = Math.min(resetMs, LONGEST_WINDOW_MS)
      const windowMs = Math.max(reported?.windowMs ?? 0, endsInMs)
      reported = { ...counted, endsAtMs: clock.nowMs() + endsInMs, windowMs }
      if ((100 * counted.left) / counted.limit < leaves) pause(endsInMs)
    },
    told: lastReported,
    hasLeft: (percent) => {
      if (pauseLeftMs() > 0) return false
      if (reported === undefined || clock.nowMs() >= reported.endsAtMs) return true
      return (100 * reported.left) / reported.limit >= percent
    },
  }
}

/** Wraps `transport` so that each answer, also to a send, reports the service's limit to the budget and to `onPace`. */
export function heeding(
  transport: Transport,
  budget: ReadBudget,
  onPace: (pace: PaceHeaders) => void = () => undefined,
): Transport {
  return {
    ...transport,
    exchange: async (request) => {
      const answer = await transport.exchange(request)
      if (answer.kind === 'answered' && answer.pace !== undefined) {
        budget.note(answer.pace)
        onPace(answer.pace)
      }
      const pauseMs = answer.kind === 'answered' ? requestedPauseMs(answer) : undefined
      if (pauseMs !== undefined) budget.pause(pauseMs)
      return answer
    },
  }
}

// Owns how fast reads may go: what the service says about its limits (section "Limits"), and a budget that every read and
// every quote of a process takes from. What the service says is of all that ask under the key or the account, so it is what
// processes share: each leaves a part of the limit to who is more urgent, and all of them slow down before the service has
// to refuse one. Where it says nothing, a rate of our own holds. Sends take nothing from it: they are never held up.
import { type Clock, steadyMs } from '../clock.ts'
import { Refused } from '../errors.ts'
import type { Answered, PaceHeaders, Transport } from './http.ts'
import { parseHttpDate } from './http-date.ts'
import type { ToldLimit } from './ports.ts'

/** A pause that the service asks for counts as this long at most: a bound on what a stray header does. */
export const LONGEST_PAUSE_MS = 60_000
const DIGITS = /^\d{1,12}$/
/** Of what is counted in seconds, this much can only be a point in time. */
const EPOCH_SECONDS = 1_000_000_000

/**
 * How long the service asks not to be asked again: `Retry-After` (RFC 9110, section 10.2.3) of a
 * refusal, or `RateLimit-Reset` once `RateLimit-Remaining` is 0. Undefined when it asks nothing.
 * Dates count from the answer's own `Date`, so that this machine's clock does not matter.
 */
export function askedPauseMs({ status, pace, date }: Answered): number | undefined {
  if (pace === undefined) return undefined
  const sentMs = parseHttpDate(date)
  const pauseMs =
    (status >= 400 ? parsePause(pace.retryAfter, sentMs) : undefined) ??
    (pace.rateLimitRemaining === '0' ? parsePause(pace.rateLimitReset, sentMs) : undefined)
  return pauseMs === undefined ? undefined : Math.min(Math.max(pauseMs, 0), LONGEST_PAUSE_MS)
}

const LEADING_COUNT = /^\d{1,9}(?=$|[,;\s])/

/**
 * Percent that is left of the service's rate limit, by `RateLimit-Remaining` and `RateLimit-Limit`. Undefined where an answer
 * does not say both. A limit may name its windows behind its count.
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

export interface ReadBudget {
  /** Waits for its turn; false at once when that would not come within `withinMs`. */
  take(withinMs: number): Promise<boolean>
  /** Nobody's turn comes before this long has passed. */
  pause(durationMs: number): void
  /** What the service says of its limit: it holds instead of the rate of our own. */
  note(pace: PaceHeaders): void
  /** What it said last; undefined where it has not told since the window after that one. */
  told(): ToldLimit | undefined
  /** Whether so many percent of the service's limit are left, and it asks for no pause; true where it tells nothing. */
  hasLeft(percent: number): boolean
}

export interface ReadBudgetOptions {
  readonly clock: Clock
  /** Reads that may go at once after a quiet time; 100 unless given. */
  readonly burst?: number
  /** Reads a second that follow them; 50 unless given. */
  readonly perSecond?: number
  /** Percent of the service's limit that is left to who is more urgent: below it no turn is given. 0 unless given. */
  readonly leaves?: number
}

/** A token bucket. Turns are given in the order they are asked for. Throws Refused for rates that are none. */
export function createReadBudget({ clock, burst = 100, perSecond = 50, leaves = 0 }: ReadBudgetOptions): ReadBudget {
  if (!(burst >= 1 && perSecond > 0)) throw new Refused('read budget: expected a burst of 1 or more and a rate above 0')
  const intervalMs = 1000 / perSecond
  let nextTurnMs = Number.NEGATIVE_INFINITY
  let pausedUntilMs = Number.NEGATIVE_INFINITY
  let pausedUntilByDateMs = Number.NEGATIVE_INFINITY
  let told: ToldLimit | undefined

  function lastTold(): ToldLimit | undefined {
    return told && clock.nowMs() < told.endsAtMs + told.windowMs ? told : undefined
  }

  /**
   * A function that was frozen for an hour comes back with a monotonic clock that may have stood still: a pause is over once
   * either clock says so. One that ends too early costs one more refusal.
   */
  function pauseLeftMs(): number {
    return Math.min(pausedUntilMs - steadyMs(clock), pausedUntilByDateMs - clock.nowMs())
  }

  async function take(withinMs: number): Promise<boolean> {
    const endMs = steadyMs(clock) + withinMs
    for (;;) {
      const nowMs = steadyMs(clock)
      // A quiet time saves up a burst, and no more.
      const ownMs = lastTold() ? nowMs : Math.max(nextTurnMs, nowMs - (burst - 1) * intervalMs)
      const turnMs = Math.max(ownMs, nowMs + pauseLeftMs())
      if (turnMs > Math.max(endMs, nowMs)) return false
      nextTurnMs = turnMs + intervalMs
      if (turnMs > nowMs) await clock.sleep(turnMs - nowMs)
      // A pause may have been asked for meanwhile: then the turn comes after it.
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
    note: (pace) => {
      const counted = countsOf(pace)
      const resetMs = parsePause(pace.rateLimitReset, undefined)
      // Answers without a key, as of the time, tell nothing of it.
      if (counted === undefined || resetMs === undefined) return
      const endsInMs = Math.min(resetMs, LONGEST_PAUSE_MS)
      const windowMs = Math.max(told?.windowMs ?? 0, endsInMs)
      told = { ...counted, endsAtMs: clock.nowMs() + endsInMs, windowMs }
      if ((100 * counted.left) / counted.limit < leaves) pause(endsInMs)
    },
    told: lastTold,
    hasLeft: (percent) => {
      if (pauseLeftMs() > 0) return false
      return told === undefined || clock.nowMs() >= told.endsAtMs || (100 * told.left) / told.limit >= percent
    },
  }
}

/** `transport`, whose every answer, also to a send, tells the budget what the service asks for. `onPace`: hears it, too. */
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
      const pauseMs = answer.kind === 'answered' ? askedPauseMs(answer) : undefined
      if (pauseMs !== undefined) budget.pause(pauseMs)
      return answer
    },
  }
}

// Owns reads that endure: asked again in this process while the fault is one that passes, within
// a deadline, a number of attempts and the budget of reads. It must never see a send.
import { type Clock, type Random, steadyMs } from '../clock.ts'
import { RateLimited, Transient } from '../errors.ts'
import type { ReadBudget } from './pace.ts'
import { problemOf } from './problem.ts'

/** How much a read takes upon itself. */
export interface ReadPatience {
  /** From the call to its end, waits and attempts included. */
  readonly deadlineMs: number
  /** Of one attempt, so that one that hangs leaves time for another. */
  readonly attemptTimeoutMs: number
  readonly attempts: number
  /** The first wait is at most this long; each further one at most twice the one before. */
  readonly firstWaitMs: number
  readonly longestWaitMs: number
}

/** Fits into a function's time-out several times over; waits of at most 0.2 + 0.4 + 0.8 s. */
export const READ_PATIENCE: ReadPatience = {
  deadlineMs: 10_000,
  attemptTimeoutMs: 5_000,
  attempts: 4,
  firstWaitMs: 200,
  longestWaitMs: 2_000,
}

export type NextTry = { readonly waitMs: number } | { readonly givesUp: 'lasting' | 'attempts' | 'deadline' }

/**
 * The decision ladder after a failed attempt; the first rung that applies decides. Pure: `chance`
 * is from 0 to 1, `leftMs` what is left until the deadline.
 */
export function nextTry(
  error: unknown,
  spent: { readonly attempts: number; readonly leftMs: number },
  patience: ReadPatience,
  chance: number,
): NextTry {
  const problem = problemOf(error)
  // Refused and Defect stay what they are however often one asks; what is no answer of the
  // service, such as a key that cannot be read, has been tried again where it came from.
  if (!(error instanceof Transient) || problem === undefined) return { givesUp: 'lasting' }
  if (spent.attempts >= patience.attempts) return { givesUp: 'attempts' }
  const longestMs = Math.min(patience.firstWaitMs * 2 ** (spent.attempts - 1), patience.longestWaitMs)
  // What the service asks for is waited out; chance comes on top, so that many do not come back at once.
  const waitMs = problem.pauseMs === undefined ? chance * longestMs : problem.pauseMs + chance * patience.firstWaitMs
  // An attempt past the deadline is none: better to say so now than after the wait.
  if (waitMs >= spent.leftMs) return { givesUp: 'deadline' }
  return { waitMs }
}

/** Runs `attempt` until it succeeds or the ladder gives up; throws the last error then. */
export type Endure = <Result>(attempt: (timeoutMs: number) => Promise<Result>) => Promise<Result>

export interface EnduranceParts {
  readonly clock: Clock
  readonly random: Random
  readonly budget: ReadBudget
  readonly patience: ReadPatience
}

/** Why a request was not sent. */
export const NO_TURN = 'the rate limit of the service has no room for this now'

export function createEndurance({ clock, random, budget, patience }: EnduranceParts): Endure {
  return async (attempt) => {
    const endMs = steadyMs(clock) + patience.deadlineMs
    let failure: unknown = new RateLimited(NO_TURN)
    for (let attempts = 1; ; attempts++) {
      if (!(await budget.take(endMs - steadyMs(clock)))) throw failure
      try {
        return await attempt(Math.min(patience.attemptTimeoutMs, endMs - steadyMs(clock)))
      } catch (error) {
        failure = error
      }
      const next = nextTry(failure, { attempts, leftMs: endMs - steadyMs(clock) }, patience, random())
      if ('givesUp' in next) throw failure
      await clock.sleep(next.waitMs)
    }
  }
}

/** One attempt, without a budget: for who brings an endurance of his own. */
export const onlyOnce: Endure = (attempt) => attempt(Number.POSITIVE_INFINITY)

// Owns repeated reads. A read is tried again in this process while its fault may pass, within a deadline, a number of
// attempts and the budget of reads. Must never see a send.
import { type Clock, type Random, steadyMs } from '../clock.ts'
import { RateLimited, Transient } from '../errors.ts'
import type { ReadBudget } from './pace.ts'
import { problemOf } from './problem.ts'

export interface ReadLimits {
  /** From the call to its end, including waits and attempts. */
  readonly deadlineMs: number
  /** Limit of one attempt. It is shorter than the deadline, so that a hanging attempt leaves time for another. */
  readonly attemptTimeoutMs: number
  readonly attempts: number
  /** Upper bound of the first wait. The bound doubles for each further wait, up to `longestWaitMs`. */
  readonly firstWaitMs: number
  readonly longestWaitMs: number
}

/** Fits several times into a function's timeout. Waits are at most 0.2 + 0.4 + 0.8 s. */
export const READ_LIMITS: ReadLimits = {
  deadlineMs: 10_000,
  attemptTimeoutMs: 5_000,
  attempts: 4,
  firstWaitMs: 200,
  longestWaitMs: 2_000,
}

type NextTry = { readonly waitMs: number } | { readonly givesUp: 'lasting' | 'attempts' | 'deadline' }

/**
 * Decides what to do after a failed attempt; the first rule that applies decides. `chance` is from 0 to 1, `leftMs` the
 * time until the deadline. Pure.
 */
export function nextTry(
  error: unknown,
  spent: { readonly attempts: number; readonly leftMs: number },
  readLimits: ReadLimits,
  chance: number,
): NextTry {
  const problem = problemOf(error)
  // Refused and Defect stay the same however often one asks. An error that is no answer of the service, such as an
  // unreadable key, was already retried at its source.
  if (!(error instanceof Transient) || problem === undefined) return { givesUp: 'lasting' }
  if (spent.attempts >= readLimits.attempts) return { givesUp: 'attempts' }
  const longestMs = Math.min(readLimits.firstWaitMs * 2 ** (spent.attempts - 1), readLimits.longestWaitMs)
  // The service's own pause is waited in full. A random part is added, so that many clients do not return at once.
  const waitMs = problem.pauseMs === undefined ? chance * longestMs : problem.pauseMs + chance * readLimits.firstWaitMs
  // No time would be left for the attempt, so fail now instead of after the wait.
  if (waitMs >= spent.leftMs) return { givesUp: 'deadline' }
  return { waitMs }
}

/** Runs `attempt` until it succeeds, or throws the last error when no attempt is left. */
export type Endure = <Result>(attempt: (timeoutMs: number) => Promise<Result>) => Promise<Result>

interface EnduranceParts {
  readonly clock: Clock
  readonly random: Random
  readonly budget: ReadBudget
  readonly readLimits: ReadLimits
}

export function createEndurance({ clock, random, budget, readLimits }: EnduranceParts): Endure {
  return async (attempt) => {
    const endMs = steadyMs(clock) + readLimits.deadlineMs
    let failure: unknown
    for (let attempts = 1; ; attempts++) {
      if (!(await budget.take(endMs - steadyMs(clock)))) throw failure ?? new RateLimited(budget.whyNone())
      try {
        return await attempt(Math.min(readLimits.attemptTimeoutMs, endMs - steadyMs(clock)))
      } catch (error) {
        failure = error
      }
      const next = nextTry(failure, { attempts, leftMs: endMs - steadyMs(clock) }, readLimits, random())
      if ('givesUp' in next) throw failure
      await clock.sleep(next.waitMs)
    }
  }
}

/** Makes one attempt without a budget, for callers with their own retries. */
export const onlyOnce: Endure = (attempt) => attempt(Number.POSITIVE_INFINITY)

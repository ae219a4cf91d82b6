// Finds the retrier or catcher for an error, and the delay of a retry. Pure.
// Source: Amazon States Language, "Errors"; AWS Step Functions, "Handling errors".
import type { Retrier } from './definition.ts'
import { StatesError } from './json.ts'

/** Past retries of a state, counted for each retrier, and the end of the current wait. */
export interface RetryProgress {
  readonly counts: readonly number[]
  readonly untilMs: number
}

/** Returns the first entry whose ErrorEquals matches. */
export function findMatch<T extends { readonly errors: readonly string[] }>(
  entries: readonly T[],
  error: string,
): { readonly entry: T; readonly index: number } | undefined {
  // A runtime error is never retried or caught: the definition or its input is wrong.
  if (error === StatesError.Runtime) return undefined
  const index = entries.findIndex((entry) => entry.errors.some((name) => matches(name, error)))
  const entry = entries[index]
  return entry === undefined ? undefined : { entry, index }
}

function matches(name: string, error: string): boolean {
  if (name === error) return true
  // States.ALL matches States.DataLimitExceeded too. The documentation denies this, but recorded executions show it
  // (decision 1).
  if (name === StatesError.All) return true
  return name === StatesError.TaskFailed && error !== StatesError.Timeout && error !== StatesError.DataLimitExceeded
}

/** Returns the milliseconds before the retry after `attempts` earlier ones. `random`: from 0 up to 1. */
export function retryDelayMs(retrier: Retrier, attempts: number, random: () => number): number {
  const grownSeconds = retrier.intervalSeconds * retrier.backoffRate ** attempts
  const seconds = Math.min(grownSeconds, retrier.maxDelaySeconds ?? Number.MAX_SAFE_INTEGER)
  return (retrier.fullJitter ? random() * seconds : seconds) * 1000
}

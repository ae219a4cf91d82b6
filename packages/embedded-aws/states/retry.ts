// Which retrier or catcher answers an error, and how long a retry waits. Pure.
// Source: Amazon States Language, "Errors"; AWS Step Functions, "Handling errors".
import type { Retrier } from './definition.ts'
import { StatesError } from './json.ts'

/** Retries of a state that were done, a count for each retrier, and until when the next one waits. */
export interface RetryProgress {
  readonly counts: readonly number[]
  readonly untilMs: number
}

/** The first entry whose ErrorEquals matches. */
export function findMatch<T extends { readonly errors: readonly string[] }>(
  entries: readonly T[],
  error: string,
): { readonly entry: T; readonly index: number } | undefined {
  // Nothing retries or catches a runtime error: the definition or its input cannot be right.
  if (error === StatesError.Runtime) return undefined
  const index = entries.findIndex((entry) => entry.errors.some((name) => matches(name, error)))
  const entry = entries[index]
  return entry === undefined ? undefined : { entry, index }
}

function matches(name: string, error: string): boolean {
  if (name === error) return true
  // Also States.DataLimitExceeded: its documentation says otherwise, recorded executions show it (decision 1).
  if (name === StatesError.All) return true
  return name === StatesError.TaskFailed && error !== StatesError.Timeout && error !== StatesError.DataLimitExceeded
}

/** Milliseconds before the retry that follows `attempts` earlier ones; `random` is from 0 up to 1. */
export function retryDelayMs(retrier: Retrier, attempts: number, random: () => number): number {
  const grownSeconds = retrier.intervalSeconds * retrier.backoffRate ** attempts
  const seconds = Math.min(grownSeconds, retrier.maxDelaySeconds ?? Number.MAX_SAFE_INTEGER)
  return (retrier.fullJitter ? random() * seconds : seconds) * 1000
}

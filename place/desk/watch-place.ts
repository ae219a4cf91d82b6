// Checks, while a process serves a state directory, that the directory is still where it was locked, and can be written. If
// somebody moves it, another process may begin in its place. Two processes would then move money for one account, each by
// its own journal. After a write that failed, what the process has in memory is not what the next one reads.

import { ExitCode } from '../exit-code.ts'
import { findDiskFault } from '../files/disk-fault.ts'
import { failedWith, OperationError, operationErrorOf } from '../operation-error.ts'
import type { StateLock } from '../state/state-lock.ts'

const LOOK_MS = 1_000

export interface WatchedPlace {
  /** Rejects once the directory is gone or replaced, or a write has failed. */
  readonly lost: Promise<never>
  /** Aborted at the same time: the work must stop. */
  readonly signal: AbortSignal
  stop(): void
}

/**
 * `check`: another check, as long as the directory is in its place. It may throw. `failed`: rejects with the error of the
 * first write that fails.
 */
export function watchPlace(
  lock: Pick<StateLock, 'isInPlace'>,
  check: () => void,
  failed: Promise<never>,
): WatchedPlace {
  const { promise, reject } = Promise.withResolvers<never>()
  const gone = new AbortController()
  promise.catch(() => gone.abort())
  failed.catch((error: unknown) => reject(unwritable(error)))
  const timer = setInterval(() => {
    if (!lock.isInPlace()) return reject(moved())
    try {
      check()
    } catch {
      // A full disk is no reason to stop, because the next check tries again.
    }
  }, LOOK_MS).unref()
  return { lost: promise, signal: gone.signal, stop: () => clearInterval(timer) }
}

function unwritable(error: unknown): OperationError {
  const { message, next } = findDiskFault(error) ?? operationErrorOf(error)
  return failedWith(
    'state_unusable',
    `${message}; what comes after it would not be on disk, so this command has ended`,
    next,
    error,
  )
}

function moved(): OperationError {
  return new OperationError({
    exitCode: ExitCode.NeedsPerson,
    code: 'state_unusable',
    message: 'it is not the directory that this command has locked',
    next: 'put it back, and run the same command again',
  })
}

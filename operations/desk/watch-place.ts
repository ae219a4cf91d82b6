// Checks, while a process serves a state directory, that the directory is still where it was locked. If somebody moves
// it, another process may begin in its place. Two processes would then move money for one account, each by its own
// journal.
import type { StateLock } from '../connection/state/state-lock.ts'
import { ExitCode } from '../exit-code.ts'
import { OperationError } from '../operation-error.ts'

const LOOK_MS = 1_000

export interface WatchedPlace {
  /** Rejects once the directory is gone or replaced. */
  readonly lost: Promise<never>
  /** Aborted at the same time: the work must stop. */
  readonly signal: AbortSignal
  stop(): void
}

/** `check`: another check, as long as the directory is in its place. It may throw. */
export function watchPlace(lock: Pick<StateLock, 'isInPlace'>, check: () => void): WatchedPlace {
  const { promise, reject } = Promise.withResolvers<never>()
  const gone = new AbortController()
  promise.catch(() => gone.abort())
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

function moved(): OperationError {
  return new OperationError({
    exitCode: ExitCode.NeedsPerson,
    code: 'state_unusable',
    message: 'it is not the directory that this command has locked',
    next: 'put it back, and run the same command again',
  })
}

// Looks, while a process serves a state directory, whether the directory still is where it was locked. Whoever moved it
// away has another one begin there: two processes would then move money for one account, each by its own journal.
import type { StateLock } from '../connection/state/state-lock.ts'
import { ExitCode } from '../exit-code.ts'
import { OperationError } from '../operation-error.ts'

const LOOK_MS = 1_000

export interface WatchedPlace {
  /** Rejects once another directory stands there, or none. */
  readonly lost: Promise<never>
  /** Aborted by then: the work must not go on. */
  readonly signal: AbortSignal
  stop(): void
}

/** `look`: what else is looked after, as long as the directory is in its place. It may throw. */
export function watchPlace(lock: Pick<StateLock, 'isInPlace'>, look: () => void): WatchedPlace {
  const { promise, reject } = Promise.withResolvers<never>()
  const gone = new AbortController()
  promise.catch(() => gone.abort())
  const timer = setInterval(() => {
    if (!lock.isInPlace()) return reject(moved())
    try {
      look()
    } catch {
      // A disk that is full for now is no reason to stop: the next look tries again.
    }
  }, LOOK_MS).unref()
  return { lost: promise, signal: gone.signal, stop: () => clearInterval(timer) }
}

function moved(): OperationError {
  return new OperationError({
    exitCode: ExitCode.NeedsPerson,
    code: 'state_unusable',
    message: 'it is not the one that this command has locked',
    next: 'put it back, and run the same command again',
  })
}

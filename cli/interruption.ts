// Ends a wait when the person at the terminal asks for it.
import { CommandError } from './command-error.ts'
import { ExitCode } from './exit-code.ts'

/**
 * The work's own result, or a rejection with exit 130 as soon as the signal is aborted. The work
 * goes on until it is stopped by whoever started it. `next` is the command that continues it.
 */
export async function orInterrupted<Result>(work: Promise<Result>, signal: AbortSignal, next: string): Promise<Result> {
  const { promise: interruption, reject } = Promise.withResolvers<never>()
  const stop = () =>
    reject(
      new CommandError({
        exitCode: ExitCode.Interrupted,
        code: 'interrupted',
        message: 'interrupted; what was done is kept',
        next,
      }),
    )
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([interruption, work])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

// Ends a wait when the person at the terminal interrupts it, or when nobody handles an error. It also makes the error
// of a command whose records were removed while it ran.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import { ExitCode } from './exit-code.ts'
import { type Advice, advice } from './next-step.ts'
import { OperationError, operationErrorOf } from './operation-error.ts'

/** The reason of an abort that no person asked for. `cause` is the error that nobody handled. */
export class UncaughtFault extends Error {
  override readonly name = 'UncaughtFault'
}

/**
 * Returns the result of the work, or rejects as soon as the signal is aborted: with exit 130, or 3 for an uncaught
 * fault. The caller must stop the work itself. `next`: the command that continues it. `elsewhere`: the place where the
 * work continues without this command, in words.
 */
export async function orInterrupted<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  next: Advice,
  elsewhere?: string,
): Promise<Result> {
  const { promise: interruption, reject } = Promise.withResolvers<never>()
  const stop = () =>
    reject(signal.reason instanceof UncaughtFault ? faulty(signal.reason, next) : interrupted(next, elsewhere))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([interruption, work])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/**
 * A clock whose sleep ends with an error when the signal is aborted. Abandoned work must stop, and must not keep the
 * process alive.
 */
export function untilInterrupted(clock: Clock, signal: AbortSignal): Clock {
  return { ...clock, sleep: (durationMs) => sleep(durationMs, undefined, { signal }) }
}

function interrupted(next: Advice, elsewhere: string | undefined): OperationError {
  const message =
    elsewhere === undefined
      ? 'interrupted; what was done is kept'
      : advice`interrupted; what was begun continues without this command, ${elsewhere}; ${{ do: 'halt' }} stops what is not sent yet`
  return new OperationError({ exitCode: ExitCode.Interrupted, code: 'interrupted', message, next })
}

/** The command was at work. When it is run again, the journal shows what it has sent. */
function faulty({ cause }: UncaughtFault, next: Advice): OperationError {
  return new OperationError(
    {
      exitCode: ExitCode.NeedsPerson,
      code: 'in_doubt',
      message: `${operationErrorOf(cause).message}; what this command has moved is not known`,
      next: advice`do not start it under another id; continue with: ${next}`,
    },
    { cause },
  )
}

/**
 * The journal that recorded the sends is gone. The same command would begin a new journal, and would not know what was
 * sent.
 */
export function recordsGone(stateDir: string, cause: unknown): OperationError {
  return new OperationError(
    {
      exitCode: ExitCode.NeedsPerson,
      code: 'in_doubt',
      message: `${stateDir} was removed or replaced while this command used it (${operationErrorOf(cause).message}); what this command has moved is not known`,
      next: 'look at the orders and withdrawals that the service shows since then, and start nothing again before that; docs/runbook.md, "A damaged state directory", says what is safe',
    },
    { cause },
  )
}

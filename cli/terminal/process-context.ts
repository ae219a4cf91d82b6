// Makes the context of a command from this process: its streams, variables, clock and signals. Commands use the process
// by this context.
import { userInfo } from 'node:os'
import { systemClock } from '../../core/clock.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { systemCodeOf } from '../../place/files/disk-fault.ts'
import { UncaughtFault } from '../../place/interruption.ts'
import { OperationError } from '../../place/operation-error.ts'
import type { CommandContext } from './context.ts'
import { createOutput, type Output } from './output.ts'

/** Commands that may have moved money before they print their result. */
const MOVING: readonly string[] = ['run', 'approve']

export function processContext(): CommandContext {
  const argv = process.argv.slice(2)
  const output = createOutput({
    stdout: process.stdout,
    stderr: process.stderr,
    // The flag is read before the arguments are parsed, so that a mistake in them is reported in the right form.
    json: argv.includes('--json') || argv.includes('--jsonl'),
    term: process.env.TERM,
    argv,
  })
  return {
    argv,
    variables: { ...process.env, USER: process.env.USER || process.env.LOGNAME || findUserName() },
    stdin: process.stdin,
    stdout: process.stdout,
    output,
    stdoutClosed: watchOutput(output, argv),
    clock: systemClock,
    catchInterruption,
  }
}

/**
 * The first signal asks the command to stop; a second signal ends the process at once. An uncaught error stops the command
 * too: a stack trace with exit 1 would look as if nothing had moved.
 */
function catchInterruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(ExitCode.Interrupted)
      controller.abort()
    })
  }
  process.on('uncaughtException', (cause) => controller.abort(new UncaughtFault('uncaught', { cause })))
  return controller.signal
}

/** The name of the system's user, because a service or a container often has no $USER. */
function findUserName(): string | undefined {
  try {
    return userInfo().username
  } catch {
    // A user without an entry has no name. A command that needs the name asks for its flag.
    return undefined
  }
}

/** Returns a signal that is aborted when standard output can no longer be written, or its reader has gone. */
function watchOutput(output: Output, argv: readonly string[]): AbortSignal {
  const closed = new AbortController()
  // A fault of standard error can be reported nowhere.
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', (error) => {
    if (closed.signal.aborted) return
    closed.abort()
    const failure = outputFailure(error, argv)
    if (failure === undefined) return
    output.failure(failure)
    // The exit code of the command itself may say more.
    process.on('exit', () => {
      process.exitCode ||= failure.exitCode
    })
  })
  return closed.signal
}

/** Undefined where the reader has gone. */
function outputFailure(error: unknown, argv: readonly string[]): OperationError | undefined {
  const code = systemCodeOf(error)
  if (code === 'EPIPE') return undefined
  const isMoving = MOVING.includes(argv.find((word) => !word.startsWith('-')) ?? '')
  const room = code === 'ENOSPC' || code === 'EDQUOT' ? 'make room on that disk' : 'check where standard output leads'
  const again = isMoving
    ? 'then sluice movements list shows the requests, and the same command with its --id prints the result again'
    : 'then run the same command again'
  return new OperationError(
    {
      exitCode: isMoving ? ExitCode.NeedsPerson : ExitCode.Failed,
      code: isMoving ? 'in_doubt' : 'state_unusable',
      message: `standard output could not be written (${code ?? 'for an unknown reason'}): the output of this command is incomplete`,
      next: `${room}; ${again}`,
    },
    { cause: error },
  )
}

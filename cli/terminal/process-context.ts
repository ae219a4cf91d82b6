// Makes the context of a command from this process: its streams, variables, clock and signals. Only this file and
// command-line.ts, which asks how the command was started, use the process itself.
import { userInfo } from 'node:os'
import { systemClock } from '../../core/clock.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { UncaughtFault } from '../../place/interruption.ts'
import type { CommandContext } from './context.ts'
import { createOutput, type Output } from './output.ts'
import { outputFailure } from './output-fault.ts'

export function processContext(): CommandContext {
  const argv = process.argv.slice(2)
  const output = createOutput({
    stdout: process.stdout,
    stderr: process.stderr,
    // The flag is read before the arguments are parsed, so that a mistake in them is reported in the right form.
    json: argv.includes('--json') || argv.includes('--jsonl'),
    term: process.env.TERM,
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

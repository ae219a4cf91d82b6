// Makes the context of a command from this process: its streams, variables, clock and signals. No other file in cli/
// touches the process itself, but command-line.ts, which asks how the command was started.
import { userInfo } from 'node:os'
import { systemClock } from '../../core/clock.ts'
import { ExitCode } from '../../operations/exit-code.ts'
import { UncaughtFault } from '../../operations/interruption.ts'
import type { CommandContext } from './context.ts'
import { createOutput, type Output } from './output.ts'
import { outputFailure } from './output-fault.ts'

export function processContext(): CommandContext {
  const argv = process.argv.slice(2)
  const output = createOutput({
    stdout: process.stdout,
    stderr: process.stderr,
    // The flag is found before the arguments are parsed, so that a mistake in them is reported in the right form.
    json: argv.includes('--json') || argv.includes('--jsonl'),
    term: process.env.TERM,
  })
  return {
    argv,
    variables: { ...process.env, USER: process.env.USER || process.env.LOGNAME || findUserName() },
    stdin: process.stdin,
    stdout: process.stdout,
    output,
    unheard: watchOutput(output, argv),
    clock: systemClock,
    catchInterruption,
  }
}

/**
 * The first signal asks the command to stop; a second one ends the process at once. An error that nobody handles stops
 * the command too: with a stack and exit 1 it would look as if nothing had moved.
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

/** As the system knows this user: a service or a container often has no $USER. */
function findUserName(): string | undefined {
  try {
    return userInfo().username
  } catch {
    // A user without an entry has no name. A command that needs one names its flag.
    return undefined
  }
}

/** The signal is aborted when nobody reads standard output any more, or it cannot be written. */
function watchOutput(output: Output, argv: readonly string[]): AbortSignal {
  const unheard = new AbortController()
  // There is nowhere else to say that standard error cannot be written.
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', (error) => {
    if (unheard.signal.aborted) return
    unheard.abort()
    const failure = outputFailure(error, argv)
    if (failure === undefined) return
    output.failure(failure)
    // What the command itself ends with may say more.
    process.on('exit', () => {
      process.exitCode ||= failure.exitCode
    })
  })
  return unheard.signal
}

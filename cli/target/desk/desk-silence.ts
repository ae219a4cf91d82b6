// Whether the process that serves a directory answers at all. One that was suspended (Ctrl-Z), or that a debugger has
// stopped, is alive and silent: nobody may wait for it without an end. It asks for nothing, and changes nothing.
import { CommandError } from '../../terminal/command-error.ts'
import { ExitCode } from '../../terminal/exit-code.ts'
import type { Desk } from './desk-file.ts'

/** Any answer will do, and the first one costs a desk a few milliseconds. */
const ANSWER_WITHIN_MS = 2_000

/** `gone`: nobody listens there any more. */
export async function askWhetherThere({ endpointUrl }: Desk): Promise<'answers' | 'silent' | 'gone'> {
  try {
    // It carries no signature, so it is refused.
    const answer = await fetch(endpointUrl, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    await answer.body?.cancel()
    return 'answers'
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'silent' : 'gone'
  }
}

/** What was asked of it may still be in its connection, and is done when it goes on. */
export function silentDesk(stateDir: string, { command, holder: { pid } }: Desk, cause: unknown): CommandError {
  return new CommandError(
    {
      exitCode: ExitCode.Failed,
      code: 'unreachable',
      message: `process ${pid} (${command}) serves ${stateDir} and does not answer: it may be suspended; what this command has asked of it may still be done when it goes on`,
      next: `let it go on (fg in its terminal, or kill -CONT ${pid}), or end it (kill -9 ${pid}: nothing is lost), and run this command again`,
    },
    { cause },
  )
}

// How a command ends when something cannot be done with a key.
import { Refused } from '../../core/errors.ts'
import { CommandError, usageError } from '../terminal/command-error.ts'
import { INVOCATION, quoted } from '../terminal/command-line.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import type { KeysFlags } from './key-target.ts'

/** Key material that does not fit ends the command with exit 2. The message begins with `where`. */
export function orUnfit<Result>(where: string, next: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw usageError('keys', `${where}: ${error.message}`, next)
  }
}

/** A failure with exit 1, where nothing was changed. */
export function refuse(message: string, next: string): CommandError {
  return new CommandError({ exitCode: ExitCode.Failed, code: 'refused', message, next })
}

/** The next command of a rotation, for the same secret. */
export function nextCommand(name: string, { role, config, embedded, state, service }: KeysFlags): string {
  const words = [
    `keys ${name} --role ${role}`,
    config === undefined ? '' : `--config ${quoted(config)}`,
    embedded === undefined ? '' : '--embedded',
    state === undefined ? '' : `--state ${quoted(state)}`,
    service === undefined ? '' : `--service ${quoted(service)}`,
  ]
  return [INVOCATION, ...words.filter((word) => word !== '')].join(' ')
}

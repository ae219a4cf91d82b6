// Makes the errors of commands about keys, and names the next command of a rotation.
import { Refused } from '../../core/errors.ts'
import { failedWith, type OperationError, usageError } from '../../place/operation-error.ts'
import { INVOCATION, quoted } from '../../place/words/command-line.ts'
import type { KeysFlags } from './key-store.ts'

/** Ends the command with exit 2 for key material that does not fit. The message begins with `where`. */
export function orUnfit<Result>(where: string, next: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw usageError('keys', `${where}: ${error.message}`, next)
  }
}

/** An error with exit 1, where nothing was changed. */
export function refuse(message: string, next: string): OperationError {
  return failedWith('refused', message, next)
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

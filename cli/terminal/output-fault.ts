// What a command says, and with which code it ends, where standard output cannot be written: a full disk must not look
// like a result, and a reader that has gone (`| head`) is no error.

import { ExitCode } from '../../operations/exit-code.ts'
import { systemCodeOf } from '../../operations/files/system-error.ts'
import { OperationError } from '../../operations/operation-error.ts'

/** Commands that may have moved money by the time their result is printed. */
const MOVING: readonly string[] = ['run', 'approve']

/** Undefined where the reader has gone. */
export function outputFailure(error: unknown, argv: readonly string[]): OperationError | undefined {
  const code = systemCodeOf(error)
  if (code === 'EPIPE') return undefined
  const isMoving = MOVING.includes(argv.find((word) => !word.startsWith('-')) ?? '')
  const room = code === 'ENOSPC' || code === 'EDQUOT' ? 'make room on that disk' : 'look where standard output leads'
  const again = isMoving
    ? 'then sluice movements list shows what was asked for, and the same command with its --id prints the result again'
    : 'then run the same command again'
  return new OperationError(
    {
      exitCode: isMoving ? ExitCode.NeedsPerson : ExitCode.Failed,
      code: isMoving ? 'in_doubt' : 'state_unusable',
      message: `standard output could not be written (${code ?? 'for an unknown reason'}): what this command has printed is not whole`,
      next: `${room}; ${again}`,
    },
    { cause: error },
  )
}

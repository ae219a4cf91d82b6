// Defines the error and exit code for a standard output that cannot be written. A full disk must not look like a
// result. A reader that has gone (`| head`) is not an error.

import { ExitCode } from '../../place/exit-code.ts'
import { systemCodeOf } from '../../place/files/system-error.ts'
import { OperationError } from '../../place/operation-error.ts'

/** Commands that may have moved money before they print their result. */
const MOVING: readonly string[] = ['run', 'approve']

/** Undefined where the reader has gone. */
export function outputFailure(error: unknown, argv: readonly string[]): OperationError | undefined {
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

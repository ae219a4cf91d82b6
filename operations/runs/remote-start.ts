// Changes the error of a run that fails after its execution was begun at a desk or on AWS. The execution continues
// without the command, so the error must not say that nothing was started or moved. It starts nothing itself.
import { withoutClaim } from '../desk/what-moved.ts'
import { ExitCode } from '../exit-code.ts'
import { OperationError, operationErrorOf } from '../operation-error.ts'

export interface RemoteStart {
  /** From here on the execution may be under way in another process. */
  begin(): void
  /** Returns the same error, or an error with exit 3 where the execution was begun. */
  failureOf(error: unknown): unknown
}

/** `again`: the command that continues the run. `doubt`: what is in doubt once it was begun. */
export function createRemoteStart(again: string, doubt: string): RemoteStart {
  let isBegun = false
  return {
    begin() {
      isBegun = true
    },
    failureOf(error) {
      if (!isBegun) return error
      const failure = operationErrorOf(error)
      const { code, exitCode } = failure
      if (exitCode === ExitCode.NeedsPerson || exitCode === ExitCode.Interrupted) return failure
      const message = `${withoutClaim(failure.message)}; the run was begun, and continues without this command: ${doubt}`
      const next =
        code === 'key_at_fault' ? failure.next : `do not start it under another id; to see its result: ${again}`
      return new OperationError(
        { exitCode: ExitCode.NeedsPerson, code: code === 'key_at_fault' ? code : 'in_doubt', message, next },
        { cause: error },
      )
    },
  }
}

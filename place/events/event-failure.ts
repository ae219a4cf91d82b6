// Makes the error of a command when the bus, the queue or the executions of AWS or a desk do not answer as they should.
import { errorName, errorText } from '../../core/error-name.ts'
import { accessFailure } from '../aws/aws-access.ts'
import { findConnectionRemedy } from '../aws/connection-remedy.ts'
import { isConnectionFailure } from '../desk/join-desk.ts'
import { ExitCode } from '../exit-code.ts'
import { OperationError } from '../operation-error.ts'

const remedies: ReadonlyMap<string, string> = new Map([
  [
    'AccessDeniedException',
    'let these credentials put events, list and describe executions, and read the dead letters',
  ],
  ['AccessDenied', 'let these credentials receive, show again and delete messages of the queue'],
  ['QueueDoesNotExist', 'deploy the stack of triggers: npm run deploy'],
])

/**
 * Makes an OperationError for a failure of AWS or a desk. Any other error is returned unchanged. `serve`: the command
 * that serves.
 */
export function eventFailure(error: unknown, serve: string | undefined): unknown {
  if (error instanceof OperationError) return error
  const text = errorText(error)
  const refused = accessFailure(error, `AWS refused to answer (${text})`)
  if (refused !== undefined) return refused
  const remedy = remedies.get(errorName(error))
  if (remedy !== undefined) return unreachable(`AWS refused to answer (${text})`, remedy, error)
  if (serve !== undefined && isConnectionFailure(error))
    return unreachable(`the process that serves has ended meanwhile (${text})`, serve, error)
  const look = findConnectionRemedy(error)
  return look === undefined
    ? error
    : unreachable(`AWS could not be reached (${text})`, `${look}; then try again`, error)
}

function unreachable(message: string, next: string, cause: unknown): OperationError {
  return new OperationError({ exitCode: ExitCode.Failed, code: 'unreachable', message, next }, { cause })
}

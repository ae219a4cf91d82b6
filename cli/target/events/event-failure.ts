// How a command ends when the bus, the queue or the executions of AWS or of a desk do not answer as they should.
import { awsErrorName } from '../../../core/keys/aws-limits.ts'
import { CommandError } from '../../terminal/command-error.ts'
import { ExitCode } from '../../terminal/exit-code.ts'
import { findCredentialsRemedy } from '../aws-credentials.ts'
import { isConnectionFailure } from '../desk/join-desk.ts'

const remedies: ReadonlyMap<string, string> = new Map([
  [
    'AccessDeniedException',
    'let these credentials put events, list and describe executions, and read the dead letters',
  ],
  ['AccessDenied', 'let these credentials receive, show again and delete messages of the queue'],
  ['QueueDoesNotExist', 'deploy the stack of triggers: npm run deploy'],
  ['TimeoutError', 'check the AWS region and the network, and try again'],
])

/** Words a failure of AWS or of a desk. Any other error is returned as it is. `serve`: the command that serves. */
export function eventFailure(error: unknown, serve: string | undefined): unknown {
  if (error instanceof CommandError) return error
  const name = awsErrorName(error)
  const remedy = findCredentialsRemedy(error) ?? remedies.get(name)
  if (remedy !== undefined) return unreachable(`AWS refused to answer (${name})`, remedy, error)
  if (error instanceof Error && error.message === 'Region is missing') {
    return unreachable('AWS could not be asked (no region)', 'set the AWS region, such as AWS_REGION', error)
  }
  if (!isConnectionFailure(error)) return error
  return serve === undefined
    ? unreachable('AWS could not be reached', 'check the AWS region and the network, and try again', error)
    : unreachable('the process that serves has ended meanwhile', serve, error)
}

function unreachable(message: string, next: string, cause: unknown): CommandError {
  return new CommandError({ exitCode: ExitCode.Failed, code: 'unreachable', message, next }, { cause })
}

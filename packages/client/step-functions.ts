// Calls Step Functions: starts an execution by its name, and describes one. It classifies AWS's errors, and decides
// nothing about results.
// Source: Step Functions API reference, StartExecution and DescribeExecution.
import { DescribeExecutionCommand, type SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { NoDeployment, NotAllowed } from './errors.ts'

/** Milliseconds for one call with its retries. A started call that takes longer is in doubt. */
const CALL_MS = 30_000

export interface Execution {
  readonly status: string
  /** JSON. Absent where the caller may not decrypt it. */
  readonly input: string | undefined
  readonly output: string | undefined
  readonly cause: string | undefined
  readonly error: string | undefined
}

/** A call whose effect is unknown. `reason`: the name of AWS's error. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
  readonly reason: string
  constructor(reason: string) {
    super(`Step Functions did not answer (${reason})`)
    this.reason = reason
  }
}

export type StepFunctions = Pick<SFNClient, 'send'>

/**
 * `taken`: an execution with this name has another input, or has ended.
 * @throws NotAllowed, NoDeployment, Unanswered
 */
export async function startExecution(
  sfn: StepFunctions,
  { stateMachineArn, name, input }: { readonly stateMachineArn: string; readonly name: string; readonly input: string },
): Promise<'started' | 'taken'> {
  try {
    await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input }), limit())
    return 'started'
  } catch (error) {
    if (nameOf(error) === 'ExecutionAlreadyExists') return 'taken'
    throw classified(error, 'StartExecution', stateMachineArn)
  }
}

/** Undefined for a name that no execution has. @throws NotAllowed, NoDeployment, Unanswered */
export async function findExecution(sfn: StepFunctions, executionArn: string): Promise<Execution | undefined> {
  try {
    const found = await sfn.send(new DescribeExecutionCommand({ executionArn }), limit())
    const { status = '', input, output, cause, error } = found
    return { status, input, output, cause, error }
  } catch (error) {
    if (nameOf(error) === 'ExecutionDoesNotExist') return undefined
    throw classified(error, 'DescribeExecution', executionArn)
  }
}

const limit = () => ({ abortSignal: AbortSignal.timeout(CALL_MS) })

const DENIED: ReadonlySet<string> = new Set([
  'AccessDeniedException',
  'CredentialsProviderError',
  'ExpiredTokenException',
  'IncompleteSignatureException',
  'InvalidSignatureException',
  'KmsAccessDeniedException',
  'MissingAuthenticationTokenException',
  'UnrecognizedClientException',
])
const MISSING: ReadonlySet<string> = new Set(['InvalidArn', 'StateMachineDeleting', 'StateMachineDoesNotExist'])

function classified(error: unknown, call: string, arn: string): Error {
  const name = nameOf(error)
  if (DENIED.has(name)) return new NotAllowed(call, arn, name)
  return MISSING.has(name) ? new NoDeployment(arn) : new Unanswered(name)
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown error'
}

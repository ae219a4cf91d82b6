// Runs one audit of the journal with the deployed function, on the embedded AWS or on AWS itself.
import { ErrorName } from '../../core/contract/errors.ts'
import {
  notDeclared,
  type ReconcileInput,
  type ReconcileReport,
  reconcileReport,
} from '../../core/contract/reconcile.ts'
import { type AwsAddress, isDeployment } from '../connection/aws-address.ts'
import { FunctionError, invokeFunction } from '../connection/invoke-function.ts'
import { journalFailure } from '../connection/journal/journal-failure.ts'
import { ExitCode } from '../exit-code.ts'
import { type ErrorCode, OperationError } from '../operation-error.ts'

/** The name that infra/constructs/verb-function.ts gives it. */
const FUNCTION = 'sluice-reconcile'

/** The error codes of this command line, by the function's error names. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  [ErrorName.Transient]: 'unreachable',
  [ErrorName.RateLimited]: 'unreachable',
  [ErrorName.Refused]: 'refused',
  [ErrorName.KeyFault]: 'refused',
  [ErrorName.OwnFault]: 'refused',
  [ErrorName.Defect]: 'broken_answer',
}

/** Runs one audit with the function that is deployed there. @throws OperationError (exit 1) where it did not end */
export async function auditAt(address: AwsAddress, input: ReconcileInput, again: string): Promise<ReconcileReport> {
  try {
    const answered: unknown = JSON.parse(await invokeFunction(address, FUNCTION, JSON.stringify(input)))
    if (notDeclared.safeParse(answered).success) throw undeclaredJournal()
    return reconcileReport.parse(answered)
  } catch (error) {
    if (error instanceof OperationError) throw error
    if (!(error instanceof FunctionError)) throw isDeployment(address) ? journalFailure(error) : error
    const { name, message } = error
    throw new OperationError(
      {
        exitCode: ExitCode.Failed,
        code: CODES[name] ?? 'defect',
        message: `the audit did not end: ${name}: ${message}`,
        next: `${again}   # judges the same movements again; nothing was recorded`,
      },
      { cause: error },
    )
  }
}

function undeclaredJournal(): OperationError {
  return new OperationError({
    exitCode: ExitCode.Failed,
    code: 'refused',
    message:
      'the journal is empty, and nobody has said that it is a new one: there is nothing to compare the account with',
    next: 'npm run verify:deployed   # after a first deployment; else docs/runbook.md, "The journal is lost or restored"',
  })
}

// Makes the error of a command when the journal cannot be read or written, or when the evidence contradicts a person's
// decision. The error says what to do.

import { errorName, errorText } from '../../core/error-name.ts'
import { OwnFault, Refused, SluiceError, Transient } from '../../core/errors.ts'
import { SAME_ACCOUNT_HINT } from '../../core/journal/own-key.ts'
import { OTHER_FORM_REMEDY } from '../../core/journal/table-identity.ts'
import { problemOf } from '../../core/service/problem.ts'
import { accessFailure } from '../aws/aws-access.ts'
import { findConnectionRemedy } from '../aws/connection-remedy.ts'
import { ExitCode } from '../exit-code.ts'
import { type Advice, advice, DEPLOY, option, type Step } from '../next-step.ts'
import { failedWith, OperationError } from '../operation-error.ts'
import { serviceFailure } from '../service/service-failure.ts'

/** Makes an OperationError for a failure of AWS or of the journal. Any other error is returned unchanged. */
export function journalFailure(error: unknown): unknown {
  // An OperationError has its text already, whatever its cause.
  if (error instanceof OperationError) return error
  if (isOfOtherForm(error)) return otherFormFailure(error)
  const failed = error instanceof SluiceError ? error.message : `the journal could not be read (${errorText(error)})`
  const refused = accessFailure(error, failed)
  if (refused !== undefined) return refused
  const again = findConnectionRemedy(error)
  if (error instanceof Transient && problemOf(error) === undefined) {
    const next = 'run the same command again: it checks again, and continues where it was'
    return unreachable(error.message, again === undefined ? next : `${again}; then ${next}`, error)
  }
  const remedy = remedies.get(errorName(error)) ?? (again === undefined ? undefined : `${again}; then try again`)
  if (remedy === undefined) return error
  return unreachable(failed, remedy, error)
}

export function isOfOtherForm(error: unknown): error is OwnFault {
  return error instanceof OwnFault && error.message.endsWith(OTHER_FORM_REMEDY)
}

/** Exit 3. Nothing was sent, because this release finds no record of such a journal. */
export function otherFormFailure(error: OwnFault): OperationError {
  const message = error.message.slice(0, -`; ${OTHER_FORM_REMEDY}`.length)
  const facts = { exitCode: ExitCode.NeedsPerson, code: 'state_unusable', message, next: OTHER_FORM_REMEDY } as const
  return new OperationError(facts, { cause: error })
}

const remedies: ReadonlyMap<string, Advice> = new Map([
  [
    'ResourceNotFoundException',
    advice`deploy the state stack: ${DEPLOY}; or name the directory of the runs with ${option('state')}`,
  ],
  ['AccessDeniedException', 'let these credentials scan, read and write the table, and list and describe executions'],
  ['ThrottlingException', 'AWS throttles the requests: wait a minute, and run the same command again'],
])

function unreachable(message: string, next: Advice, cause: unknown): OperationError {
  return failedWith('unreachable', message, next, cause)
}

/** A function ends its own message so, where it does not know the caller. */
const UNRECORDED = '; nothing was recorded'

/**
 * Makes the error for what contradicts a person's decision: the evidence, the service or the journal. `vouched`: the
 * step with which a person vouches that the keys belong to one account.
 */
export function evidenceFailure(error: unknown, vouched?: Step): unknown {
  if (error instanceof Refused && problemOf(error) === undefined) {
    const next: Step =
      vouched !== undefined && error.message.includes(SAME_ACCOUNT_HINT)
        ? vouched
        : { do: 'list-cases', why: 'what is known of it' }
    const message = error.message.endsWith(UNRECORDED) ? error.message : `${error.message}${UNRECORDED}`
    return failedWith('refused', message, next, error)
  }
  const failure = journalFailure(error)
  return failure === error ? serviceFailure(error) : failure
}

// An OperationError tells the person at the terminal why a command ended without a result. A message names what is
// wrong, what was expected and what to do. It never holds a secret or a file's content.

import { errorText, findConnectionCode } from '../core/error-name.ts'
import { SluiceError } from '../core/errors.ts'
import { ExitCode } from './exit-code.ts'
import { findDiskFault } from './files/disk-fault.ts'
import { type Advice, advice, option, spelledBy } from './next-step.ts'

/** The `code` in the output of `--json`. Programs rely on it, so a code never changes. */
export type ErrorCode =
  | 'usage'
  | 'input'
  | 'configuration'
  | 'keys'
  | 'id_in_use'
  | 'state_in_use'
  | 'state_unusable'
  | 'no_runs'
  | 'nothing_deployed'
  | 'unreachable'
  | 'refused'
  | 'broken_answer'
  | 'synth_failed'
  | 'does_not_tie_out'
  | 'declined'
  | 'not_proven'
  | 'interrupted'
  | 'in_doubt'
  | 'key_at_fault'
  | 'defect'

interface OperationErrorFacts {
  readonly exitCode: ExitCode
  readonly code: ErrorCode
  /** One line for each finding. */
  readonly message: Advice
  /** A step, or one sentence that says what to do. */
  readonly next: Advice
}

export class OperationError extends Error {
  override readonly name = 'OperationError'
  readonly exitCode: ExitCode
  readonly code: ErrorCode
  /** The message, with the options that it names. A face spells them. */
  readonly text: Advice
  readonly next: Advice

  constructor(facts: OperationErrorFacts, options?: ErrorOptions) {
    super(plain(facts.message), options)
    this.text = facts.message
    this.exitCode = facts.exitCode
    this.code = facts.code
    this.next = facts.next
  }
}

/** Bad usage, input, configuration or keys: exit 2, and nothing was sent. */
export function usageError(
  code: 'usage' | 'input' | 'configuration' | 'keys',
  message: Advice,
  next: Advice,
): OperationError {
  return new OperationError({ exitCode: ExitCode.Usage, code, message, next })
}

/** The same for the value of one option. `fix`: absent where the value is only to be corrected. */
export function unfit(name: string, problem: Advice, fix: Advice = advice`correct ${option(name)}`): OperationError {
  return usageError('usage', advice`${option(name)}: ${problem}`, fix)
}

/** Exit 1: nothing is in doubt. */
export function failedWith(code: ErrorCode, message: Advice, next: Advice, cause?: unknown): OperationError {
  return new OperationError({ exitCode: ExitCode.Failed, code, message, next }, { cause })
}

export function operationErrorOf(error: unknown): OperationError {
  if (error instanceof OperationError) return error
  const fault = findDiskFault(error)
  if (fault !== undefined) {
    return new OperationError({ exitCode: ExitCode.Failed, code: 'state_unusable', ...fault }, { cause: error })
  }
  const message = error instanceof Error ? describe(error) : 'something that is not an error was thrown'
  return new OperationError(
    {
      exitCode: ExitCode.Failed,
      code: 'defect',
      message: `unexpected: ${message}`,
      next: 'run the same command again; if this repeats, report it with the line above',
    },
    { cause: error },
  )
}

/**
 * An SDK's message may quote the request or a secret. Errors of the SDK and of broken connections are therefore shown
 * by name only.
 */
function describe(error: Error): string {
  const isOurs = error instanceof SluiceError
  const isOfSdk = '$metadata' in error || '$fault' in error
  if (!isOurs && (isOfSdk || findConnectionCode(error) !== undefined)) return errorText(error)
  return `${error.name}: ${error.message}`
}

/** For a log or another text that no face spells. */
function plain(text: Advice): string {
  return spelledBy(text, { step: (step) => step.do, option: ({ option: name }) => name })
}

// Makes the errors of commands about keys.

import { Refused } from '../../core/errors.ts'
import { type Advice, advice, type Option } from '../../place/next-step.ts'
import { failedWith, type OperationError, usageError } from '../../place/operation-error.ts'

/** Ends the command with exit 2 for key material that does not fit. The message begins with `where`. */
export function orUnfit<Result>(where: Advice | Option, next: Advice, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw usageError('keys', advice`${where}: ${error.message}`, next)
  }
}

/** An error with exit 1, where nothing was changed. */
export function refuse(message: Advice, next: Advice): OperationError {
  return failedWith('refused', message, next)
}

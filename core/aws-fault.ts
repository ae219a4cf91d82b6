// Separates faults of AWS that pass from faults of ours that stay until somebody corrects them, by the name that AWS gives
// them. The list has the names of every AWS service that the code calls. What a name means beyond this, the caller knows.
import { bareCause, errorName, errorText } from './error-name.ts'
import { OwnFault, Transient } from './errors.ts'

/** The role lacks the permission, the resource does not exist, or the credentials belong to nobody. */
const OURS: ReadonlySet<string> = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'QueueDoesNotExist',
  'ResourceNotFoundException',
  'StateMachineDoesNotExist',
  'UnrecognizedClientException',
])

/** `what`: the failed call, in words. Only names and codes of the SDK's `error` are shown and kept as the cause. */
export function awsFault(what: string, error: unknown): OwnFault | Transient {
  const message = `${what} (${errorText(error)})`
  return OURS.has(errorName(error)) ? new OwnFault(message, bareCause(error)) : new Transient(message, bareCause(error))
}

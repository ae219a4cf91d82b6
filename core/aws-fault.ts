// Tells a fault of AWS that passes from one of ours that stays until somebody puts it right, by the name under which AWS
// reports it. Knows no service of AWS: what a name means beyond this is said where the call is made.
import { bareCause, errorName, errorText } from './error-name.ts'
import { OwnFault, Transient } from './errors.ts'

/** The role may not do it, what it is done to is not there, or the credentials are of nobody. */
const OURS: ReadonlySet<string> = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'QueueDoesNotExist',
  'ResourceNotFoundException',
  'StateMachineDoesNotExist',
  'UnrecognizedClientException',
])

/** `what` failed, in words; `error`: the SDK's. Its names and codes are told and kept as the cause, and nothing else of it. */
export function awsFault(what: string, error: unknown): OwnFault | Transient {
  const message = `${what} (${errorText(error)})`
  return OURS.has(errorName(error)) ? new OwnFault(message, bareCause(error)) : new Transient(message, bareCause(error))
}

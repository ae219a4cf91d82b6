// Tells a fault of AWS that passes from one of ours that stays until somebody puts it right, by the name under which AWS
// reports it. Knows no service of AWS: what a name means beyond this is said where the call is made.
import { OwnFault, Transient } from './errors.ts'

/** The role may not do it, what it is done to is not there, the credentials are of nobody, or the address is none. */
const OURS: ReadonlySet<string> = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'EndpointNotUsable',
  'QueueDoesNotExist',
  'ResourceNotFoundException',
  'StateMachineDoesNotExist',
  'UnrecognizedClientException',
])

/** `what` failed, in words; `name`: the error's, and nothing else of it, for its message may quote the request. */
export function awsFault(what: string, name: string): OwnFault | Transient {
  const message = `${what} (${name})`
  return OURS.has(name) ? new OwnFault(message) : new Transient(message)
}

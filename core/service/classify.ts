// Owns the one decision about what a failed call means: for a read, which error of the closed
// set; for a send, whether it was a no to its business. Pure. It must never call a send safe to
// repeat: only the fence and a read can tell that.
import type { SluiceError } from '../errors.ts'
import type { Said } from './ports.ts'
import { describe, errorOf, Fault, problemOf, type ReadErrorName, type ServiceProblem } from './problem.ts'

/** Codes that say no to the business of a request: asked again, the answer is the same. */
export const businessRefusals: ReadonlySet<string> = new Set(['validation_error', 'unprocessable'])

/** Codes that speak of the key, or of what it may do: with another key the same request may be accepted. */
export const keyRefusals: ReadonlySet<string> = new Set([
  'unauthorized',
  'key_expired',
  'key_revoked',
  'invalid_signature',
  'insufficient_scope',
  'two_factor_required',
  'ip_not_allowed',
  'api_access_disabled',
])

/** Codes that pass by themselves (section "Codes": retryable). */
const passingCodes: ReadonlySet<string> = new Set([
  'clock_skew',
  'nonce_reused',
  'internal_error',
  'downstream_unavailable',
  'maintenance',
])

/** A read, or a write that moves nothing, went wrong: which error it is. */
export function readError(problem: ServiceProblem): SluiceError {
  return errorOf(kindOfRead(problem), problem)
}

/** The decision ladder; the first rung that applies decides. */
export function kindOfRead(problem: ServiceProblem): ReadErrorName {
  const { code, status } = problem
  if (!problem.isDocument) {
    // A success beyond what a page can hold: asking again brings the same.
    if (code === Fault.BodyTooLarge && status !== undefined && status < 400) return 'Defect'
    // The service never redirects: the address is wrong, and following could carry a key away.
    if (code === Fault.Redirected) return 'Defect'
    // A success that the endpoint does not promise.
    if (code === Fault.UnexpectedStatus) return 'Defect'
    // The network or something between us and the service spoke, and such things pass.
    return 'Transient'
  }
  if (code === 'rate_limited') return 'RateLimited'
  // The service's own words, where the code is known, over its flag.
  if (passingCodes.has(code)) return 'Transient'
  if (keyRefusals.has(code)) return 'KeyFault'
  if (businessRefusals.has(code) || code === 'not_found') return 'Refused'
  // A code that is newer than this client: the service's flag decides.
  return problem.retryable ? 'Transient' : 'Refused'
}

/** What was heard instead of a yes to a send. A hint for people and for REJECTED, never a proof. */
export function saidOf(problem: ServiceProblem): Said {
  const said = {
    code: problem.code,
    business: problem.isDocument && businessRefusals.has(problem.code),
    ...(keyRefusals.has(problem.code) && { keyAtFault: true as const }),
    text: describe(problem),
  }
  return problem.status === undefined ? said : { ...said, status: problem.status }
}

/** A yes whose body could not be read, told by the error that reading it brought. */
export function saidOfUnread(status: number, error: unknown): Said {
  const text = error instanceof Error ? error.message : 'the answer could not be read'
  return { code: problemOf(error)?.code ?? 'not_as_promised', status, business: false, text }
}

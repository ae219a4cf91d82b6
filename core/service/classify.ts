// Decides what a failed call means. A failed read becomes an error of the closed set. A failed send becomes a hint
// whether the service refused its content. Must never call a send safe to repeat: only the fence and a read can prove
// that. Pure.
import type { SluiceError } from '../errors.ts'
import type { ServiceError } from './ports.ts'
import { describe, errorOf, Fault, problemOf, type ReadErrorName, type ServiceProblem } from './problem.ts'

/** Codes that refuse the content of a request. The same request gets the same answer again. */
export const businessRefusals: ReadonlySet<string> = new Set(['validation_error', 'unprocessable'])

/** Codes about the key, or about what it may do. With another key the same request may be accepted. */
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

/** Codes of faults that pass without any action (section "Codes": retryable). */
const passingCodes: ReadonlySet<string> = new Set([
  'clock_skew',
  'nonce_reused',
  'internal_error',
  'downstream_unavailable',
  'maintenance',
])

/** Codes that say nothing about the content of a send: with another quote, or later, the same is accepted. */
const otherCodes: ReadonlySet<string> = new Set(['rate_limited', 'not_found', 'quotation_expired'])

/** The error for a failed read, or for a failed write that moves nothing. */
export function readError(problem: ServiceProblem): SluiceError {
  return errorOf(kindOfRead(problem), problem)
}

/** The first rule that applies decides. */
export function kindOfRead(problem: ServiceProblem): ReadErrorName {
  const { code, status } = problem
  if (!problem.isDocument) {
    // A success with more than a page can hold. Another read brings the same.
    if (code === Fault.BodyTooLarge && status !== undefined && status < 400) return 'Defect'
    // The service never redirects, so the address is wrong. Following the redirect could carry a key away.
    if (code === Fault.Redirected) return 'Defect'
    // The endpoint does not promise this success status.
    if (code === Fault.UnexpectedStatus) return 'Defect'
    // The network or something between us and the service answered. Faults of this kind pass.
    return 'Transient'
  }
  if (code === 'rate_limited') return 'RateLimited'
  // A known code counts more than the service's retryable flag.
  if (passingCodes.has(code)) return 'Transient'
  if (keyRefusals.has(code)) return 'KeyFault'
  if (businessRefusals.has(code) || code === 'not_found') return 'Refused'
  // The code is newer than this client, so the service's flag decides. Nobody knows for how long, so it is asked for longest.
  return problem.retryable ? 'RateLimited' : 'Refused'
}

/** Summary of an answer to a send that is not a success. A hint for people and for REJECTED, never a proof. */
export function serviceErrorOf(problem: ServiceProblem): ServiceError {
  const summary = {
    code: problem.code,
    business: refusesContent(problem),
    ...(keyRefusals.has(problem.code) && { keyAtFault: true as const }),
    text: describe(problem),
  }
  return problem.status === undefined ? summary : { ...summary, status: problem.status }
}

/**
 * Whether the service refuses the content of a request for good. The flag decides only for a code that is newer than this
 * client, and only where the document has it.
 */
function refusesContent({ code, isDocument, retryable }: ServiceProblem): boolean {
  if (!isDocument) return false
  const isKnown = [passingCodes, keyRefusals, otherCodes].some((codes) => codes.has(code))
  return businessRefusals.has(code) || (!isKnown && retryable === false)
}

/** Summary of a success whose body could not be read. `error` is what reading it threw. */
export function serviceErrorOfUnread(status: number, error: unknown): ServiceError {
  const text = error instanceof Error ? error.message : 'the answer could not be read'
  return { code: problemOf(error)?.code ?? 'not_as_promised', status, business: false, text }
}

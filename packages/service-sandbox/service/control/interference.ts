// What faults do around a request: before it reaches the service, instead of it, or to its answer
// on the way back. The service never learns that there are faults, but for the circumstances.
import type { Circumstances } from '../exchange.ts'
import { Problem } from '../problem.ts'
import { rateLimitHeaders } from '../rate-limit.ts'
import type { Received, Reply, Service } from '../service.ts'
import type { Fault, Mangling } from './rules.ts'

/** What the socket is to do in the end. */
export interface Ending {
  /** Undefined where the connection is dropped without an answer. */
  readonly reply: Reply | undefined
  readonly mangling: Mangling | undefined
  readonly trail: Reply['trail']
}

const RATE_LIMIT = 600

/** Runs the request, unless a fault keeps it from the service, and says how it ends after what delay. */
export function interfere(service: Service, received: Received, faults: readonly Fault[]): Ending {
  const find = <K extends Fault['kind']>(kind: K) =>
    faults.find((fault): fault is Extract<Fault, { kind: K }> => fault.kind === kind)
  const mangling = find('badAnswer')
  if (find('dropBeforeCommit')) return { reply: undefined, mangling: undefined, trail: {} }
  const moved = find('redirect')
  if (moved) return ending(redirected(service, received, moved.location))
  const limited = find('rateLimit')
  if (limited) return ending(rateLimited(service, received, limited.retryAfterSeconds ?? 1))
  const early = find('errorBeforeCommit')
  if (early) return ending(injectedError(service, received, early, {}))
  if (mangling?.when === 'before') return ending(gatewayError(service, received), mangling)
  const reply = service.answer(received, circumstancesOf(faults))
  if (find('dropAfterCommit')) return { reply: undefined, mangling: undefined, trail: reply.trail }
  const late = find('errorAfterCommit')
  return ending(late ? injectedError(service, received, late, reply.trail) : reply, mangling)
}

/** Machine time to let pass, before the request is looked at or before its answer goes out. */
export function delayOf(faults: readonly Fault[], when: 'before' | 'after'): number {
  let total = 0
  for (const fault of faults) {
    if (fault.kind === 'delay' && (fault.when ?? 'before') === when) total += fault.ms
  }
  return total
}

function ending(reply: Reply, mangling?: Mangling): Ending {
  return { reply, mangling, trail: reply.trail }
}

function circumstancesOf(faults: readonly Fault[]): Circumstances {
  if (faults.length === 0) return NONE
  let circumstances: Circumstances = NONE
  for (const fault of faults) {
    if (fault.kind === 'expireQuote') circumstances = { ...circumstances, expireQuote: true }
    if (fault.kind === 'misquote') {
      const { kind: _, ...misquote } = fault
      circumstances = { ...circumstances, misquote }
    }
    if (fault.kind === 'hideExpiry') circumstances = { ...circumstances, hideExpiry: true }
    if (fault.kind === 'oddId') circumstances = { ...circumstances, oddId: true }
    if (fault.kind === 'settleLater') circumstances = { ...circumstances, settleLater: fault }
    if (fault.kind === 'failLater') circumstances = { ...circumstances, failLater: fault }
    if (fault.kind === 'lateVisibility') circumstances = { ...circumstances, lateVisibilityMs: fault.ms }
  }
  return circumstances
}

const NONE: Circumstances = {}

/** To somewhere else, as a careless gateway might; a client that moves money does not follow. */
function redirected(service: Service, received: Received, location: string): Reply {
  const problem = new Problem('downstream_unavailable', 'A rule of the sandbox asked for this.')
  return { ...service.refuse(problem, received), status: 307, headers: { location } }
}

function rateLimited(service: Service, received: Received, seconds: number): Reply {
  const reply = service.refuse(new Problem('rate_limited', 'A rule of the sandbox asked for this.'), received)
  return { ...reply, headers: rateLimitHeaders(RATE_LIMIT, 0, seconds * 1000, true) }
}

function injectedError(
  service: Service,
  received: Received,
  fault: Extract<Fault, { kind: 'errorBeforeCommit' | 'errorAfterCommit' }>,
  trail: Reply['trail'],
): Reply {
  const retryable = fault.retryable ?? fault.status >= 500
  const overrides = { status: fault.status, code: fault.code, retryable }
  const problem = new Problem('internal_error', 'A rule of the sandbox asked for this.')
  return service.refuse(problem, received, trail, overrides)
}

/** What a gateway would say for a service that it does not reach. */
function gatewayError(service: Service, received: Received): Reply {
  return service.refuse(new Problem('downstream_unavailable', 'A rule of the sandbox asked for this.'), received)
}

// Fault injection: a test or simulation sees each call of an endpoint before and after it is applied, and may change
// its outcome.
import type { ServiceName } from './endpoint.ts'

export interface EndpointCall {
  readonly service: ServiceName
  readonly operation: string
  /** Undefined for callers other than functions of the assembly. */
  readonly functionName: string | undefined
  readonly body: unknown
  /** `before`: not applied yet. `after`: applied, or refused by the service, but not answered yet. */
  readonly phase: 'before' | 'after'
}

export type EndpointHook = (call: EndpointCall) => EndpointVerdict | undefined | Promise<EndpointVerdict | undefined>

export type EndpointVerdict =
  /** Terminates the calling worker; the call gets no answer. */
  | 'kill-function'
  /** Destroys the socket. */
  | 'drop'
  /** Answers with an error. */
  | { readonly errorType: string; readonly status: number }

// Faults by hook: a test or a simulation sees each call of an endpoint before it is applied and
// after, and may end it otherwise than with its answer.
import type { ServiceName } from './endpoint.ts'

export interface EndpointCall {
  readonly service: ServiceName
  readonly operation: string
  /** Undefined for callers that are no function of the assembly. */
  readonly functionName: string | undefined
  readonly body: unknown
  /** `before`: not applied yet. `after`: applied, or refused by the service, and not answered yet. */
  readonly phase: 'before' | 'after'
}

export type EndpointHook = (call: EndpointCall) => EndpointVerdict | undefined | Promise<EndpointVerdict | undefined>

export type EndpointVerdict =
  /** Terminates the worker that called; the call gets no answer. */
  | 'kill-function'
  /** Destroys the socket. */
  | 'drop'
  /** Answers with an error. */
  | { readonly errorType: string; readonly status: number }

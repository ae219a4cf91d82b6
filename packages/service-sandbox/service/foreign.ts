// Whether a request comes from a page of a browser, which says so by its Origin, or by a name of the outside that leads
// to this machine (DNS rebinding), which the Host shows.
import type { IncomingMessage } from 'node:http'
import { Problem } from './problem.ts'

const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]']
const FORBIDDEN = { status: 403 }

/** Nothing here is for pages. */
export function pageProblem({ headers }: IncomingMessage): Problem | undefined {
  if (headers.origin === undefined) return undefined
  return new Problem('validation_error', 'A request with an Origin header is not answered.', FORBIDDEN)
}

/** The control API is for programs on this machine. The service itself may be reached by another name. */
export function hostProblem({ headersDistinct, socket }: IncomingMessage): Problem | undefined {
  const { host = [] } = headersDistinct
  const own = OWN_NAMES.map((name) => `${name}:${socket.localPort}`)
  if (host.length === 1 && own.includes((host[0] ?? '').toLowerCase())) return undefined
  return new Problem('validation_error', `The Host header must be one of ${own.join(', ')}.`, FORBIDDEN)
}

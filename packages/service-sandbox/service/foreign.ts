// Recognises requests from pages of a browser, which send an Origin, and requests under an outside name that leads to
// this machine (DNS rebinding), which the Host shows.
import type { IncomingMessage } from 'node:http'
import { Problem } from './problem.ts'

const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]']
const FORBIDDEN = { status: 403 }

/** Refuses every request from a page. */
export function pageProblem({ headers }: IncomingMessage): Problem | undefined {
  if (headers.origin === undefined) return undefined
  return new Problem('validation_error', 'A request with an Origin header is not answered.', FORBIDDEN)
}

/**
 * Refuses a foreign Host. The control API is for programs on this machine only; the service itself may have other
 * names.
 */
export function hostProblem({ headersDistinct, socket }: IncomingMessage): Problem | undefined {
  const { host = [] } = headersDistinct
  const own = OWN_NAMES.map((name) => `${name}:${socket.localPort}`)
  if (host.length === 1 && own.includes((host[0] ?? '').toLowerCase())) return undefined
  return new Problem('validation_error', `The Host header must be one of ${own.join(', ')}.`, FORBIDDEN)
}

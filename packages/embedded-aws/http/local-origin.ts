// Recognises requests that do not come from a program on this machine. A page of a browser sends its Origin. An outside
// name that leads to this machine (DNS rebinding) shows in the Host.
import type { IncomingMessage } from 'node:http'

const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]']
const HTTP_PORT = 80

/** Returns the reason against the request, as a sentence; undefined when there is no reason. */
export function foreignTo(port: number, request: IncomingMessage): string | undefined {
  const { host = [], origin } = request.headersDistinct
  if (origin !== undefined) return 'A request with an Origin header is not answered: this address is not for pages.'
  const [name] = host
  if (host.length !== 1 || name === undefined) return 'A request must have one Host header.'
  const stated = name.toLowerCase()
  if (OWN_NAMES.some((own) => stated === `${own}:${port}` || (port === HTTP_PORT && stated === own))) return undefined
  return `The Host header must be one of ${OWN_NAMES.map((own) => `${own}:${port}`).join(', ')}.`
}

// Whether a request comes from a program on this machine that means this server. A page of a browser says so by its
// Origin. A name of the outside that leads to this machine (DNS rebinding) shows in the Host.
import type { IncomingMessage } from 'node:http'

const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]']
const HTTP_PORT = 80

/** What speaks against it, in one sentence; undefined where nothing does. */
export function foreignTo(port: number, request: IncomingMessage): string | undefined {
  const { host = [], origin } = request.headersDistinct
  if (origin !== undefined) return 'A request with an Origin header is not answered: this is no address for pages.'
  const [name] = host
  if (host.length !== 1 || name === undefined) return 'A request must have one Host header.'
  const said = name.toLowerCase()
  if (OWN_NAMES.some((own) => said === `${own}:${port}` || (port === HTTP_PORT && said === own))) return undefined
  return `The Host header must be one of ${OWN_NAMES.map((own) => `${own}:${port}`).join(', ')}.`
}

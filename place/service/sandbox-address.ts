// Finds out whether a sandbox answers at a named address. A sandbox says so in the header `server` of every answer; a
// service has no reason to. A false header can only make a proof worth less.
import { isLoopbackAddress } from '../../core/notices/public-address.ts'
import { failedWith } from '../operation-error.ts'

const SANDBOX = 'sluice-sandbox'
const WITHIN_MS = 5_000
/** Several, because a sandbox may be set to lose answers. */
const ATTEMPTS = 5

/**
 * `url`: without `/v2`; undefined: the built-in sandbox. It asks only this machine, because a sandbox listens nowhere
 * else.
 * @throws OperationError (exit 1) where nothing answers there
 */
export async function isSandboxAt(url: string | undefined): Promise<boolean> {
  if (url === undefined) return true
  const { hostname } = new URL(url)
  if (hostname !== 'localhost' && !isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''))) return false
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const server = await serverAt(url).catch(() => undefined)
    if (server !== undefined) return server === SANDBOX
  }
  throw failedWith(
    'unreachable',
    `${url}: nothing answers there, so that it is not known whether this is a sandbox`,
    'start the service or the sandbox, and run the command again',
  )
}

/** Empty where an answer has no such header. */
async function serverAt(url: string): Promise<string> {
  const answer = await fetch(`${url}/v2/time`, { redirect: 'manual', signal: AbortSignal.timeout(WITHIN_MS) })
  await answer.body?.cancel()
  return answer.headers.get('server') ?? ''
}

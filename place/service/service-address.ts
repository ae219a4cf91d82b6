// Checks the address of a service: how it is spelled, and whether the service answers. It asks GET /v2/time, which
// needs no key, and sends nothing else.

import { errorText } from '../../core/error-name.ts'
import { findConnectionRemedy } from '../aws/connection-remedy.ts'
import { type Advice, advice, type Option } from '../next-step.ts'
import { failedWith, usageError } from '../operation-error.ts'

const REACH_TIMEOUT_MS = 5_000
const ADDRESS_LENGTH = 500
const EXPECTATION = 'an http(s) address without /v2, query or credentials, such as "https://api.example.com"'

/** Without trailing slashes. @throws OperationError (exit 2) naming `source`. */
export function parseServiceAddress(text: string, source: Advice | Option): string {
  const url = text.length <= ADDRESS_LENGTH && URL.canParse(text) ? new URL(text) : undefined
  const refusal = url === undefined ? 'that' : flawOf(url)
  if (url === undefined || refusal !== undefined) {
    throw usageError('usage', advice`${source}: expected ${EXPECTATION}; got ${refusal}`, 'correct the address')
  }
  return `${url.origin}${pathOf(url)}`
}

/** Says what is wrong without quoting it, because an address may carry a password. */
function flawOf(url: URL): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return `the scheme "${url.protocol.slice(0, -1).slice(0, 20)}"`
  if (url.username !== '' || url.password !== '') return 'one with credentials in it'
  if (url.search !== '' || url.hash !== '') return 'one with a query or fragment'
  if (/(^|\/)v2$/.test(pathOf(url))) return 'one that ends in /v2'
  return undefined
}

function pathOf(url: URL): string {
  return url.pathname.replace(/\/+$/, '')
}

/** @throws OperationError (exit 1) that names the request, when the service does not answer as it should */
export async function assertReachable(address: string, timeoutMs = REACH_TIMEOUT_MS): Promise<void> {
  const target = `${address}/v2/time`
  let failure: string | undefined
  let look = 'check the address and the network'
  try {
    const response = await fetch(target, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    await response.body?.cancel()
    if (!response.ok) failure = `answered with status ${response.status}`
  } catch (error) {
    failure = reasonOf(error, timeoutMs)
    look = findConnectionRemedy(error) ?? look
  }
  if (failure === undefined) return
  throw failedWith(
    'unreachable',
    `GET ${target} ${failure}; this command has sent nothing`,
    `${look}; then run the same command again`,
  )
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `did not answer within ${timeoutMs / 1000} s`
  return `failed (${errorText(error)})`
}

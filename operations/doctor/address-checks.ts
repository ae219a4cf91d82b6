// Checks the service's address: whether it resolves, is private, answers and is open, and how far this machine's clock
// is off. It needs no key, and sends none.
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { connect, type PeerCertificate } from 'node:tls'
import type { Clock } from '../../core/clock.ts'
import { Stage } from '../../core/contract/service-settings.ts'
import { errorText } from '../../core/error-name.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import type { ClockOffset } from '../../core/service/service-clock.ts'
import { findConnectionRemedy } from '../../place/aws/connection-remedy.ts'
import { remedyAfter, remedyFor } from '../../place/service/service-failure.ts'
import { type Check, fail, ok, warn } from './check.ts'

const LOOKUP_TIMEOUT_MS = 5_000
const TLS_TIMEOUT_MS = 5_000
const DAY_MS = 86_400_000
/** Days. A certificate that ends sooner is reported, in time for its renewal. */
const EARLY_WARNING_DAYS = 14
/** Beyond this offset the machine's clock should be set. */
const FAR_OFF_MS = 5_000
const SET_CLOCK = "service time is what counts, and tokens are signed in it: nothing breaks; set this machine's clock"
/** Beyond this offset, people and schedules that use the machine's clock have the wrong time. */
const MINUTES_OFF_MS = 45_000
/** Several, because the first measurement includes the time to connect. */
const MEASUREMENTS = 3

export async function resolutionCheck(url: string): Promise<Check> {
  const hostname = new URL(url).hostname.replace(/^\[|\]$/g, '')
  if (isIP(hostname) !== 0) return ok('host name', `${hostname} is an address already`)
  try {
    const addresses = await inTime(lookup(hostname, { all: true }), LOOKUP_TIMEOUT_MS)
    return ok('host name', `${hostname} resolves to ${addresses.map(({ address }) => address).join(', ')}`)
  } catch (error) {
    return fail(
      'host name',
      `${hostname} does not resolve (${errorText(error)})`,
      'check the address and the name server',
    )
  }
}

/** Rejects after the timeout. The look-up itself cannot be cancelled. */
async function inTime<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(timedOut()), timeoutMs)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function timedOut(): Error {
  return Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })
}

export async function tlsCheck(url: string, stage: Stage, clock: Clock): Promise<Check> {
  const { protocol, hostname, port } = new URL(url)
  if (protocol === 'http:') return clearTextCheck(hostname, stage)
  try {
    const { certificate, version } = await shakeHands(hostname.replace(/^\[|\]$/g, ''), Number(port || 443))
    const days = Math.floor((Date.parse(certificate.valid_to) - clock.nowMs()) / DAY_MS)
    const detail = `${version}, certificate valid for ${days} more days`
    if (days >= EARLY_WARNING_DAYS) return ok('TLS', detail)
    return warn('TLS', detail, 'ask the operator of the service whether it is renewed in time')
  } catch (error) {
    return fail('TLS', `no trusted connection (${errorText(error)})`, findConnectionRemedy(error) ?? OWN_AUTHORITY)
  }
}

function clearTextCheck(hostname: string, stage: Stage): Check {
  if (/^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/.test(hostname))
    return ok('TLS', 'not needed: the address does not leave this machine')
  const detail = 'none: keys and amounts cross the network in the clear'
  return stage === Stage.Live
    ? fail('TLS', detail, 'use the https address; a live key is refused here')
    : warn('TLS', detail, 'use the https address, if there is one')
}

function shakeHands(
  host: string,
  port: number,
): Promise<{ readonly certificate: PeerCertificate; readonly version: string }> {
  return new Promise((resolve, reject) => {
    // SNI takes a name, and never an address (RFC 6066, section 3).
    const socket = connect({ host, port, ...(isIP(host) === 0 && { servername: host }) }, () => {
      resolve({ certificate: socket.getPeerCertificate(), version: socket.getProtocol() ?? 'TLS' })
      socket.end()
    })
    socket.setTimeout(TLS_TIMEOUT_MS, () => socket.destroy(timedOut()))
    socket.on('error', reject)
  })
}

const OWN_AUTHORITY = 'check the address; for a certificate authority of your own set NODE_EXTRA_CA_CERTS'

/** Whether the service answers and is open. Health answers 200 during maintenance too. */
export async function healthChecks(client: ServiceClient): Promise<Check[]> {
  try {
    const { status } = await client.health()
    const answers = ok('address', `answers GET /v2/health: ${status}`)
    if (status !== 'MAINTENANCE') return [answers, ok('maintenance', 'none')]
    const detail = 'the service is in maintenance: every route but health answers 503'
    return [answers, fail('maintenance', detail, remedyFor('maintenance'))]
  } catch (error) {
    return [fail('address', messageOf(error), remedyAfter(error))]
  }
}

/** The offset of service time from this machine's time, with its uncertainty. */
export async function clockCheck({ clock }: ServiceClient): Promise<Check> {
  try {
    const { offsetMs, uncertaintyMs } = await measureOffset(clock)
    const direction = offsetMs > 0 ? 'behind' : 'ahead of'
    const detail = `this machine is ${seconds(Math.abs(offsetMs))} ${direction} service time, give or take ${seconds(uncertaintyMs)}`
    const surelyOffMs = Math.abs(offsetMs) - uncertaintyMs
    if (surelyOffMs <= FAR_OFF_MS) return ok('clock', detail)
    return warn('clock', detail, surelyOffMs < MINUTES_OFF_MS ? SET_CLOCK : minutesOff(offsetMs))
  } catch (error) {
    return fail('clock', messageOf(error), 'without service time nothing can be signed: check the address')
  }
}

/** `offsetMs`: how far service time is ahead. Signatures and fences use service time; people and schedules do not. */
function minutesOff(offsetMs: number): string {
  const off = `${Math.round(Math.abs(offsetMs) / 60_000)} min`
  const effect =
    offsetMs > 0
      ? `a notAfter that was read off this machine's clock is over ${off} too early, and what this machine starts by schedule starts ${off} late`
      : `a notAfter that was read off this machine's clock holds ${off} too long, and what this machine starts by schedule starts ${off} early`
  return `service time is what counts, here and for notAfter: until this machine's clock is set, ${effect}`
}

/** The least uncertain of a few measurements. */
async function measureOffset(clock: ServiceClient['clock']): Promise<ClockOffset> {
  const offsets: ClockOffset[] = []
  for (let count = 0; count < MEASUREMENTS; count++) {
    await clock.measure()
    const offset = clock.offset()
    if (offset !== undefined) offsets.push(offset)
  }
  return offsets.reduce((best, next) => (next.uncertaintyMs < best.uncertaintyMs ? next : best))
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(3)} s`
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'something that is not an error was thrown'
}

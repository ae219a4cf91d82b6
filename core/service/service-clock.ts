// Owns service time: an offset measured against GET /v2/time or its `Date` header, and its uncertainty. Between
// measurements it runs on this machine's clock and never goes back. A time that jumps counts once a second answer agrees.
// Must not sign, or decide what a time means.
import { type Clock, steadyMs } from '../clock.ts'
import { Defect, Transient } from '../errors.ts'
import { type Endure, onlyOnce } from './endure.ts'
import type { Transport } from './http.ts'
import type { ServiceClock } from './ports.ts'
import { parseJson, succeeded } from './reader.ts'
import { readTime, type TimeReading } from './recognise-time.ts'

const ENDPOINT = 'GET /v2/time'

/**
 * Age in milliseconds (1 hour) after which the offset is measured again. Clocks of machines drift apart by some ms in
 * an hour.
 */
export const CLOCK_AGE_LIMIT_MS = 3_600_000

export interface MeasuredClock extends ServiceClock {
  /** The last measurement; `undefined` before the first. */
  offset(): ClockOffset | undefined
  /** Marks the measurement as contradicted by the service. The next `ensure` measures, whatever its age. */
  distrust(): void
}

export interface ClockOffset {
  /** Service time minus this machine's time, in milliseconds. */
  readonly offsetMs: number
  /** Largest distance from the true offset, in milliseconds. */
  readonly uncertaintyMs: number
}

/**
 * One moment by this machine's two clocks: the wall clock, which may be set, and the monotonic clock, which may not.
 */
interface Moment {
  readonly localMs: number
  readonly steadyMs: number
}

interface Measurement extends Moment {
  readonly serviceMs: number
  readonly uncertaintyMs: number
}

/** Milliseconds of disagreement beyond which the wall clock was set, or the machine slept. */
const DISAGREEMENT_MS = 1_000

/**
 * Milliseconds (1 minute) beyond which a time is a jump: an answer is under way for at most 15 s, and clocks of machines
 * differ by less.
 */
const JUMP_MS = 60_000

export function createServiceClock(transport: Transport, clock: Clock, endure: Endure = onlyOnce): MeasuredClock {
  let measured: Measurement | undefined
  let isDoubtful = false
  let latestMs = Number.NEGATIVE_INFINITY
  const moment = (): Moment => ({ localMs: clock.nowMs(), steadyMs: steadyMs(clock) })

  async function readOnce(timeoutMs: number): Promise<Measurement> {
    const before = moment()
    const reading = await readServiceTime(transport, timeoutMs)
    const after = moment()
    const halfTripMs = Math.max(0, after.steadyMs - before.steadyMs) / 2
    return {
      ...after,
      serviceMs: reading.epochMs + halfTripMs,
      uncertaintyMs: halfTripMs + (reading.isCoarse ? 1000 : 0) + (reading.doubtMs ?? 0),
    }
  }

  async function measure(): Promise<void> {
    measured = await endure(async (timeoutMs) => {
      const first = await readOnce(timeoutMs)
      // Before the first measurement the machine's own clock says what to expect.
      const expected = measured ?? { ...first, serviceMs: first.localMs }
      if (isContinued(first, expected)) return first
      const second = await readOnce(timeoutMs)
      if (isContinued(second, expected) || isContinued(second, first)) return second
      throw new Transient(`${ENDPOINT}: the time jumps from answer to answer`)
    })
    isDoubtful = false
    latestMs = Number.NEGATIVE_INFINITY
  }

  function sinceThen(then: Measurement): Moment {
    const now = moment()
    return { localMs: now.localMs - then.localMs, steadyMs: now.steadyMs - then.steadyMs }
  }

  async function ensure(maxAgeMs: number): Promise<void> {
    if (measured === undefined || isDoubtful) return measure()
    const age = sinceThen(measured)
    const wasSet = age.localMs < 0 || Math.abs(age.localMs - age.steadyMs) > DISAGREEMENT_MS
    if (wasSet || age.localMs > maxAgeMs) await measure()
  }

  function lastMeasured(): Measurement {
    if (measured === undefined) throw new Defect('service time was never measured')
    return measured
  }

  return {
    measure,
    ensure,
    // A method instead of a getter: each object literal with a getter has its own hidden class, and code that meets
    // many is slow.
    offset: () => {
      if (measured === undefined) return undefined
      return { offsetMs: measured.serviceMs - measured.localMs, uncertaintyMs: measured.uncertaintyMs }
    },
    distrust: () => {
      isDoubtful = true
    },
    // By the wall clock, which runs while the machine sleeps. A token dated too early is refused as expired.
    nowMs: () => {
      const then = lastMeasured()
      latestMs = Math.max(latestMs, then.serviceMs + sinceThen(then).localMs)
      return latestMs
    },
    // By the slower clock, so that neither a clock set forward nor a clock that stood still claims too much. Not raised
    // to `latestMs`: a time that this machine briefly showed too early was not reached.
    reachedMs: () => {
      const then = lastMeasured()
      const { localMs, steadyMs } = sinceThen(then)
      return then.serviceMs + Math.min(localMs, steadyMs) - then.uncertaintyMs
    },
    // By the faster clock. Where the clocks disagree, the wall clock was set or the machine slept, so neither is
    // believed.
    atMostMs: () => {
      const then = lastMeasured()
      const { localMs, steadyMs } = sinceThen(then)
      if (Math.abs(localMs - steadyMs) > DISAGREEMENT_MS) return undefined
      return then.serviceMs + Math.max(localMs, steadyMs) + then.uncertaintyMs
    },
  }
}

/**
 * Whether the later time continues the earlier one, by both of this machine's clocks. After a sleep, or where the wall clock was
 * set, one of them says so of any time that is wrong by as much.
 */
function isContinued(later: Measurement, earlier: Measurement): boolean {
  const differenceMs = later.serviceMs - earlier.serviceMs
  const since = [later.localMs - earlier.localMs, later.steadyMs - earlier.steadyMs]
  return since.every((sinceMs) => Math.abs(differenceMs - sinceMs) < JUMP_MS)
}

/**
 * Reads `/v2/time`.
 * @throws Transient, Refused
 * @throws Defect when neither the body nor the `Date` header shows a time
 */
export async function readServiceTime(transport: Transport, timeoutMs: number): Promise<TimeReading> {
  const answer = await transport.exchange({
    method: 'GET',
    target: '/v2/time',
    headers: { accept: 'application/json, application/problem+json', 'cache-control': 'no-cache' },
    timeoutMs,
  })
  const success = succeeded(ENDPOINT, answer)
  const reading = readTime(parseJson(ENDPOINT, success), success.date)
  if (reading === undefined) throw new Defect(`${ENDPOINT}: no recognisable time in the body and no Date header`)
  return reading
}

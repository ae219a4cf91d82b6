// Owns service time: an offset measured against GET /v2/time, or its `Date` header, and how
// uncertain it is. Between measurements it runs on this machine's clock and never goes back.
// It must not sign or decide what a time means.
import type { Clock } from '../clock.ts'
import { Defect } from '../errors.ts'
import type { Transport } from './http.ts'
import type { ServiceClock } from './ports.ts'
import { parseJson, succeeded } from './reader.ts'

const ENDPOINT = 'GET /v2/time'

/** A time as the service gave it. */
export interface TimeReading {
  /** Epoch ms; of a clock that shows whole seconds, the second's beginning. */
  readonly epochMs: number
  /** Whether the body or the `Date` header said so. */
  readonly from: 'body' | 'date'
  /** True when it shows no more than whole seconds. */
  readonly isCoarse: boolean
}

interface Measurement {
  readonly localMs: number
  readonly serviceMs: number
  readonly uncertaintyMs: number
}

export function createServiceClock(transport: Transport, clock: Clock): ServiceClock {
  let measured: Measurement | undefined
  let latestMs = Number.NEGATIVE_INFINITY

  async function measure(): Promise<void> {
    const askedMs = clock.nowMs()
    const reading = await readServiceTime(transport)
    const answeredMs = clock.nowMs()
    // Set back during the exchange: the round trip is then unknown, but it is not negative.
    const halfTripMs = Math.max(0, answeredMs - askedMs) / 2
    measured = {
      localMs: answeredMs,
      serviceMs: reading.epochMs + halfTripMs,
      uncertaintyMs: halfTripMs + (reading.isCoarse ? 1000 : 0),
    }
    latestMs = Number.NEGATIVE_INFINITY
  }

  async function ensure(maxAgeMs: number): Promise<void> {
    const ageMs = measured === undefined ? Number.POSITIVE_INFINITY : clock.nowMs() - measured.localMs
    // A negative age means that this machine's clock was set back.
    if (ageMs < 0 || ageMs > maxAgeMs) await measure()
  }

  function estimate(): { readonly epochMs: number; readonly uncertaintyMs: number } {
    if (measured === undefined) throw new Defect('service time was never measured')
    const { localMs, serviceMs, uncertaintyMs } = measured
    return { epochMs: serviceMs + (clock.nowMs() - localMs), uncertaintyMs }
  }

  return {
    measure,
    ensure,
    nowMs: () => {
      latestMs = Math.max(latestMs, estimate().epochMs)
      return latestMs
    },
    // Not held up by `latestMs`: when this machine was ahead for a moment, that was not reached.
    reachedMs: () => {
      const { epochMs, uncertaintyMs } = estimate()
      return epochMs - uncertaintyMs
    },
  }
}

/** Reads `/v2/time`, whose body is not described: any recognisable time in it, else the `Date` header. */
export async function readServiceTime(transport: Transport): Promise<TimeReading> {
  const answer = await transport.exchange({
    method: 'GET',
    target: '/v2/time',
    headers: { accept: 'application/json, application/problem+json' },
  })
  const success = succeeded(ENDPOINT, answer)
  const reading = recogniseTime(parseJson(ENDPOINT, success))
  if (reading !== undefined) return reading
  const dateMs = parseDateHeader(success.date)
  if (dateMs === undefined) throw new Defect(`${ENDPOINT}: no recognisable time in the body and no Date header`)
  return { epochMs: dateMs, from: 'date', isCoarse: true }
}

/** RFC 9110, section 5.6.7: the only form that is sent today. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/
/** Epoch seconds or milliseconds. */
const DIGITS = /^\d{10}(\d{3})?(\.\d+)?$/
/** Names that speak of the present: beside such a field, a start or a deadline is not looked at. */
const PRESENT = /^(now|time|date|utc|timestamp|(server|service|current|unix|epoch|iso)(_?\w*)?)$/i
const MAX_FIELDS = 100
const EARLIEST_MS = Date.UTC(2020, 0, 1)
const LATEST_MS = Date.UTC(2100, 0, 1)

function parseDateHeader(text: string): number | undefined {
  return HTTP_DATE.test(text) ? plausible(Date.parse(text)) : undefined
}

/** The finest time among the top-level fields, of those first whose name speaks of the present. */
export function recogniseTime(json: unknown): TimeReading | undefined {
  const fields = typeof json === 'object' && json !== null ? Object.entries(json) : [['now', json] as const]
  const found = fields.slice(0, MAX_FIELDS).flatMap(([name, value]) => {
    const reading = parseTime(value)
    return reading === undefined ? [] : [{ reading, rank: (PRESENT.test(name) ? 0 : 2) + (reading.isCoarse ? 1 : 0) }]
  })
  // Sorting is stable: among equals the first field stays first.
  return found.sort((left, right) => left.rank - right.rank)[0]?.reading
}

function parseTime(value: unknown): TimeReading | undefined {
  if (typeof value === 'string' && ISO_TIME.test(value)) return reading(Date.parse(value), !value.includes('.'))
  const digits = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  if (!DIGITS.test(digits)) return undefined
  const isSeconds = digits.split('.', 1)[0]?.length === 10
  return reading(Math.floor(Number(digits) * (isSeconds ? 1000 : 1)), isSeconds && !digits.includes('.'))
}

function reading(epochMs: number, isCoarse: boolean): TimeReading | undefined {
  return plausible(epochMs) === undefined ? undefined : { epochMs, from: 'body', isCoarse }
}

function plausible(epochMs: number): number | undefined {
  return epochMs >= EARLIEST_MS && epochMs <= LATEST_MS ? epochMs : undefined
}

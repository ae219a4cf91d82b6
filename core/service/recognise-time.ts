// Owns what counts as a time in the body of GET /v2/time, which is not described, and whether it is believed
// beside the answer's `Date` header. Pure. A wrong time dates tokens wrongly and lets a fence pass too early. So
// a body that may not say the present counts for nothing, and the header is read instead.
import { parseHttpDate } from './http-date.ts'

/** A time as the service gave it. */
export interface TimeReading {
  /** Epoch ms; of a clock that shows whole seconds, the second's beginning. */
  readonly epochMs: number
  /** Whether the body or the `Date` header said so. */
  readonly from: 'body' | 'date'
  /** True when it shows no more than whole seconds. */
  readonly isCoarse: boolean
  /** By so much the body said less than the header that is believed: one of them is wrong. */
  readonly doubtMs?: number
}

/** The body's time where it is believed, else the `Date` header's. `undefined`: neither says one. */
export function readTime(json: unknown, dateHeader: string): TimeReading | undefined {
  const said = recogniseTime(json)
  const dateMs = plausible(parseHttpDate(dateHeader))
  if (dateMs === undefined) return said
  if (said !== undefined && isBeside(said.epochMs, dateMs)) return said
  const believed = { epochMs: dateMs, from: 'date', isCoarse: true } as const
  // No fence may pass by a header that runs ahead. What speaks of another moment than the present is no doubt.
  const isBehind = said !== undefined && saysPresent(json) && said.epochMs < dateMs
  return isBehind ? { ...believed, doubtMs: dateMs - said.epochMs } : believed
}

function saysPresent(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return true
  return Object.entries(json).some(([name, value]) => speaksOfPresent(name) && parseTime(value) !== undefined)
}

/** Further from the header than this a body is not believed: it speaks of another moment. */
const BELIEVED_MS = 2_000
const SECOND_MS = 1_000

/** A header names a whole second: it was written at any moment of it. */
function isBeside(epochMs: number, dateMs: number): boolean {
  return epochMs >= dateMs - BELIEVED_MS && epochMs <= dateMs + SECOND_MS + BELIEVED_MS
}

/** Who or what tells it, if the name says so; then how; then in which units, or where. */
const PRESENT =
  /^(?=.*(now|time|date|epoch|unix|iso|utc))(server|service|system|current)?(unix|epoch|iso|utc)?(now|time|timestamp|date|datetime)?(now|unix|epoch|iso|utc)?(ms|msec|millis|milliseconds|s|sec|secs|seconds|8601)?$/

/** `serverTime`, `server_time` and `server-time` are one name. */
function speaksOfPresent(name: string): boolean {
  return PRESENT.test(name.replace(/[_-]/g, '').toLowerCase())
}

/**
 * The finest time among the top-level fields whose whole name says that it is the present; without one, the only
 * time that there is. Of several under other names, or that contradict each other, none can be told from a start or
 * a deadline.
 */
export function recogniseTime(json: unknown): TimeReading | undefined {
  const fields = typeof json === 'object' && json !== null ? Object.entries(json) : [['now', json] as const]
  const times = fields.flatMap(([name, value]) => {
    const reading = parseTime(value)
    return reading === undefined ? [] : [{ name, reading }]
  })
  const present = times.filter(({ name }) => speaksOfPresent(name)).map(({ reading }) => reading)
  if (present.length === 0) return times.length === 1 ? times[0]?.reading : undefined
  return agree(present) ? (present.find(({ isCoarse }) => !isCoarse) ?? present[0]) : undefined
}

function agree(readings: readonly TimeReading[]): boolean {
  const moments = readings.map(({ epochMs }) => epochMs)
  return Math.max(...moments) - Math.min(...moments) <= BELIEVED_MS
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/
/** Epoch seconds or milliseconds. */
const DIGITS = /^\d{10}(\d{3})?(\.\d+)?$/
const EARLIEST_MS = Date.UTC(2020, 0, 1)
const LATEST_MS = Date.UTC(2100, 0, 1)

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

function plausible(epochMs: number | undefined): number | undefined {
  return epochMs !== undefined && epochMs >= EARLIEST_MS && epochMs <= LATEST_MS ? epochMs : undefined
}

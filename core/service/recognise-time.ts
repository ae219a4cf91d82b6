// Recognises the time in the body of GET /v2/time, which is not described, and decides whether to believe it beside
// the answer's `Date` header. A wrong time misdates tokens and lets a fence pass too early. So a body that may not
// show the present counts for nothing, and the header is read instead. Parses dates in HTTP headers. Pure.

export interface TimeReading {
  /** Epoch ms. For a clock with whole seconds, the start of the second. */
  readonly epochMs: number
  readonly from: 'body' | 'date'
  /** True for whole seconds. */
  readonly isCoarse: boolean
  /** Milliseconds by which the body is behind the believed header. One of the two is wrong. */
  readonly doubtMs?: number
}

/** The body's time if it is believed, otherwise the `Date` header's; `undefined` when neither shows a time. */
export function readTime(json: unknown, dateHeader: string): TimeReading | undefined {
  const bodyTime = recogniseTime(json)
  const dateMs = plausible(parseHttpDate(dateHeader))
  if (dateMs === undefined) return bodyTime
  if (bodyTime !== undefined && isNearHeader(bodyTime.epochMs, dateMs)) return bodyTime
  const believed = { epochMs: dateMs, from: 'date', isCoarse: true } as const
  // A header that runs ahead must not let a fence pass. A body about another moment than the present raises no doubt.
  const isBehind = bodyTime !== undefined && saysPresent(json) && bodyTime.epochMs < dateMs
  return isBehind ? { ...believed, doubtMs: dateMs - bodyTime.epochMs } : believed
}

function saysPresent(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return true
  return Object.entries(json).some(([name, value]) => speaksOfPresent(name) && parseTime(value) !== undefined)
}

/** Milliseconds from the header beyond which a body is not believed, because it shows another moment. */
const BELIEVED_MS = 2_000
const SECOND_MS = 1_000

/** A header shows a whole second, and may have been written at any moment of it. */
function isNearHeader(epochMs: number, dateMs: number): boolean {
  return epochMs >= dateMs - BELIEVED_MS && epochMs <= dateMs + SECOND_MS + BELIEVED_MS
}

/** Names for the present: whose time it is, then its form, then a word for time, then its form or unit. */
const PRESENT =
  /^(?=.*(now|time|date|epoch|unix|iso|utc))(server|service|system|current)?(unix|epoch|iso|utc)?(now|time|timestamp|date|datetime)?(now|unix|epoch|iso|utc)?(ms|msec|millis|milliseconds|s|sec|secs|seconds|8601)?$/

/** `serverTime`, `server_time` and `server-time` are one name. */
function speaksOfPresent(name: string): boolean {
  return PRESENT.test(name.replace(/[_-]/g, '').toLowerCase())
}

/**
 * Among the top-level fields whose whole name means the present: the finest time, if all of these agree. Without such a
 * field: the only time in the body. Several times under other names could be a start or a deadline, so they count for
 * nothing.
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

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Epoch ms; `undefined` for text that is no such date. */
export function parseHttpDate(text: string): number | undefined {
  const epochMs = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(epochMs) ? undefined : epochMs
}

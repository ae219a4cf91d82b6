// Converts between UTC and local time in an IANA time zone, by the host's own zone tables (Intl). Pure.

/** A local date and time; `month` and `day` count from 1. */
export interface LocalTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

export interface Zone {
  localAt(utcMs: number): LocalTime
  /** Returns the first moment with this local time, in epoch milliseconds, or undefined when the clocks skip it. */
  findUtcMs(local: LocalTime): number | undefined
}

const DAY_MS = 86_400_000
/**
 * Maximum number of offsets that a zone remembers. A frequent cron asks for the offsets of the same two days each time.
 */
const MOST_REMEMBERED = 2_000

/** Returns undefined for an unknown name. An offset such as +02:00 is not an IANA name, though Intl accepts it. */
export function findZone(name: string): Zone | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    return zoneOf(name)
  } catch {
    return undefined
  }
}

function zoneOf(timeZone: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const localAt = (utcMs: number): LocalTime => {
    // The text looks like "12/31/2026, 23:59:59". `formatToParts` takes twice as long.
    const [month = 1, day = 1, year = 1970, hour = 0, minute = 0, second = 0] = numbersIn(format.format(utcMs))
    return { year, month, day, hour, minute, second }
  }
  const remembered = new Map<number, number>()
  const offsetMs = (utcMs: number) => {
    const known = remembered.get(utcMs)
    if (known !== undefined) return known
    const offset = asUtcMs(localAt(utcMs)) - Math.floor(utcMs / 1000) * 1000
    if (remembered.size >= MOST_REMEMBERED) remembered.clear()
    remembered.set(utcMs, offset)
    return offset
  }
  return {
    localAt,
    findUtcMs(local) {
      const asUtc = asUtcMs(local)
      // Near a change of the clocks the two offsets differ. A moment counts when its own offset leads back to it.
      const offsets = [offsetMs(asUtc - DAY_MS), offsetMs(asUtc + DAY_MS)]
      const moments = offsets.map((offset) => asUtc - offset).filter((utcMs) => utcMs + offsetMs(utcMs) === asUtc)
      return moments.length === 0 ? undefined : Math.min(...moments)
    },
  }
}

function numbersIn(text: string): readonly number[] {
  return (text.match(/\d+/g) ?? []).map(Number)
}

/** Reads the local time as if it were UTC. */
function asUtcMs({ day, hour, minute, month, second, year }: LocalTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

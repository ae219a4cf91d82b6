// The state of a simulated world as text: equal texts go on in the same way under the same
// choices. Names that only name things (nonces, ids, stamps) are numbered as they come in it, and
// times are told from now on: nothing in a world depends on a date.

/** When every world begins, in service time. */
export const START_MS = Date.parse('2026-01-01T00:00:00Z')

/** Something that is part of a state only while something else of it has its name. */
export interface Detail {
  readonly name: string
  readonly text: string
}

/** Who parks, as a world's state tells it. */
export interface Told {
  text(): string
  /** How often a process has looked at its clock. */
  readonly looks?: number
  /** How often it has been called. */
  readonly calls?: number
}

/** Who goes on next unless somebody departs from the plain course. */
export interface Next {
  readonly who: Told
  readonly step: Step
}

/**
 * What a process is about to do: hear the answer to what it has done; look at something that no
 * other process changes; or act on what others share, or look at it.
 */
export type Step = 'hears' | 'looks' | 'acts'

/**
 * When an intent began and when its time is over are told as they are: the worlds that are
 * explored end long before, so neither is ever compared with a time that comes to pass. A row's
 * own `createdAt` is not one of these.
 */
const FIXED = /"(?:startedAt|notAfter)":"[^"]*"|"createdAt":"[^"]*","notAfter":"[^"]*"/
const NAME = /~\d+/
/** ISO-8601, epoch milliseconds and epoch seconds. */
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z|\b1[78]\d{8}(?:\d{3})?\b/
const TOLD_OTHERWISE = new RegExp([FIXED, NAME, TIME].map(({ source }) => source).join('|'), 'g')

/** What may act or be read. */
export interface Acting {
  /** All but what only the process knows that goes on next, and that is forgotten when it crashes. */
  readonly shared: string
  readonly own: string
}

/** When, in a world, it is: everything happens after `longAgoMs`, and within a day of it. */
export interface Present {
  readonly nowMs: number
  readonly longAgoMs: number
}

/** `details`: what is known of those whom the rest names. */
export function stateText({ nowMs, longAgoMs }: Present, { shared, own }: Acting, details: readonly Detail[]): Acting {
  const numbers = new Map<string, number>()
  const tell = (found: string): string => {
    if (found.startsWith('"')) return found
    if (!found.startsWith('~')) {
      const ms = epochMs(found)
      return ms === longAgoMs ? 'long ago' : `${ms - nowMs}ms`
    }
    const known = numbers.get(found)
    if (known !== undefined) return `~${known}`
    numbers.set(found, numbers.size)
    return `~${numbers.size - 1}`
  }
  const withDetails = (text: string): string => {
    const before = numbers.size
    const isFirst = before === 0
    const lines = [text.replace(TOLD_OTHERWISE, tell)]
    const told: [number, string][] = []
    for (const detail of details) {
      const at = numbers.get(detail.name.slice(detail.name.lastIndexOf('~')))
      if (at !== undefined && (isFirst || at >= before)) told.push([at, detail.text])
    }
    told.sort(([left], [right]) => left - right)
    for (const [at, known] of told) lines.push(`~${at} ${known.replace(TOLD_OTHERWISE, tell)}`)
    return lines.join('\n')
  }
  // A token is dated in whole seconds: where the second began is part of the state.
  return { shared: `${nowMs % 1000} ms into the second\n${withDetails(shared)}`, own: withDetails(own) }
}

const parsed = new Map<string, number>()

function epochMs(text: string): number {
  if (text.length === 13) return Number(text)
  if (text.length === 10) return Number(text) * 1000
  const known = parsed.get(text)
  if (known !== undefined) return known
  // Bounded, though a scope has few times.
  if (parsed.size > 100_000) parsed.clear()
  const ms = Date.parse(text)
  parsed.set(text, ms)
  return ms
}

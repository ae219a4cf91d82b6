// The state of a simulated world as text: worlds with equal texts continue in the same way under the same choices. Mere
// names (nonces, ids, stamps) are numbered in order of appearance. Times are relative to now, because nothing in a
// world depends on a date.

/** The start of every world, in service time. */
export const START_MS = Date.parse('2026-01-01T00:00:00Z')

/** A detail that is part of a state only while another part mentions its name. */
export interface Detail {
  readonly name: string
  readonly text: string
}

/** A parked process, as a state describes it. */
export interface Describable {
  text(): string
  /** How often the process has read its clock. */
  readonly looks?: number
  /** How often the process has been called. */
  readonly calls?: number
}

/** The process that continues next on the plain course. */
export interface Next {
  readonly who: Describable
  readonly step: Step
}

/**
 * The next act of a process. `hears`: hear the answer to its last act. `looks`: read something that no other process
 * changes. `acts`: change or read something shared.
 */
export type Step = 'hears' | 'looks' | 'acts'

/**
 * The start of an intent and its end of time stay absolute: the explored worlds end long before, so neither is ever
 * compared with a time that is reached. A row's own `createdAt` is relative.
 */
const FIXED = /"(?:startedAt|notAfter)":"[^"]*"|"createdAt":"[^"]*","notAfter":"[^"]*"/
const NAME = /~\d+/
/** ISO-8601, epoch milliseconds and epoch seconds. */
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z|\b1[78]\d{8}(?:\d{3})?\b/
const REWRITTEN = new RegExp([FIXED, NAME, TIME].map(({ source }) => source).join('|'), 'g')

/** The parts of a world that may act or be read. */
export interface Acting {
  /** Everything except what only the next process knows, and forgets when it crashes. */
  readonly shared: string
  readonly own: string
}

/** The present time of a world. Everything happens after `longAgoMs`, and within a day of it. */
export interface Present {
  readonly nowMs: number
  readonly longAgoMs: number
}

/** `details`: what is known of the names in the rest. */
export function stateText({ nowMs, longAgoMs }: Present, { shared, own }: Acting, details: readonly Detail[]): Acting {
  const numbers = new Map<string, number>()
  const rewrite = (found: string): string => {
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
    const lines = [text.replace(REWRITTEN, rewrite)]
    const described: [number, string][] = []
    for (const detail of details) {
      const at = numbers.get(detail.name.slice(detail.name.lastIndexOf('~')))
      if (at !== undefined && (isFirst || at >= before)) described.push([at, detail.text])
    }
    described.sort(([left], [right]) => left - right)
    for (const [at, known] of described) lines.push(`~${at} ${known.replace(REWRITTEN, rewrite)}`)
    return lines.join('\n')
  }
  // A token's time is in whole seconds, so the ms within the present second are part of the state.
  return { shared: `${nowMs % 1000} ms into the second\n${withDetails(shared)}`, own: withDetails(own) }
}

const parsed = new Map<string, number>()

function epochMs(text: string): number {
  if (text.length === 13) return Number(text)
  if (text.length === 10) return Number(text) * 1000
  const known = parsed.get(text)
  if (known !== undefined) return known
  // Bounded, although a scope has few times.
  if (parsed.size > 100_000) parsed.clear()
  const ms = Date.parse(text)
  parsed.set(text, ms)
  return ms
}

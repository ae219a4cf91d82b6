// Reads the graph of a state machine from its definition: its states, and the arrows between them. An arrow leads from a
// Map to the first of its states. Pure.
import * as z from 'zod/mini'

export interface Edge {
  readonly from: string
  readonly to: string
  /** Whether it is an arrow inside a Map, or into it. */
  readonly isInner: boolean
}

export interface Machine {
  /** The states that can be reached, from the start on. */
  readonly states: readonly string[]
  readonly edges: readonly Edge[]
  readonly kinds: ReadonlyMap<string, string>
  /** Names of the states inside a Map. */
  readonly inner: ReadonlySet<string>
}

/** The label of the box that stands for all ends not reached. */
export const MORE_ENDS = 'other ends'
/** Maximum ends that are drawn one by one. */
const FEW_ENDS = 3

const way = z.object({ Next: z.optional(z.string()) })
const state = z.object({
  Type: z.string(),
  Next: z.optional(z.string()),
  Default: z.optional(z.string()),
  Choices: z.optional(z.array(way)),
  Catch: z.optional(z.array(way)),
  ItemProcessor: z.optional(z.unknown()),
})
const definition = z.object({ StartAt: z.string(), States: z.record(z.string(), state) })
type Definition = z.infer<typeof definition>

/** `taken`: the states that were entered. Undefined for a text that is not a definition. */
export function readMachine(text: string, taken: ReadonlySet<string>): Machine | undefined {
  const parsed = definition.safeParse(parseJson(text)).data
  if (parsed === undefined) return undefined
  const kinds = new Map<string, string>()
  const inner = new Set<string>()
  const edges = new Map<string, Edge>()
  collect(parsed, false, { kinds, inner, edges })
  const folded = foldEnds(kinds, taken)
  const drawnAs = (name: string) => (folded.has(name) ? MORE_ENDS : name)
  const drawn = new Map<string, Edge>()
  for (const { from, to, isInner } of edges.values()) {
    const edge = { from, to: drawnAs(to), isInner }
    drawn.set(`${edge.from}\n${edge.to}`, edge)
  }
  const shown = [...drawn.values()]
  return { states: reachedFrom(parsed.StartAt, shown), edges: shown, kinds, inner }
}

interface Collected {
  readonly kinds: Map<string, string>
  readonly inner: Set<string>
  readonly edges: Map<string, Edge>
}

function collect({ States }: Definition, isInner: boolean, all: Collected): void {
  for (const [name, { Type, Next, Default, Choices = [], Catch = [], ItemProcessor }] of Object.entries(States)) {
    all.kinds.set(name, Type)
    if (isInner) all.inner.add(name)
    const targets = [Next, ...Choices.map((choice) => choice.Next), Default, ...Catch.map((each) => each.Next)]
    for (const to of targets) if (to !== undefined) all.edges.set(`${name}\n${to}`, { from: name, to, isInner })
    const nested = definition.safeParse(ItemProcessor).data
    if (nested === undefined) continue
    all.edges.set(`${name}\n${nested.StartAt}`, { from: name, to: nested.StartAt, isInner: true })
    collect(nested, true, all)
  }
}

/** Returns the ends that were not reached, where there are many ends. Arrows to each of them would hide the rest. */
function foldEnds(kinds: ReadonlyMap<string, string>, taken: ReadonlySet<string>): ReadonlySet<string> {
  const ends = [...kinds].filter(([, kind]) => kind === 'Succeed' || kind === 'Fail').map(([name]) => name)
  return new Set(ends.length <= FEW_ENDS ? [] : ends.filter((name) => !taken.has(name)))
}

function reachedFrom(start: string, edges: readonly Edge[]): string[] {
  const reached = new Set([start])
  // A JavaScript Set may grow during a loop over it; the loop reaches the new entries last.
  for (const state of reached) for (const { from, to } of edges) if (from === state) reached.add(to)
  return [...reached]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// Draws a state machine from its definition (Amazon States Language), with the path that an execution took. Definition
// and history in, SVG out. With many end states, those that were not reached share one box. The library dagre places
// the states: a layered layout from the start down, with few crossings. Pure.

import { Graph, layout } from '@dagrejs/dagre'
import * as z from 'zod/mini'
import { counted } from '../../core/printable.ts'
import type { HistoryStep } from '../../place/executions/execution-history.ts'
import { scrolling } from './html-table.ts'
import { html, type Markup } from './markup.ts'

export interface Path {
  readonly status: string
  readonly steps: readonly Pick<HistoryStep, 'did' | 'state' | 'at'>[]
}

/** Maximum letters that fit a box. A longer name is compressed. */
const MOST_LETTERS = 17
/** Undefined for an unreadable definition. */
export function machineDrawing(name: string, definition: string, path: Path | undefined): Markup | undefined {
  const order = enteredIn(path)
  const machine = readMachine(definition, new Set(order))
  if (machine === undefined) return undefined
  const taken = takenOf(order, machine)
  const { width, height, middles, edges } = layOut(machine)
  const current = path?.status === 'RUNNING' ? taken.order.at(-1) : undefined
  const summary = taken.order.length === 0 ? 'no state was entered' : `the path taken: ${taken.order.join(', ')}`
  const drawing = html`<svg class="machine" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="state machine ${name}; ${summary}">
${lastTaken(edges, taken).map((edge) => edgeMarkup(edge, taken))}
${[...middles].map(([state, middle]) => boxMarkup(state, middle, machine, taken, current))}</svg>`
  return scrolling(`State machine ${name}`, drawing)
}

interface Taken {
  /** Each state in the order of entry. A state that was entered twice is in it twice. */
  readonly order: readonly string[]
  readonly counts: ReadonlyMap<string, number>
  /** Arrows that were taken, as `from → to`. */
  readonly ways: ReadonlySet<string>
}

function enteredIn(path: Path | undefined): string[] {
  return (path?.steps ?? []).filter(({ did }) => did === 'entered').map(({ state }) => state)
}

function takenOf(order: readonly string[], { inner }: Machine): Taken {
  const counts = new Map<string, number>()
  for (const state of order) counts.set(state, (counts.get(state) ?? 0) + 1)
  // After the states of a Map, the Map itself continues.
  const outer = order.filter((state) => !inner.has(state))
  const ways = new Set(outer.slice(1).map((to, index) => `${outer[index]} → ${to}`))
  return { order, counts, ways }
}

function boxMarkup(
  state: string,
  middle: { readonly x: number; readonly y: number },
  { kinds, inner }: Machine,
  { counts }: Taken,
  current: string | undefined,
): Markup {
  const [x, y] = [middle.x - BOX.width / 2, middle.y - BOX.height / 2]
  const count = counts.get(state) ?? 0
  const kind = kinds.get(state) ?? ''
  const look = [kind, count > 0 && 'taken', state === current && 'current', inner.has(state) && 'inner']
    .filter(Boolean)
    .join(' ')
  const label = count > 1 ? `${state} ×${count}` : state
  const isLong = label.length > MOST_LETTERS
  const round = kind === 'Choice' ? BOX.height / 2 : 5
  return html`<g class="${look}"><title>${state}${kind !== '' && ` (${kind})`}: ${count === 0 ? 'not entered' : `entered ${counted(count, 'time')}`}</title>
<rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="${round}"/>
<text x="${middle.x}" y="${middle.y + 4}" text-anchor="middle"${isLong && html` textLength="${BOX.width - 8}" lengthAdjust="spacingAndGlyphs"`}>${label}</text></g>
`
}

/** Draws the arrows that were taken last, so that they lie above the others. */
function lastTaken(edges: readonly PlacedEdge[], taken: Taken): PlacedEdge[] {
  return edges.toSorted((one, other) => Number(isTaken(one, taken)) - Number(isTaken(other, taken)))
}

/** Legs run at the same time, so their states mix. Inside a Map an arrow counts as taken when both its states were entered. */
function isTaken({ from, to, isInner }: Edge, { counts, ways }: Taken): boolean {
  return isInner ? counts.has(from) && counts.has(to) : ways.has(`${from} → ${to}`)
}

function edgeMarkup(edge: PlacedEdge, taken: Taken): Markup {
  const { from, to, points } = edge
  return html`<path class="${isTaken(edge, taken) ? 'way taken' : 'way'}" d="${lineThrough(points)}"><title>${from} to ${to}</title></path>
`
}

/** A line from the first to the last point, round at the points between. */
function lineThrough(points: PlacedEdge['points']): string {
  const [first, ...rest] = points
  const last = rest.at(-1)
  if (first === undefined || last === undefined) return ''
  const bends = rest.slice(0, -1).map((bend, index) => {
    const next = rest[index + 1] ?? last
    const isLast = index === rest.length - 2
    const end = isLast ? last : { x: (bend.x + next.x) / 2, y: (bend.y + next.y) / 2 }
    return `Q${spot(bend)} ${spot(end)}`
  })
  return `M${spot(first)}${bends.length > 0 ? bends.join('') : `L${spot(last)}`}`
}

function spot({ x, y }: PlacedEdge['points'][number]): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`
}

/** In pixels, like the other lengths here. */
export const BOX = { width: 132, height: 30 }
const GAP = { beside: 22, below: 34, ways: 12 }
const MARGIN = 14

interface Point {
  readonly x: number
  readonly y: number
}

/** An edge with the points that its line goes through, from border to border. */
interface PlacedEdge extends Edge {
  readonly points: readonly Point[]
}

interface MachineLayout {
  readonly width: number
  readonly height: number
  /** The middle of each state's box. */
  readonly middles: ReadonlyMap<string, Point>
  readonly edges: readonly PlacedEdge[]
}

export function layOut({ states, edges }: Pick<Machine, 'states' | 'edges'>): MachineLayout {
  const graph = new Graph<Record<string, number>, Partial<Point> & typeof BOX, { points?: readonly Point[] }>()
  graph.setGraph({ nodesep: GAP.beside, ranksep: GAP.below, edgesep: GAP.ways })
  const numbers = new Map(states.map((state, number) => [state, String(number)]))
  for (const number of numbers.values()) graph.setNode(number, { ...BOX })
  const nodeOf = (state: string) => numbers.get(state) ?? ''
  const known = edges.filter(({ from, to }) => numbers.has(from) && numbers.has(to))
  for (const { from, to } of known) graph.setEdge(nodeOf(from), nodeOf(to), {})
  layout(graph)
  const pointsOf = ({ from, to }: Edge) => graph.edge(nodeOf(from), nodeOf(to)).points ?? []
  const frame = frameOf(
    [...numbers.values()].map((number) => middleOf(graph.node(number))),
    known.flatMap(pointsOf),
  )
  const moved = ({ x, y }: Point) => ({ x: x - frame.left, y: y - frame.top })
  return {
    width: Math.ceil(frame.right - frame.left),
    height: Math.ceil(frame.bottom - frame.top),
    middles: new Map(states.map((state) => [state, moved(middleOf(graph.node(nodeOf(state))))])),
    edges: known.map((edge) => ({ ...edge, points: pointsOf(edge).map(moved) })),
  }
}

function middleOf({ x = 0, y = 0 }: Partial<Point>): Point {
  return { x, y }
}

/** Around the boxes and the bends of all lines. Dagre's own width and height leave the bends out. */
function frameOf(middles: readonly Point[], bends: readonly Point[]) {
  const xs = [...middles.flatMap(({ x }) => [x - BOX.width / 2, x + BOX.width / 2]), ...bends.map(({ x }) => x)]
  const ys = [...middles.flatMap(({ y }) => [y - BOX.height / 2, y + BOX.height / 2]), ...bends.map(({ y }) => y)]
  return {
    left: Math.min(...xs) - MARGIN,
    right: Math.max(...xs) + MARGIN,
    top: Math.min(...ys) - MARGIN,
    bottom: Math.max(...ys) + MARGIN,
  }
}

// Reads the graph of a state machine from its definition: its states, and the arrows between them. An arrow leads from a
// Map to the first of its states. Pure.

interface Edge {
  readonly from: string
  readonly to: string
  /** Whether it is an arrow inside a Map, or into it. */
  readonly isInner: boolean
}

interface Machine {
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

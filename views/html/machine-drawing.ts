// Draws a state machine from its definition (Amazon States Language), with the path that an execution took. Definition and
// history in, SVG out. A row holds the states at the same distance from the start. With many end states, those that were
// not reached share one box. Pure.

import { counted } from '../../core/counted.ts'
import type { HistoryStep } from '../../operations/connection/journal/execution-history.ts'
import { scrolling } from './html-table.ts'
import { type Edge, type Machine, readMachine } from './machine-graph.ts'
import { html, type Markup } from './markup.ts'

export interface Path {
  readonly status: string
  readonly steps: readonly Pick<HistoryStep, 'did' | 'state' | 'at'>[]
}

/** In pixels, like the other lengths here. */
const BOX = { width: 132, height: 30 }
/** Maximum letters that fit a box. A longer name is compressed. */
const MOST_LETTERS = 17
const GAP = { x: 26, y: 38 }
const EDGE = 14
/** Room left and right of all boxes, for arrows back up. */
const MARGIN = 46

interface Placed {
  readonly x: number
  readonly y: number
}

/** Undefined for an unreadable definition. */
export function machineDrawing(name: string, definition: string, path: Path | undefined): Markup | undefined {
  const order = enteredIn(path)
  const machine = readMachine(definition, new Set(order))
  if (machine === undefined) return undefined
  const taken = takenOf(order, machine)
  const { rows } = machine
  const widest = Math.max(...rows.map((row) => row.length))
  const width = widest * (BOX.width + GAP.x) - GAP.x + 2 * (EDGE + MARGIN)
  const height = rows.length * (BOX.height + GAP.y) - GAP.y + 2 * EDGE
  const placed = placesOf(rows, width)
  const current = path?.status === 'RUNNING' ? taken.order.at(-1) : undefined
  const summary = taken.order.length === 0 ? 'no state was entered' : `the path taken: ${taken.order.join(', ')}`
  const drawing = html`<svg class="machine" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="state machine ${name}; ${summary}">
${lastTaken(machine.edges, taken).map((edge) => edgeMarkup(edge, placed, taken, width))}
${rows.flat().map((state) => boxMarkup(state, placed.get(state), machine, taken, current))}</svg>`
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

function placesOf(rows: Machine['rows'], width: number): ReadonlyMap<string, Placed> {
  const places = new Map<string, Placed>()
  for (const [line, row] of rows.entries()) {
    const rowWidth = row.length * (BOX.width + GAP.x) - GAP.x
    for (const [index, state] of row.entries()) {
      const x = (width - rowWidth) / 2 + index * (BOX.width + GAP.x)
      places.set(state, { x, y: EDGE + line * (BOX.height + GAP.y) })
    }
  }
  return places
}

function boxMarkup(
  state: string,
  place: Placed | undefined,
  { kinds, inner }: Machine,
  { counts }: Taken,
  current: string | undefined,
): Markup | undefined {
  if (place === undefined) return undefined
  const { x, y } = place
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
<text x="${x + BOX.width / 2}" y="${y + BOX.height / 2 + 4}" text-anchor="middle"${isLong && html` textLength="${BOX.width - 8}" lengthAdjust="spacingAndGlyphs"`}>${label}</text></g>
`
}

/** Draws the arrows that were taken last, so that they lie above the others. */
function lastTaken(edges: readonly Edge[], taken: Taken): Edge[] {
  return edges.toSorted((one, other) => Number(isTaken(one, taken)) - Number(isTaken(other, taken)))
}

/** Legs run at the same time, so their states mix. Inside a Map an arrow counts as taken when both its states were entered. */
function isTaken({ from, to, isInner }: Edge, { counts, ways }: Taken): boolean {
  return isInner ? counts.has(from) && counts.has(to) : ways.has(`${from} → ${to}`)
}

/** An arrow to a later row goes down. An arrow back, or within its row, goes around at the side. */
function edgeMarkup(edge: Edge, placed: ReadonlyMap<string, Placed>, taken: Taken, width: number): Markup | undefined {
  const { from, to } = edge
  const [start, end] = [placed.get(from), placed.get(to)]
  if (start === undefined || end === undefined) return undefined
  return html`<path class="${isTaken(edge, taken) ? 'way taken' : 'way'}" d="${wayOf(start, end, width)}"><title>${from} to ${to}</title></path>
`
}

function wayOf(start: Placed, end: Placed, width: number): string {
  const middle = BOX.width / 2
  const [x1, y1] = [start.x + middle, start.y + BOX.height]
  const [x2, y2] = [end.x + middle, end.y]
  if (y2 > y1) {
    const bend = (y2 - y1) / 2
    return `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`
  }
  if (y2 - y1 === -BOX.height && Math.abs(end.x - start.x) === BOX.width + GAP.x) {
    // The states are neighbours in a row.
    const [from, to] = end.x > start.x ? [start.x + BOX.width, end.x] : [start.x, end.x + BOX.width]
    return `M${from} ${start.y + BOX.height / 2}H${to}`
  }
  const isRight = start.x + middle >= width / 2
  const side = isRight ? BOX.width : 0
  const [sx, sy] = [start.x + side, start.y + BOX.height / 2]
  const [ex, ey] = [end.x + side, end.y + BOX.height / 2]
  const out = isRight ? Math.min(width - 4, Math.max(sx, ex) + MARGIN) : Math.max(4, Math.min(sx, ex) - MARGIN)
  return `M${sx} ${sy}C${out} ${sy} ${out} ${ey} ${ex} ${ey}`
}

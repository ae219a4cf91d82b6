// Places the states of a state machine and the ways between them, by dagre: a layered layout from the start down, with few
// crossings. Nodes have numbers as names, because dagre keeps names in plain objects. Pure.
import { Graph, layout } from '@dagrejs/dagre'
import type { Edge, Machine } from './machine-graph.ts'

/** In pixels, like the other lengths here. */
export const BOX = { width: 132, height: 30 }
const GAP = { beside: 22, below: 34, ways: 12 }
const MARGIN = 14

interface Point {
  readonly x: number
  readonly y: number
}

/** An edge with the points that its line goes through, from border to border. */
export interface PlacedEdge extends Edge {
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

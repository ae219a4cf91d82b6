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

export interface MachineLayout {
  readonly width: number
  readonly height: number
  /** The middle of each state's box. */
  readonly middles: ReadonlyMap<string, Point>
  readonly edges: readonly PlacedEdge[]
}

export function layOut({ states, edges }: Pick<Machine, 'states' | 'edges'>): MachineLayout {
  const graph = new Graph<Record<string, number>, Partial<Point> & typeof BOX, { points?: readonly Point[] }>()
  graph.setGraph({ nodesep: GAP.beside, ranksep: GAP.below, edgesep: GAP.ways, marginx: MARGIN, marginy: MARGIN })
  const numbers = new Map(states.map((state, number) => [state, String(number)]))
  for (const number of numbers.values()) graph.setNode(number, { ...BOX })
  const nodeOf = (state: string) => numbers.get(state) ?? ''
  const known = edges.filter(({ from, to }) => numbers.has(from) && numbers.has(to))
  for (const { from, to } of known) graph.setEdge(nodeOf(from), nodeOf(to), {})
  layout(graph)
  const { width = 0, height = 0 } = graph.graph()
  const pointOf = (state: string) => {
    const { x = 0, y = 0 } = graph.node(nodeOf(state))
    return { x, y }
  }
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    middles: new Map(states.map((state) => [state, pointOf(state)])),
    edges: known.map((edge) => ({ ...edge, points: graph.edge(nodeOf(edge.from), nodeOf(edge.to)).points ?? [] })),
  }
}

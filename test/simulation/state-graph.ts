// Records the states of a scope that were met, and the ways between them. It knows which futures are explored, and
// counts the schedules from the first state, each followed to its end.
import type { Bounds } from './choices.ts'

type Node = number

export const END: Node = 0
/** More states do not fit the memory of a small machine. */
const MOST_STATES = 12_000_000
/** Each bound is less than this. */
const RADIX = 8
const CLASSES = ['fault', 'crash', 'freeze', 'switch'] as const

export interface Future {
  readonly schedules: number
  readonly longestMs: number
}

const ENDED: Future = { schedules: 1, longestMs: 0 }

export class StateGraph {
  /** By fingerprint: its nodes, each with another remainder of the bounds. */
  readonly #nodes = new Map<string, Node | Node[]>()
  /** The remaining bounds, by node. */
  readonly #left = [0]
  readonly #ways = { from: [] as Node[], to: [] as Node[], cost: [] as number[], tookMs: [] as number[] }
  #states = 0

  /** Number of different states that were met. */
  get states(): number {
    return this.#states
  }

  /**
   * The node of a state with this remainder of the bounds. A visit with the same remainder or more makes it known,
   * because it had every possibility of this one.
   */
  visit(fingerprint: string, bounds: Bounds): { readonly node: Node; readonly isNew: boolean } {
    const left = codeOf(bounds)
    const known = this.#nodes.get(fingerprint)
    const nodes = typeof known === 'number' ? [known] : (known ?? [])
    const node = nodes.find((visited) => isWithin(left, this.#left[visited] ?? 0))
    if (node !== undefined) return { node, isNew: false }
    const added = this.#left.push(left) - 1
    if (added > MOST_STATES) throw new Error(`more than ${MOST_STATES} states: the scope is too large`)
    if (known === undefined) this.#states += 1
    this.#nodes.set(fingerprint, known === undefined ? added : [...nodes, added])
    return { node: added, isNew: true }
  }

  /** Adds some steps of one schedule. `bounds`: what remained after them. */
  connect(from: Node, to: Node, bounds: Bounds, tookMs: number): void {
    const left = this.#left[from] ?? 0
    this.#ways.from.push(from)
    this.#ways.to.push(to)
    this.#ways.cost.push(left - codeOf(bounds))
    this.#ways.tookMs.push(tookMs)
  }

  /** Sums up the ways from a node to the end within its remaining bounds: their number, and the longest time. */
  sumUp(start: Node): Future {
    const leaving = this.#waysByNode()
    const known = new Map<number, Future>()
    const size = RADIX ** CLASSES.length
    const open = [start * size + (this.#left[start] ?? 0)]
    for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
      const left = at % size
      const future = { schedules: 0, longestMs: 0 }
      let isKnown = true
      for (const way of leaving[(at - left) / size] ?? []) {
        const cost = this.#ways.cost[way] ?? 0
        if (!isWithin(cost, left)) continue
        const to = this.#ways.to[way] ?? END
        const next = to * size + left - cost
        const then = to === END ? ENDED : known.get(next)
        if (then === undefined) {
          open.push(next)
          isKnown = false
          continue
        }
        future.schedules += then.schedules
        future.longestMs = Math.max(future.longestMs, then.longestMs + (this.#ways.tookMs[way] ?? 0))
      }
      if (!isKnown) continue
      known.set(at, future)
      open.pop()
    }
    return known.get(start * size + (this.#left[start] ?? 0)) ?? ENDED
  }

  #waysByNode(): number[][] {
    const leaving: number[][] = []
    for (const [way, from] of this.#ways.from.entries()) {
      const ways = leaving[from]
      if (ways) ways.push(way)
      else leaving[from] = [way]
    }
    return leaving
  }
}

function codeOf(bounds: Bounds): number {
  let code = 0
  for (const name of CLASSES) code = code * RADIX + bounds[name]
  return code
}

/** Whether each bound of the first code is at most that of the second. */
function isWithin(code: number, most: number): boolean {
  for (let left = code, right = most; left > 0; left = Math.floor(left / RADIX), right = Math.floor(right / RADIX)) {
    if (left % RADIX > right % RADIX) return false
  }
  return true
}

// The course of one explored schedule through the states of its scope: notes each state after its
// last departure, leaves the schedule at one that is known, and says which departures lead to what
// no other schedule has explored.
import { hash } from 'node:crypto'
import type { Arrival, Bounds, Departure, Point, ScriptedChoices } from './choices.ts'
import { ANY_NUMBER, SWITCHED } from './choices.ts'
import { CRASHED, FROZEN } from './scheduler.ts'
import { END, type StateGraph } from './state-graph.ts'
import type { Acting } from './world-state.ts'

/** A schedule to run: its parent's departures, and one more. */
export interface Open {
  readonly parent: Open | undefined
  readonly departure: Departure | undefined
  /** The state in which it departs. */
  readonly node: number
  /** What of the bounds it has spent. */
  readonly spent: number
  readonly name: string
  /** By what it is known where it departs, whichever schedule came there; empty where nobody asks. */
  readonly key: string
  /** From when that state was met until it departs. */
  readonly elapsedMs: number
}

export interface Walk {
  /** Whether the same at another time is another state: for worlds in which deadlines come near. */
  readonly isDated?: boolean | undefined
  /** Whether a departure is followed, given how many were paid for with it, and by what it is known. */
  readonly isWanted?: ((paid: number, key: string) => boolean) | undefined
  /** Whether a schedule ends at a state that was met before. */
  readonly merges: boolean
  /** Is told of every state that was met. */
  readonly onState?: ((fingerprint: string, left: Bounds) => void) | undefined
}

/** A moment in which all were parked, from a point on. */
interface Moment {
  readonly point: number
  readonly node: number
  /** When its node was met, and when it is. */
  readonly nodeMs: number
  readonly nowMs: number
  readonly left: Bounds
  readonly arrival?: Arrival
  readonly prints?: () => Fingerprints
  readonly looks?: number | undefined
  readonly calls?: number | undefined
  /** From here on somebody only heard an answer, until the next moment; and looked at its clock on the way. */
  passes?: 'unseen' | 'looking'
}

interface Fingerprints {
  readonly state: string
  /** Of the state without the process that goes on next, if that can crash. */
  readonly others: string | undefined
}

function fingerprintsOf(acting: () => Acting, date: string): () => Fingerprints {
  let known: Fingerprints | undefined
  return () => {
    if (known) return known
    const { shared, own } = acting()
    const others = hash('md5', date + shared, 'base64')
    known = own === '' ? { state: others, others: undefined } : { state: hash('md5', others + own, 'base64'), others }
    return known
  }
}

export class Course {
  readonly #moments: Moment[] = []
  readonly #open: Open
  readonly #graph: StateGraph
  readonly #choices: ScriptedChoices
  readonly #isWanted: Walk['isWanted']
  readonly #merges: boolean
  #lastMs = 0
  #departedMs = 0
  #lastLeft: Bounds
  #states = 0
  #isMerged = false

  constructor(choices: ScriptedChoices, open: Open, graph: StateGraph, walk: Walk) {
    this.#open = open
    this.#graph = graph
    this.#choices = choices
    this.#isWanted = walk.isWanted
    this.#merges = walk.merges
    this.#lastLeft = choices.left
    if (walk.merges || walk.onState) choices.arrive = (arrival) => this.#arrive(arrival, walk)
  }

  /** Whether the departure led at once to a state that is known. */
  get isMergedAtOnce(): boolean {
    return this.#isMerged && this.#states === 1
  }

  /** The schedule went on to its end. */
  end(): void {
    const { node, nodeMs } = this.#last
    this.#graph.connect(node, END, this.#lastLeft, this.#lastMs - nodeMs)
  }

  /** The schedules that take another option than the plain course at a point, and are not known to go as others do. */
  *departuresAt(point: number, { options, names }: Point): Iterable<Open> {
    const at = this.#moments.findLastIndex((moment) => moment.point <= point)
    const moment = this.#moments[at] ?? this.#start
    const after = this.#moments[at + 1]
    const { node } = moment
    const elapsedMs = moment.nowMs - moment.nodeMs
    const parent = this.#open
    const isFree = names.length === 0 || (names === SWITCHED && moment.left.switch === ANY_NUMBER)
    const spent = parent.spent + (isFree ? 0 : 1)
    // Whoever only hears or looks meets nobody on the way: to go on with another is to do so a moment later.
    const meetsNobody = moment.passes || moment.arrival?.next?.step === 'looks'
    if (this.#merges && names === SWITCHED && meetsNobody && moment.left.freeze === 0) return
    const keyOf = (option: number) =>
      this.#isWanted ? `${moment.prints?.().state ?? parent.key} ${point - moment.point} ${option}` : ''
    const isWanted = (key: string) => isFree || this.#isWanted === undefined || this.#isWanted(spent, key)
    const shared = this.#merges ? sharedKeyOf(names, moment, after) : undefined
    if (shared !== undefined) {
      if (!isWanted(shared)) return
      const taken = names === CRASHED ? { crash: moment.left.crash - 1 } : { freeze: moment.left.freeze - 1 }
      const left = { ...moment.left, ...taken }
      const { node: next, isNew } = this.#graph.visit(shared, left)
      this.#graph.connect(node, next, left, elapsedMs)
      const departure = { point, option: 1 }
      if (isNew) yield { parent, departure, node: next, spent, name: names[0] ?? '', key: shared, elapsedMs: 0 }
      return
    }
    for (let option = 1; option < options; option += 1) {
      const name = names[option - 1] ?? names[0] ?? parent.name
      const key = keyOf(option)
      if (isWanted(key)) yield { parent, departure: { point, option }, node, spent, name, key, elapsedMs }
    }
  }

  /** The state in which it departed from its parent, as if it had been met by this schedule. */
  get #start(): Moment {
    const nodeMs = this.#departedMs - this.#open.elapsedMs
    return { point: 0, node: this.#open.node, nodeMs, nowMs: this.#departedMs, left: this.#choices.left }
  }

  get #last(): Moment {
    return this.#moments.at(-1) ?? this.#start
  }

  #arrive(arrival: Arrival, walk: Walk): void {
    const { departure } = this.#open
    const point = this.#choices.points.length
    const { nowMs } = arrival
    const isLater = nowMs !== this.#lastMs
    this.#lastMs = nowMs
    if (departure && point <= departure.point) {
      this.#departedMs = nowMs
      return
    }
    const left = { ...this.#choices.left }
    this.#lastLeft = left
    const before = this.#last
    this.#notePassing(before, arrival)
    // Where nothing can be chosen any more, a look now and then is enough.
    if (!isLater && left.fault + left.crash + left.freeze + left.switch === 0) return
    const { looks, calls } = arrival.next?.who ?? {}
    const prints = fingerprintsOf(arrival.state(), walk.isDated ? String(nowMs) : '')
    // Somebody is about to hear an answer: what it does with it is looked at when it has parked again.
    if (arrival.next?.step === 'hears') {
      this.#moments.push({
        point,
        node: before.node,
        nodeMs: before.nodeMs,
        nowMs,
        left,
        arrival,
        looks,
        calls,
        prints,
      })
      return
    }
    walk.onState?.(prints().state, left)
    if (!walk.merges) return
    this.#states += 1
    const { node, isNew } = this.#graph.visit(prints().state, left)
    if (before.node !== END) this.#graph.connect(before.node, node, left, nowMs - before.nodeMs)
    this.#moments.push({ point, node, nodeMs: nowMs, nowMs, left, arrival, looks, calls, prints })
    if (isNew) return
    this.#isMerged = true
    arrival.cut()
  }

  /** Whether the process that went on only heard an answer, and parked again before it did anything. */
  #notePassing(before: Moment, { next, nowMs, parked }: Arrival): void {
    const last = before.arrival
    if (last?.next?.step !== 'hears' || !next || next.step === 'hears' || next.who !== last.next.who) return
    if (nowMs !== last.nowMs || parked !== last.parked || next.who.calls !== before.calls) return
    before.passes = next.who.looks === before.looks ? 'unseen' : 'looking'
  }
}

/**
 * What a crash or a freeze leads to is known by: for a crash the state without the process, which
 * forgets what it knew; for a freeze the state. A moment that passes unseen is as the next one.
 */
function sharedKeyOf(names: readonly string[], moment: Moment, after: Moment | undefined): string | undefined {
  if (names === CRASHED) {
    const others = (moment.passes && after ? after : moment).prints?.().others
    return others && `${others} crashes`
  }
  if (names !== FROZEN) return undefined
  const state = (moment.passes === 'unseen' && after ? after : moment).prints?.().state
  return state && `${state} freezes`
}

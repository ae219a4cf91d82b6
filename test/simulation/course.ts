// Follows one explored schedule through the states of its scope. It notes each state after the last departure and
// leaves the schedule at a known state. It then lists the departures that no other schedule has explored.
import { hash } from 'node:crypto'
import type { Arrival, Bounds, Departure, Point, ScriptedChoices } from './choices.ts'
import { ANY_NUMBER, SWITCHED } from './choices.ts'
import { CRASHED, FROZEN } from './scheduler.ts'
import { END, type StateGraph } from './state-graph.ts'
import type { Acting } from './world-state.ts'

/** A schedule to run: the departures of its parent, and one more. */
export interface Open {
  readonly parent: Open | undefined
  readonly departure: Departure | undefined
  /** The state in which it departs. */
  readonly node: number
  /** How much of the bounds it has spent. */
  readonly spent: number
  readonly name: string
  /** Identifies the departure across schedules; empty where nobody asks. */
  readonly key: string
  /** Virtual ms from the moment that state was met until the departure. */
  readonly elapsedMs: number
}

export interface Walk {
  /** Whether the time is part of a state: for worlds in which deadlines come near. */
  readonly isDated?: boolean | undefined
  /** Whether to follow a departure. `paid`: how many departures it has spent. `key`: its identity. */
  readonly isWanted?: ((paid: number, key: string) => boolean) | undefined
  /** Whether a schedule ends at a state that was met before. */
  readonly merges: boolean
  /** Called for every state that is met. */
  readonly onState?: ((fingerprint: string, left: Bounds) => void) | undefined
}

/** A moment in which all processes were parked. */
interface Moment {
  readonly point: number
  readonly node: number
  /** When its node was met, and when this moment is; virtual ms. */
  readonly nodeMs: number
  readonly nowMs: number
  readonly left: Bounds
  readonly arrival?: Arrival
  readonly prints?: () => Fingerprints
  readonly looks?: number | undefined
  readonly calls?: number | undefined
  /** Until the next moment, a process only received an answer (`unseen`), or also read its clock (`looking`). */
  passes?: 'unseen' | 'looking'
}

interface Fingerprints {
  readonly state: string
  /** The state without the process that continues next, if that process can crash. */
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

  /** Whether the departure led at once to a known state. */
  get isMergedAtOnce(): boolean {
    return this.#isMerged && this.#states === 1
  }

  /** The schedule ran to its end. */
  end(): void {
    const { node, nodeMs } = this.#last
    this.#graph.connect(node, END, this.#lastLeft, this.#lastMs - nodeMs)
  }

  /** Yields the schedules that depart from the plain course at a point, except those known to equal other schedules. */
  *departuresAt(point: number, { options, names }: Point): Iterable<Open> {
    const at = this.#moments.findLastIndex((moment) => moment.point <= point)
    const moment = this.#moments[at] ?? this.#start
    const after = this.#moments[at + 1]
    const { node } = moment
    const elapsedMs = moment.nowMs - moment.nodeMs
    const parent = this.#open
    const isFree = names.length === 0 || (names === SWITCHED && moment.left.switch === ANY_NUMBER)
    const spent = parent.spent + (isFree ? 0 : 1)
    // A process that only hears or reads affects nobody, so a switch one moment later is the same schedule.
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

  /** The state in which it departed from its parent, as if this schedule had met it. */
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
    const previous = this.#last
    this.#notePassing(previous, arrival)
    // When nothing can be chosen any more, one state for each moment is enough.
    if (!isLater && left.fault + left.crash + left.freeze + left.switch === 0) return
    const { looks, calls } = arrival.next?.who ?? {}
    const prints = fingerprintsOf(arrival.state(), walk.isDated ? String(nowMs) : '')
    // A process is about to hear an answer. Its reaction is examined when it has parked again.
    if (arrival.next?.step === 'hears') {
      this.#moments.push({
        point,
        node: previous.node,
        nodeMs: previous.nodeMs,
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
    if (previous.node !== END) this.#graph.connect(previous.node, node, left, nowMs - previous.nodeMs)
    this.#moments.push({ point, node, nodeMs: nowMs, nowMs, left, arrival, looks, calls, prints })
    if (isNew) return
    this.#isMerged = true
    arrival.cut()
  }

  /** Notes whether the process only heard an answer, and parked again before it did anything. */
  #notePassing(previous: Moment, { next, nowMs, parked }: Arrival): void {
    const last = previous.arrival
    if (last?.next?.step !== 'hears' || !next || next.step === 'hears' || next.who !== last.next.who) return
    if (nowMs !== last.nowMs || parked !== last.parked || next.who.calls !== previous.calls) return
    previous.passes = next.who.looks === previous.looks ? 'unseen' : 'looking'
  }
}

/**
 * Returns the key of the state after a crash or a freeze. A crash leads to the state without the process, which forgets
 * what it knew. A freeze leads to the same state. An unseen moment equals the next one.
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

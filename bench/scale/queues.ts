// Small simulations of what waits in line. Arrivals come by chance at a steady rate (Poisson); a seed gives the same
// ones again. Two lines: one that is served in the order of arrival, and the lane of an asset, whose withdrawals do not
// stand in line but look again after growing waits, so that whoever looks first after its end has it.
import { quantile } from '../spread.ts'

/** Gives numbers from 0 to below 1. */
export type Random = () => number

export interface Arrival {
  readonly atSeconds: number
  /** For which it is served, or holds the lane. */
  readonly holdsSeconds: number
}

export interface Waits {
  readonly seconds: readonly number[]
  /** How many gave up. */
  readonly gaveUp: number
}

export interface LaneTerms {
  /** Seconds until the next look, after so many. */
  readonly waitAfter: (looks: number) => number
  /** From its arrival on: who has not got the lane by then gives up. */
  readonly lifeSeconds: number
}

/** `rate`: arrivals a second. */
export function arrivals(
  count: number,
  rate: number,
  holdsSeconds: (random: Random) => number,
  random: Random,
): Arrival[] {
  let atSeconds = 0
  return Array.from({ length: count }, () => {
    atSeconds -= Math.log(1 - random()) / rate
    return { atSeconds, holdsSeconds: holdsSeconds(random) }
  })
}

/** How long each waits that is served in the order of arrival, one at a time. `line`: in that order. */
export function waitInLine(line: readonly Arrival[]): Waits {
  let freeAt = 0
  const seconds = line.map(({ atSeconds, holdsSeconds }) => {
    const from = Math.max(atSeconds, freeAt)
    freeAt = from + holdsSeconds
    return from - atSeconds
  })
  return { seconds, gaveUp: 0 }
}

interface Look {
  readonly atSeconds: number
  readonly looks: number
  readonly arrival: Arrival
}

/** How long each waits that looks, and looks again, whether the lane is free. Waits are of those who got it. */
export function waitForLane(line: readonly Arrival[], { lifeSeconds, waitAfter }: LaneTerms): Waits {
  const due = new LookHeap()
  for (const arrival of line) due.add({ atSeconds: arrival.atSeconds, looks: 0, arrival })
  const seconds: number[] = []
  let [freeAt, gaveUp] = [0, 0]
  for (let look = due.take(); look !== undefined; look = due.take()) {
    const { arrival, atSeconds, looks } = look
    if (atSeconds - arrival.atSeconds >= lifeSeconds) gaveUp += 1
    else if (atSeconds >= freeAt) {
      freeAt = atSeconds + arrival.holdsSeconds
      seconds.push(atSeconds - arrival.atSeconds)
    } else due.add({ atSeconds: atSeconds + waitAfter(looks), looks: looks + 1, arrival })
  }
  return { seconds, gaveUp }
}

export interface WaitFigures {
  readonly p50: number
  readonly p99: number
  /** Of all that arrived. */
  readonly gaveUp: number
}

/** The first tenth finds everything empty, and is left out. @throws RangeError for no waits */
export function figuresOf({ gaveUp, seconds }: Waits): WaitFigures {
  const counted = seconds.slice(Math.floor(seconds.length / 10))
  return { p50: quantile(counted, 0.5), p99: quantile(counted, 0.99), gaveUp: gaveUp / (gaveUp + seconds.length) }
}

/** Gives the earliest look first; of equal ones, the one that came first. */
class LookHeap {
  readonly #looks: (Look & { readonly nth: number })[] = []
  #added = 0

  add(look: Look): void {
    const looks = this.#looks
    let at = looks.push({ ...look, nth: this.#added++ }) - 1
    for (let above = (at - 1) >> 1; at > 0 && this.#isBefore(at, above); above = (at - 1) >> 1) {
      this.#swap(at, above)
      at = above
    }
  }

  take(): Look | undefined {
    const looks = this.#looks
    if (looks.length > 1) this.#swap(0, looks.length - 1)
    const first = looks.pop()
    let at = 0
    for (;;) {
      let least = at
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < looks.length && this.#isBefore(below, least)) least = below
      if (least === at) return first
      this.#swap(at, least)
      at = least
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [left, right] = [this.#looks[one], this.#looks[other]]
    if (left === undefined || right === undefined) return false
    return left.atSeconds === right.atSeconds ? left.nth < right.nth : left.atSeconds < right.atSeconds
  }

  #swap(one: number, other: number): void {
    const [left, right] = [this.#looks[one], this.#looks[other]]
    if (left === undefined || right === undefined) return
    this.#looks[one] = right
    this.#looks[other] = left
  }
}

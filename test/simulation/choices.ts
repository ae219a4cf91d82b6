// Who decides what happens in a simulated world: a seeded draw, or a script that names each
// departure from the plain course. Every crash, fault and order of events is chosen here.

import type { Acting, Next } from './world-state.ts'

/** What a world can meet. The bounds of a schedule count them by class. */
export type FaultClass = 'fault' | 'crash' | 'freeze' | 'clock'

export interface Choices {
  /** Which of `count` processes that may all go on does. */
  next(count: number): number
  /** The name of the fault that happens here, or none. `probability` is the seeded draw's. */
  takeFault<Name extends string>(
    fault: FaultClass,
    probability: number,
    names: readonly [Name, ...Name[]],
  ): Name | undefined
  /** What a fault, once taken, looks like. */
  pick<T>(options: readonly T[]): T
  /** No fault happens from now on. */
  calmDown(): void
  /** Whether no fault can happen any more, and nobody looks at each step. */
  isCalm(): boolean
  /** Told whenever all processes are parked. */
  arrive?(arrival: Arrival): void
  /** Tells of every fault as it is taken. */
  listen(onFault: OnFault): void
}

/** A world in which all processes are parked. */
export interface Arrival {
  readonly nowMs: number
  readonly next: Next | undefined
  readonly parked: number
  /** Takes the state as it is now; to tell it costs more, and may come later. */
  readonly state: () => () => Acting
  /** Leaves the schedule here. */
  readonly cut: () => void
}

export type OnFault = (name: string) => void

/** mulberry32: small, seeded, good enough to pick schedules. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function pickWith<T>(random: () => number, options: readonly T[]): T {
  return options[Math.floor(random() * options.length)] as T
}

/** Draws everything from one seed: at most `most` faults together, of all classes but those left out. */
export function seededChoices(seed: number, most: number, without: readonly FaultClass[]): Choices {
  const random = seededRandom(seed)
  let left = most
  let onFault: OnFault = () => undefined
  return {
    next: (count) => (count === 1 ? 0 : Math.floor(random() * count)),
    takeFault(fault, probability, names) {
      if (left === 0 || without.includes(fault) || random() >= probability) return undefined
      left -= 1
      const name = names.length === 1 ? names[0] : pickWith(random, names)
      onFault(name)
      return name
    },
    pick: (options) => pickWith(random, options),
    calmDown: () => {
      left = 0
    },
    isCalm: () => left === 0,
    listen: (listener) => {
      onFault = listener
    },
  }
}

/** How many of each class a scope allows; `switch` is going on with another process than the last. */
export type Bounds = Readonly<Record<FaultClass | 'switch', number>>

/** As a bound of switches: whoever may go on may do so, at every step. */
export const ANY_NUMBER = 7

/** A departure from the plain course: at its point, the option that is taken instead of 0. */
export interface Departure {
  readonly point: number
  readonly option: number
}

/** Where something was chosen. */
export interface Point {
  /** What could be chosen instead of the plain course; none where only the look of a fault is. */
  readonly names: readonly string[]
  readonly options: number
}

export interface ScriptedChoices extends Choices {
  /** Each point that was reached, in order. */
  readonly points: readonly Point[]
  /** What of the bounds is left. */
  readonly left: Bounds
}

/** The names by which going on with another process is known where it is chosen. */
export const SWITCHED = ['switched'] as const

/** Follows the plain course but for `script`, which is in order of points. */
export function scriptedChoices(script: readonly Departure[], bounds: Bounds): ScriptedChoices {
  const points: Point[] = []
  const left = { ...bounds }
  let onFault: OnFault = () => undefined
  let at = 0
  /** The option taken at a point that has so many. */
  function optionOf(options: number, names: readonly string[]): number {
    const departure = script[at]
    const option = departure?.point === points.length ? departure.option : 0
    points.push({ names, options })
    if (option > 0) at += 1
    return option
  }
  return {
    points,
    left,
    next(count) {
      if (count === 1 || left.switch === 0) return count - 1
      const option = optionOf(count, SWITCHED)
      if (option > 0 && left.switch !== ANY_NUMBER) left.switch -= 1
      // The plain course goes on with who parked last: the process that just ran.
      return count - 1 - option
    },
    takeFault(fault, _, names) {
      if (left[fault] === 0) return undefined
      const option = optionOf(names.length + 1, names)
      if (option === 0) return undefined
      left[fault] -= 1
      const name = names[option - 1] as (typeof names)[number]
      onFault(name)
      return name
    },
    pick: (options) =>
      options.length === 1 ? (options[0] as never) : (options[optionOf(options.length, [])] as never),
    calmDown: () => {
      for (const fault of Object.keys(left) as (keyof Bounds)[]) left[fault] = 0
    },
    // Whoever explores looks at each.
    isCalm: () => false,
    listen: (listener) => {
      onFault = listener
    },
  }
}

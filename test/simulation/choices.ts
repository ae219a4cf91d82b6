// Decides what happens in a simulated world. Either a seeded draw decides, or a script that names each departure from
// the plain course. Every crash, fault and order of events is chosen here.

import type { Acting, Next } from './world-state.ts'

/** Classes of what can go wrong. A schedule bounds each class. */
export type FaultClass = 'fault' | 'crash' | 'freeze' | 'clock'

export interface Choices {
  /** Chooses which of the `count` runnable processes continues. */
  next(count: number): number
  /** Returns the name of the fault that happens here, or undefined. Only the seeded draw uses `probability`. */
  takeFault<Name extends string>(
    fault: FaultClass,
    probability: number,
    names: readonly [Name, ...Name[]],
  ): Name | undefined
  /** Chooses the details of a fault that was taken. */
  pick<T>(options: readonly T[]): T
  /** No fault happens from now on. */
  calmDown(): void
  /** Whether no fault can happen any more, and nobody inspects the single steps. */
  isCalm(): boolean
  /** Called whenever all processes are parked. */
  arrive?(arrival: Arrival): void
  /** Calls `onFault` for every fault that is taken. */
  listen(onFault: OnFault): void
}

/** A moment in which all processes are parked. */
export interface Arrival {
  readonly nowMs: number
  readonly next: Next | undefined
  readonly parked: number
  /** Captures the present state. The returned function describes it, which is expensive and may happen later. */
  readonly state: () => () => Acting
  /** Ends the schedule here. */
  readonly cut: () => void
}

export type OnFault = (name: string) => void

/** mulberry32: a small seeded generator, good enough to pick schedules. */
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

/** Draws everything from one seed: at most `most` faults together, from all classes except those in `without`. */
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

/** Maximum number of each class in a scope. A `switch` continues with another process than the last one. */
export type Bounds = Readonly<Record<FaultClass | 'switch', number>>

/** A bound of switches with this value lets any runnable process continue at every step. */
export const ANY_NUMBER = 7

/** A departure from the plain course: the option that is taken at this point in place of 0. */
export interface Departure {
  readonly point: number
  readonly option: number
}

/** A point at which something was chosen. */
export interface Point {
  /** The alternatives to the plain course; empty where only the details of a fault are chosen. */
  readonly names: readonly string[]
  readonly options: number
}

export interface ScriptedChoices extends Choices {
  /** Each point that was reached, in order. */
  readonly points: readonly Point[]
  /** The part of the bounds that is not used yet. */
  readonly left: Bounds
}

/** The name of a switch to another process. It is compared by identity. */
export const SWITCHED = ['switched'] as const

/** Follows the plain course except for `script`, which is in the order of its points. */
export function scriptedChoices(script: readonly Departure[], bounds: Bounds): ScriptedChoices {
  const points: Point[] = []
  const left = { ...bounds }
  let onFault: OnFault = () => undefined
  let at = 0
  /** Returns the option taken at this point. */
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
      // The plain course continues with the process that parked last, because it just ran.
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
    // An exploration inspects every step.
    isCalm: () => false,
    listen: (listener) => {
      onFault = listener
    },
  }
}

// Owns time and order of a simulated world: every process parks before each effect, and the
// scheduler alone lets it go on, crashes it, keeps it frozen, and lets time pass.
import type { Choices, FaultClass } from './choices.ts'

/** What a crashed process meets at the point where it was parked. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

/** Who never crashes: the state machine that drives the steps. */
export const DRIVER = 'driver'

interface Parked {
  readonly process: string
  /** Not before this virtual time. */
  readonly dueMs: number
  readonly resume: () => void
  /** None for the world's own timed effects, which belong to no process. */
  readonly crash?: (error: Error) => void
}

const FROZEN = ['frozen'] as const
const CRASHED = ['crashed'] as const
/** Once a schedule has run so many steps, it makes no progress. */
const STEP_LIMIT = 20_000

export class Scheduler {
  nowMs: number
  readonly choices: Choices
  #ready: Parked[] = []
  #waiting: Parked[] = []
  #steps = 0
  #serial = 0
  #end: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined

  constructor(choices: Choices, nowMs: number) {
    this.choices = choices
    this.nowMs = nowMs
  }

  /** Never the same twice in a world: nonces, ids. */
  nextSerial(): number {
    this.#serial += 1
    return this.#serial
  }

  takeFault<Name extends string>(fault: FaultClass, probability: number, names: readonly [Name, ...Name[]]) {
    return this.choices.takeFault(fault, probability, names)
  }

  pick<T>(options: readonly T[]): T {
    return this.choices.pick(options)
  }

  /** Every effect of every process begins here. */
  park(process: string, delayMs = 0): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#add({ process, dueMs: this.nowMs + delayMs, resume: resolve, crash: reject })
    })
  }

  /**
   * Runs a callee as a process of its own while the caller waits. After `timeoutMs` the caller
   * is told so; the callee goes on regardless, as a function may whose invoker gave up.
   */
  call<T>(work: () => Promise<T>, timeoutMs: number, timedOut: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.later(timeoutMs, () => reject(timedOut()))
      work().then(resolve, reject).finally(cancel)
    })
  }

  /** A timed effect without a process: a late request, say. Gives what takes it back. */
  later(delayMs: number, effect: () => void): () => void {
    const timed: Parked = { process: 'world', dueMs: this.nowMs + delayMs, resume: effect }
    this.#add(timed)
    return () => {
      const list = this.#waiting.includes(timed) ? this.#waiting : this.#ready
      const at = list.indexOf(timed)
      if (at >= 0) list.splice(at, 1)
    }
  }

  /** Runs until nothing is parked. @throws when no progress is made. */
  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#end = { resolve, reject }
      this.#goOnWhenAllAreParked()
    })
  }

  #add(parked: Parked): void {
    if (parked.dueMs <= this.nowMs) this.#ready.push(parked)
    else this.#waiting.push(parked)
  }

  /**
   * Nothing in a world is asynchronous but parking: once no promise can go on, all are parked. A tick
   * that is asked for by a microtask comes when the last microtask is done.
   */
  #goOnWhenAllAreParked(): void {
    queueMicrotask(this.#askForTick)
  }

  #askForTick = (): void => process.nextTick(this.#goOn)

  #goOn = (): void => {
    try {
      if (this.#ready.length === 0 && this.#waiting.length === 0) {
        this.#end?.resolve()
        return
      }
      this.#steps += 1
      if (this.#steps > STEP_LIMIT) throw new Error(`no end after ${STEP_LIMIT} steps`)
      this.#letOneGoOn()
      this.#goOnWhenAllAreParked()
    } catch (error) {
      this.#end?.reject(error)
    }
  }

  #letOneGoOn(): void {
    // A freeze lets time pass though somebody could go on: nobody does.
    if (this.#ready.length === 0 || (this.#waiting.length > 0 && this.takeFault('freeze', 0.03, FROZEN))) {
      this.#passTime()
      return
    }
    const next = this.#takeReady(this.choices.next(this.#ready.length))
    const mayCrash = next.crash !== undefined && next.process !== DRIVER
    if (mayCrash && this.takeFault('crash', 0.03, CRASHED)) next.crash?.(new Crash(next.process))
    else next.resume()
  }

  #takeReady(at: number): Parked {
    const last = this.#ready.length - 1
    return (at === last ? this.#ready.pop() : this.#ready.splice(at, 1)[0]) as Parked
  }

  #passTime(): void {
    let dueMs = Number.POSITIVE_INFINITY
    for (const parked of this.#waiting) dueMs = Math.min(dueMs, parked.dueMs)
    this.nowMs = dueMs
    const waiting: Parked[] = []
    for (const parked of this.#waiting) (parked.dueMs <= dueMs ? this.#ready : waiting).push(parked)
    this.#waiting = waiting
  }
}

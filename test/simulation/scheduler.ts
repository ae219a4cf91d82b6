// Owns the time and the order of a simulated world. Every process parks before each effect. The scheduler alone
// continues it, crashes it, keeps it frozen, and lets time pass.
import type { Choices, FaultClass } from './choices.ts'
import type { Describable, Next, Step } from './world-state.ts'

/** The error at the point where a crashed process was parked. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

/** The state machine that drives the steps. It never crashes. */
export const DRIVER = 'driver'

/**
 * `asleep while frozen`: a frozen machine sleeps, and its steady clock stands still. `none`: it has only the clock that
 * can be set.
 */
export type SteadyClock = 'asleep while frozen' | 'none'

interface Parked {
  readonly process: string
  readonly who: Describable
  readonly step: Step
  /** Earliest virtual time. */
  readonly dueMs: number
  readonly resume: () => void
  /** Whether it happens at its time even if processes are frozen. */
  readonly isPunctual?: boolean
  /** Absent for the world's own timed effects, which belong to no process. */
  readonly crash?: (error: Error) => void
}

function isCrashable({ crash, process }: Parked): boolean {
  return crash !== undefined && process !== DRIVER
}

/** The names of a freeze and a crash. They are compared by identity. */
export const FROZEN = ['frozen'] as const
export const CRASHED = ['crashed'] as const
const POWER_CUT = ['power cut'] as const
/** A schedule that has run this many steps makes no progress. Four withdrawals to a bank, polled for days, take some 90,000. */
const STEP_LIMIT = 400_000

/** Callbacks that wait until no promise can continue. */
let waitingForAll: (() => void)[] = []

/**
 * Parking is the only asynchronous act in a world. When no promise can continue, all processes of all worlds are
 * parked. A tick requested by a microtask runs after the last microtask, and all worlds share it.
 */
function whenAllAreParked(resume: () => void): void {
  if (waitingForAll.push(resume) === 1) queueMicrotask(askForTick)
}

function askForTick(): void {
  process.nextTick(() => {
    const ready = waitingForAll
    waitingForAll = []
    for (const resume of ready) resume()
  })
}

export class Scheduler {
  nowMs: number
  /** Applies to every machine. */
  steadyClock: SteadyClock | undefined
  readonly choices: Choices
  isCut = false
  /** A schedule that has run this many steps makes no progress. */
  stepLimit = STEP_LIMIT
  /** Set where the power may be cut: discards what else is lost then. */
  onPowerCut: (() => void) | undefined
  #ready: Parked[] = []
  #waiting: Parked[] = []
  #asleepMs = 0
  #steps = 0
  #serial = 0
  #onParked: () => void = () => undefined
  #end: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined

  constructor(choices: Choices, nowMs: number) {
    this.choices = choices
    this.nowMs = nowMs
  }

  /** The time on the clock that nobody can set, the same for every machine. */
  get steadyMs(): number {
    return this.nowMs - this.#asleepMs
  }

  /** A name that is unique in a world, for nonces and ids. Names never affect an order. */
  newName(kind: string): string {
    this.#serial += 1
    return `${kind}~${this.#serial}`
  }

  takeFault<Name extends string>(fault: FaultClass, probability: number, names: readonly [Name, ...Name[]]) {
    return this.choices.takeFault(fault, probability, names)
  }

  pick<T>(options: readonly T[]): T {
    return this.choices.pick(options)
  }

  /** Every effect of every process begins here. */
  park(process: string, delayMs: number, who: Describable, step: Step = 'acts'): Promise<void> {
    // Nothing can go wrong any more, and nobody else can continue, so this process would be next in any case.
    if (delayMs === 0 && this.#ready.length === 0 && this.choices.isCalm()) {
      this.#countStep()
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      this.#add({ process, who, step, dueMs: this.nowMs + delayMs, resume: resolve, crash: reject })
    })
  }

  /**
   * Runs a callee as a process of its own while the caller waits. After `timeoutMs` the caller gets an error. The
   * callee continues, as a Lambda function may after its invoker stopped waiting.
   */
  call<T>(work: () => Promise<T>, timeoutMs: number, timedOut: () => Error, who: Describable): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.later(timeoutMs, () => reject(timedOut()), who)
      const answered = (output: T) => {
        cancel()
        resolve(output)
      }
      const threw = (error: unknown) => {
        cancel()
        reject(error)
      }
      work().then(answered, threw)
    })
  }

  /** An effect that the service completes at its time, even if our processes are frozen. */
  punctually(delayMs: number, effect: () => void, who: Describable): void {
    const dueMs = this.nowMs + delayMs
    this.#add({ process: 'world', who, step: 'acts', dueMs, resume: effect, isPunctual: true })
  }

  /** A timed effect without a process, for example a late request. The returned function cancels it. */
  later(delayMs: number, effect: () => void, who: Describable): () => void {
    const timed: Parked = { process: 'world', who, step: 'acts', dueMs: this.nowMs + delayMs, resume: effect }
    this.#add(timed)
    return () => {
      const list = this.#waiting.includes(timed) ? this.#waiting : this.#ready
      const at = list.indexOf(timed)
      if (at >= 0) list.splice(at, 1)
    }
  }

  get next(): Next | undefined {
    return this.#ready.at(-1)
  }

  get parked(): number {
    return this.#ready.length + this.#waiting.length
  }

  /** Describes who is parked, in the order of continuation. `own`: what only the next process knows. */
  describe(): { readonly shared: string; readonly own: string } {
    const next = this.#ready.at(-1)
    const isAlone = this.#ready.every((parked) => parked === next || parked.who !== next?.who)
    const waiting = this.#waiting.toSorted((left, right) => left.dueMs - right.dueMs)
    const later = waiting.map(({ dueMs, who }) => `${dueMs} ${who.text()}`)
    const others = this.#ready.slice(0, -1).map(({ who }) => who.text())
    const nextText = next === undefined ? '' : next.who.text()
    const mayCrash = next !== undefined && isAlone && isCrashable(next)
    const shared = [...others, mayCrash ? 'next may crash' : nextText, 'later:', ...later].join('\n')
    return { shared, own: mayCrash ? nextText : '' }
  }

  /** Nobody continues any more, because the future is known. */
  cut(): void {
    this.isCut = true
  }

  /** Calls `onParked` whenever all processes are parked. */
  watch(onParked: () => void): void {
    this.#onParked = onParked
  }

  /**
   * Runs until nothing is parked, or all is cut.
   * @throws when no progress is made
   */
  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#end = { resolve, reject }
      whenAllAreParked(this.#resume)
    })
  }

  #add(parked: Parked): void {
    if (parked.dueMs <= this.nowMs) this.#ready.push(parked)
    else this.#waiting.push(parked)
  }

  #resume = (): void => {
    try {
      let hasContinued = false
      while (!hasContinued) {
        const isOver = this.#ready.length === 0 && this.#waiting.length === 0
        if (!isOver) this.#onParked()
        if (isOver || this.isCut) {
          this.#end?.resolve()
          return
        }
        this.#countStep()
        hasContinued = this.#continueOne()
      }
      whenAllAreParked(this.#resume)
    } catch (error) {
      this.#end?.reject(error)
    }
  }

  #countStep(): void {
    this.#steps += 1
    if (this.#steps > this.stepLimit) throw new Error(`no end after ${this.stepLimit} steps`)
  }

  /** Returns whether a process continued; otherwise only time has passed. */
  #continueOne(): boolean {
    // During a freeze time passes, although a process could continue.
    const isFrozen = this.#ready.length > 0 && this.#waiting.length > 0 && this.takeFault('freeze', 0.03, FROZEN)
    if (this.#ready.length === 0 || isFrozen) {
      const beforeMs = this.nowMs
      this.#passTime()
      if (isFrozen && this.steadyClock === 'asleep while frozen') this.#asleepMs += this.nowMs - beforeMs
      return false
    }
    if (this.onPowerCut && this.takeFault('crash', 0.01, POWER_CUT)) {
      this.#crashAll()
      this.onPowerCut()
      return true
    }
    const next = this.#takeReady(this.choices.next(this.#ready.length))
    if (isCrashable(next) && this.takeFault('crash', 0.03, CRASHED)) next.crash?.(new Crash(next.process))
    else next.resume()
    return true
  }

  /** Crashes all processes except the state machines, whose state is stored. */
  #crashAll(): void {
    const all = [...this.#ready, ...this.#waiting]
    this.#ready = this.#ready.filter((parked) => !isCrashable(parked))
    this.#waiting = this.#waiting.filter((parked) => !isCrashable(parked))
    for (const parked of all) if (isCrashable(parked)) parked.crash?.(new Crash(parked.process))
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
    const punctual: Parked[] = []
    for (const parked of this.#waiting) {
      if (parked.dueMs > dueMs) waiting.push(parked)
      else (parked.isPunctual ? punctual : this.#ready).push(parked)
    }
    this.#waiting = waiting
    for (const { resume } of punctual) resume()
  }
}

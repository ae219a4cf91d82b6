// Owns time and order of a simulated world: every process parks before each effect, and the
// scheduler alone lets it go on, crashes it, keeps it frozen, and lets time pass.
import type { Choices, FaultClass } from './choices.ts'
import type { Next, Step, Told } from './world-state.ts'

/** What a crashed process meets at the point where it was parked. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

/** Who never crashes: the state machine that drives the steps. */
export const DRIVER = 'driver'

/** A machine sleeps while it is frozen, and its steady clock stands still; or it has none but the one that may be set. */
export type SteadyClock = 'asleep while frozen' | 'none'

interface Parked {
  readonly process: string
  readonly who: Told
  readonly step: Step
  /** Not before this virtual time. */
  readonly dueMs: number
  readonly resume: () => void
  /** Whether it happens at its time whoever is frozen. */
  readonly isPunctual?: boolean
  /** None for the world's own timed effects, which belong to no process. */
  readonly crash?: (error: Error) => void
}

function isCrashable({ crash, process }: Parked): boolean {
  return crash !== undefined && process !== DRIVER
}

/** The names by which a freeze and a crash are known where they are chosen. */
export const FROZEN = ['frozen'] as const
export const CRASHED = ['crashed'] as const
const POWER_CUT = ['power cut'] as const
/** Once a schedule has run so many steps, it makes no progress. */
const STEP_LIMIT = 20_000

/** What waits until no promise can go on. */
let waitingForAll: (() => void)[] = []

/**
 * Nothing in a world is asynchronous but parking: once no promise can go on, all processes of all worlds are
 * parked. A tick that is asked for by a microtask comes when the last microtask is done; worlds share it.
 */
function whenAllAreParked(goOn: () => void): void {
  if (waitingForAll.push(goOn) === 1) queueMicrotask(askForTick)
}

function askForTick(): void {
  process.nextTick(() => {
    const ready = waitingForAll
    waitingForAll = []
    for (const goOn of ready) goOn()
  })
}

export class Scheduler {
  nowMs: number
  /** Of every machine. */
  steadyClock: SteadyClock | undefined
  readonly choices: Choices
  isCut = false
  /** Where the power may be cut: what else goes with it. */
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

  /** What the clock of every machine shows that nobody can set. */
  get steadyMs(): number {
    return this.nowMs - this.#asleepMs
  }

  /** Never the same twice in a world: nonces, ids. Only names things, and is never in an order. */
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
  park(process: string, delayMs: number, who: Told, step: Step = 'acts'): Promise<void> {
    // Nothing can go wrong any more, and nobody else can go on: it would be the next in any case.
    if (delayMs === 0 && this.#ready.length === 0 && this.choices.isCalm()) {
      this.#countStep()
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      this.#add({ process, who, step, dueMs: this.nowMs + delayMs, resume: resolve, crash: reject })
    })
  }

  /**
   * Runs a callee as a process of its own while the caller waits. After `timeoutMs` the caller
   * is told so; the callee goes on regardless, as a function may whose invoker gave up.
   */
  call<T>(work: () => Promise<T>, timeoutMs: number, timedOut: () => Error, who: Told): Promise<T> {
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

  /** What the service is to be done with by then: no freeze of ours holds it up. */
  punctually(delayMs: number, effect: () => void, who: Told): void {
    const dueMs = this.nowMs + delayMs
    this.#add({ process: 'world', who, step: 'acts', dueMs, resume: effect, isPunctual: true })
  }

  /** A timed effect without a process: a late request, say. Gives what takes it back. */
  later(delayMs: number, effect: () => void, who: Told): () => void {
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

  /** Who is parked, in the order in which they go on; apart from what only the next one knows. */
  tell(): { readonly shared: string; readonly own: string } {
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

  /** Nobody goes on any more: what would come is known. */
  cut(): void {
    this.isCut = true
  }

  /** `onParked` is told whenever all are. */
  watch(onParked: () => void): void {
    this.#onParked = onParked
  }

  /** Runs until nothing is parked, or all is cut. @throws when no progress is made. */
  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#end = { resolve, reject }
      whenAllAreParked(this.#goOn)
    })
  }

  #add(parked: Parked): void {
    if (parked.dueMs <= this.nowMs) this.#ready.push(parked)
    else this.#waiting.push(parked)
  }

  #goOn = (): void => {
    try {
      let wentOn = false
      while (!wentOn) {
        const isOver = this.#ready.length === 0 && this.#waiting.length === 0
        if (!isOver) this.#onParked()
        if (isOver || this.isCut) {
          this.#end?.resolve()
          return
        }
        this.#countStep()
        wentOn = this.#letOneGoOn()
      }
      whenAllAreParked(this.#goOn)
    } catch (error) {
      this.#end?.reject(error)
    }
  }

  #countStep(): void {
    this.#steps += 1
    if (this.#steps > STEP_LIMIT) throw new Error(`no end after ${STEP_LIMIT} steps`)
  }

  /** @returns whether somebody went on; else only time has passed */
  #letOneGoOn(): boolean {
    // A freeze lets time pass though somebody could go on: nobody does.
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

  /** All but the state machines, which know where they were. */
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

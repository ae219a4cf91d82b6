// Owns time, chance and order of a simulated world: every process parks before each effect, and
// the scheduler alone decides who goes on, who crashes, who stays frozen, and when time passes.

/** What a crashed process meets at the point where it was parked. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

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

/** Who never crashes: the world's own timed effects, and the state machine that drives the steps. */
const IMMORTAL: ReadonlySet<string> = new Set(['world', 'driver'])

interface Parked {
  readonly process: string
  /** Not before this virtual time. */
  readonly dueMs: number
  resume(): void
  crash(): void
}

export class Scheduler {
  nowMs: number
  readonly random: () => number
  /** Chance that a parked process crashes instead of going on, while `faults` last. */
  crashChance = 0
  /** Chance that time passes first, though somebody could go on: freezes everybody. */
  freezeChance = 0
  faults = 0
  #parked: Parked[] = []
  #running = 0
  #settled: () => void = () => undefined

  constructor(seed: number, nowMs: number) {
    this.random = seededRandom(seed)
    this.nowMs = nowMs
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.random() * choices.length)] as T
  }

  chance(probability: number): boolean {
    return this.random() < probability
  }

  /** One of the schedule's bounded faults, with this probability. */
  takeFault(probability: number): boolean {
    if (this.faults <= 0 || !this.chance(probability)) return false
    this.faults -= 1
    return true
  }

  /** Every effect of every process begins here. */
  park(process: string, delayMs = 0): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#parked.push({
        process,
        dueMs: this.nowMs + delayMs,
        resume: () => {
          this.#running += 1
          resolve()
        },
        crash: () => {
          this.#running += 1
          reject(new Crash(process))
        },
      })
      this.#pause()
    })
  }

  /** Starts a process; it ends when its promise settles. */
  start(work: () => Promise<void>): void {
    this.#running += 1
    void work().finally(() => this.#pause())
  }

  /**
   * Runs a callee as a process of its own while the caller waits. After `timeoutMs` the caller
   * is told so; the callee goes on regardless, as a function may whose invoker gave up.
   */
  call<T>(work: () => Promise<T>, timeoutMs: number, timedOut: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      let over = false
      const settle = (tell: () => void) => {
        if (over) return
        over = true
        // The turn passes to the caller before the callee's own turn ends.
        this.#running += 1
        tell()
      }
      this.later(timeoutMs, () => settle(() => reject(timedOut())))
      this.start(() =>
        work().then(
          (value) => settle(() => resolve(value)),
          (error) => settle(() => reject(error)),
        ),
      )
      this.#pause()
    })
  }

  /** A timed effect without a process: a late request, say. */
  later(delayMs: number, effect: () => void): void {
    this.#parked.push({ process: 'world', dueMs: this.nowMs + delayMs, resume: effect, crash: effect })
  }

  /** Runs until nothing is parked. @throws when `limit` steps were not enough: no progress. */
  async run(limit: number, afterStep: () => void): Promise<void> {
    for (let step = 0; ; step += 1) {
      await this.#untilAllParked()
      afterStep()
      if (this.#parked.length === 0) return
      if (step === limit) throw new Error(`no end after ${limit} steps`)
      this.#letOneGoOn()
    }
  }

  #letOneGoOn(): void {
    const due = this.#parked.filter((parked) => parked.dueMs <= this.nowMs)
    if (due.length === 0 || (due.length < this.#parked.length && this.takeFault(this.freezeChance))) {
      const waiting = this.#parked.filter((parked) => parked.dueMs > this.nowMs)
      this.nowMs = Math.min(...waiting.map((parked) => parked.dueMs))
      return
    }
    const next = this.pick(due)
    this.#parked.splice(this.#parked.indexOf(next), 1)
    if (!IMMORTAL.has(next.process) && this.takeFault(this.crashChance)) next.crash()
    else next.resume()
  }

  #pause(): void {
    this.#running -= 1
    if (this.#running === 0) this.#settled()
  }

  #untilAllParked(): Promise<void> {
    if (this.#running === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#settled = resolve
    })
  }
}

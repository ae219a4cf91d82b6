// Provides virtual time for everything in this process: the service, the state machines, the schedules, and the
// functions in their worker threads. While a function or a request is under way, time flows as on the host. When nobody
// has anything to do, it jumps to the next wake-up.
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { setEnvironmentData, type Worker, type WorkerOptions } from 'node:worker_threads'
import type { AwsClock } from '@sluice/embedded-aws'

/** Idle turns of the event loop after which nobody has anything to do. */
const QUIET_TURNS = 4

interface Sleeper {
  readonly atMs: number
  readonly wake: () => void
}

export class VirtualTime implements AwsClock {
  /** Virtual time minus the host's, for the workers. It is valid while something is under way. */
  readonly #offsetMs: Float64Array
  readonly #sleepers = new Set<Sleeper>()
  readonly #whenIdle: (() => void)[] = []
  /** The time of the clock while nothing is under way. */
  #restingMs: number
  #underWay = 0

  constructor(startMs: number) {
    this.#restingMs = startMs
    const shared = new SharedArrayBuffer(8)
    this.#offsetMs = new Float64Array(shared)
    this.#noteOffset()
    setEnvironmentData('sluice-days-offset', shared)
  }

  nowMs(): number {
    return this.#underWay > 0 ? Date.now() + (this.#offsetMs[0] as number) : this.#restingMs
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason)
        return
      }
      const onAbort = () => {
        this.#sleepers.delete(sleeper)
        reject(signal?.reason)
      }
      const sleeper: Sleeper = {
        atMs: this.nowMs() + Math.ceil(ms),
        wake: () => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        },
      }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }

  /** Something begins that takes the host's time. */
  begin(): void {
    if (this.#underWay === 0) this.#noteOffset()
    this.#underWay += 1
  }

  end(): void {
    if (this.#underWay === 1) this.#restingMs = this.nowMs()
    this.#underWay -= 1
    if (this.#underWay === 0) for (const resolve of this.#whenIdle.splice(0)) resolve()
  }

  /** Lets time pass, and lets everything happen that is due in it. */
  async passUntil(untilMs: number): Promise<void> {
    for (;;) {
      await this.#untilQuiet()
      let nextMs = Number.POSITIVE_INFINITY
      for (const { atMs } of this.#sleepers) nextMs = Math.min(nextMs, atMs)
      if (nextMs > untilMs) break
      this.#restingMs = Math.max(this.#restingMs, nextMs)
      for (const sleeper of this.#sleepers) {
        if (sleeper.atMs > this.#restingMs) continue
        this.#sleepers.delete(sleeper)
        sleeper.wake()
      }
    }
    this.#restingMs = Math.max(this.#restingMs, untilMs)
  }

  async #untilQuiet(): Promise<void> {
    for (let turns = 0; turns < QUIET_TURNS; turns += 1) {
      if (this.#underWay > 0) {
        await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
        turns = 0
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  #noteOffset(): void {
    this.#offsetMs[0] = this.#restingMs - Date.now()
  }
}

/**
 * Counts workers and requests of this process as under way, and shows workers virtual time. It lasts for the process's
 * life.
 */
export function rule(time: VirtualTime): void {
  const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof Worker }
  const HostWorker = threads.Worker
  threads.Worker = class extends HostWorker {
    /** Number of open operations: the start of the worker, then each unanswered invocation. */
    #open = 0

    constructor(file: string | URL, options: WorkerOptions = {}) {
      const execArgv = [...(options.execArgv ?? []), '--import', new URL('./worker-time.mjs', import.meta.url).href]
      super(file, { ...options, execArgv })
      this.#begin()
      // Compiled code comes before the answer of an invocation that is still under way.
      this.on('message', ({ kind }: { readonly kind: string }) => {
        if (kind !== 'compiled') this.#end()
      })
      this.on('exit', () => {
        while (this.#open > 0) this.#end()
      })
    }

    override postMessage(...message: Parameters<Worker['postMessage']>): void {
      this.#begin()
      super.postMessage(...message)
    }

    #begin(): void {
      this.#open += 1
      time.begin()
    }

    #end(): void {
      if (this.#open === 0) return
      this.#open -= 1
      time.end()
    }
  }
  syncBuiltinESMExports()

  const hostFetch = globalThis.fetch
  globalThis.fetch = async (...request) => {
    time.begin()
    try {
      return await hostFetch(...request)
    } finally {
      time.end()
    }
  }
}

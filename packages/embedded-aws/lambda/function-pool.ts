// Owns the workers of one function: up to its limit, each with one invocation at a time. A bounded queue stands before
// them. A worker that is gone is replaced when a call needs one.

import { FunctionInstance, type InstanceAnswer, type InstanceOptions } from './function-instance.ts'
import type { FunctionError } from './worker-protocol.ts'

/** Maximum invocations that wait for a worker of one function. AWS runs a thousand at once before it throttles. */
const QUEUE_LIMIT = 1000

export class FunctionPool {
  readonly #options: InstanceOptions
  readonly #limit: number
  readonly #instances = new Set<FunctionInstance>()
  readonly #idle: FunctionInstance[] = []
  readonly #waiting: ((instance: FunctionInstance | undefined) => void)[] = []
  #stopped = false

  constructor(options: InstanceOptions, workers: number) {
    this.#options = options
    this.#limit = Math.min(workers, options.definition.concurrency ?? workers)
  }

  /** Starts a first worker, so that the first invocation finds one ready. */
  async prewarm(): Promise<void> {
    if (this.#stopped || this.#instances.size > 0) return
    const instance = this.#start()
    this.#idle.push(instance)
    await instance.untilReady()
  }

  async invoke(requestId: string, payload: string): Promise<InstanceAnswer> {
    if (this.#waiting.length >= QUEUE_LIMIT) return { kind: 'failed', error: THROTTLED }
    const instance = await this.#take()
    if (instance === undefined) return { kind: 'failed', error: STOPPED }
    const answer = await instance.invoke(requestId, payload)
    this.#giveBack(instance)
    return answer
  }

  async stop(): Promise<void> {
    this.#stopped = true
    for (const give of this.#waiting.splice(0)) give(undefined)
    await Promise.all([...this.#instances].map((instance) => instance.kill()))
  }

  async #take(): Promise<FunctionInstance | undefined> {
    if (this.#stopped) return undefined
    this.#dropDead()
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    if (this.#instances.size < this.#limit) return this.#start()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #giveBack(instance: FunctionInstance): void {
    if (!instance.alive) this.#instances.delete(instance)
    if (this.#stopped) return
    const next = this.#waiting.shift()
    if (next !== undefined) next(instance.alive ? instance : this.#start())
    else if (instance.alive) this.#idle.push(instance)
  }

  #start(): FunctionInstance {
    const instance = new FunctionInstance(this.#options)
    this.#instances.add(instance)
    return instance
  }

  #dropDead(): void {
    for (const instance of this.#idle.filter((candidate) => !candidate.alive)) {
      this.#idle.splice(this.#idle.indexOf(instance), 1)
      this.#instances.delete(instance)
    }
  }
}

const THROTTLED: FunctionError = {
  errorType: 'Lambda.TooManyRequestsException',
  errorMessage: 'Rate Exceeded.',
  trace: [],
}

const STOPPED: FunctionError = {
  errorType: 'Runtime.ExitError',
  errorMessage: 'Error: the embedded AWS stopped',
  trace: [],
}

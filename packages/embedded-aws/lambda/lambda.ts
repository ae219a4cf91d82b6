// Lambda: finds the function of an invocation and runs it in one of its workers, with one invocation at a time and a
// bounded queue before them. Returns the interpreter's Invocation. The caller has already checked whether the role may
// invoke.
import type { Invocation } from '../states/run.ts'
import { codeHashes, type FunctionDefinition } from './function-definition.ts'
import { FunctionInstance, type InstanceAnswer, type InstanceOptions } from './function-instance.ts'
import type { FunctionError } from './worker-protocol.ts'

/** Maximum bytes of a payload. AWS: Lambda quotas, "Invocation payload", synchronous. */
export const PAYLOAD_LIMIT_BYTES = 6_291_456
/** Maximum delay of Node's timers; above it they overflow. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export interface LambdaOptions extends Omit<InstanceOptions, 'codeHashes' | 'definition' | 'onLine'> {
  readonly functions: readonly FunctionDefinition[]
  readonly workersPerFunction: number
  readonly onLog: (functionName: string, line: string) => void
}

export class Lambda {
  readonly #options: LambdaOptions
  readonly #pools: ReadonlyMap<string, FunctionPool>

  constructor(options: LambdaOptions) {
    this.#options = options
    const folders = new Set(options.functions.map(({ codeDir }) => codeDir))
    const hashes = new Map([...folders].map((folder) => [folder, codeHashes(folder)]))
    this.#pools = new Map(
      options.functions.map((definition) => {
        const onLine = (line: string) => options.onLog(definition.name, line)
        return [
          definition.arn,
          new FunctionPool(
            { ...options, codeHashes: hashes.get(definition.codeDir) ?? {}, definition, onLine },
            options.workersPerFunction,
          ),
        ]
      }),
    )
  }

  /** Returns the ARN of a function named by name or ARN; undefined for an unknown one. */
  findArn(functionId: string): string | undefined {
    return this.#options.functions.find((candidate) => candidate.arn === functionId || candidate.name === functionId)
      ?.arn
  }

  /**
   * Finds a function by its ARN, or by the ARN of a version. Executions of an earlier deployment continue with the
   * version that their definition names. Here every version has the current code.
   */
  #findPool(arn: string): FunctionPool | undefined {
    return this.#pools.get(arn) ?? this.#pools.get(arn.replace(/:\d{1,10}$/, ''))
  }

  /** Invokes a function. An invocation that outlasts `timeoutMs` continues, but its answer is lost. */
  async invoke(functionArn: string, payload: string, timeoutMs: number | undefined): Promise<Invocation> {
    const pool = this.#findPool(functionArn)
    if (pool === undefined) {
      return failed('Lambda.ResourceNotFoundException', `Function not found: ${functionArn}`)
    }
    const requestId = this.#options.newId()
    const answer = pool.invoke(requestId, payload)
    if (timeoutMs === undefined || timeoutMs > LONGEST_TIMER_MS) return invocationOf(await answer, requestId)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<Invocation>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'timed-out' }), timeoutMs)
    })
    const first = await Promise.race([answer.then((candidate) => invocationOf(candidate, requestId)), late])
    clearTimeout(timer)
    return first
  }

  async prewarm(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.prewarm()))
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.stop()))
  }
}

function invocationOf(answer: InstanceAnswer, requestId: string): Invocation {
  if (answer.kind === 'failed') {
    return { kind: 'failed', error: answer.error.errorType, cause: JSON.stringify(answer.error) }
  }
  const bytes = Buffer.byteLength(answer.payload)
  if (bytes <= PAYLOAD_LIMIT_BYTES) return { kind: 'answered', payload: answer.payload, requestId }
  return failed(
    'Function.ResponseSizeTooLarge',
    `Response payload size (${bytes} bytes) exceeded maximum allowed payload size (${PAYLOAD_LIMIT_BYTES} bytes).`,
  )
}

function failed(errorType: string, errorMessage: string): Invocation {
  return { kind: 'failed', error: errorType, cause: JSON.stringify({ errorType, errorMessage }) }
}

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

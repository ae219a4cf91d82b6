// Owns one worker thread with one copy of a function. The thread starts once, runs one invocation at a time, and is not
// used again after it exits, times out or is killed. Keeps the compiled code of modules for the threads that start later.
import { realpathSync } from 'node:fs'
import { url as inspectorUrl } from 'node:inspector'
import type { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { Callers } from '../endpoint/callers.ts'
import type { Credentials } from '../endpoint/credentials.ts'
import type { CodeHashes, FunctionDefinition } from './function-definition.ts'
import { functionEnvironment, logGroupName } from './function-definition.ts'
import type { CompiledFile, FunctionError, InvocationRequest, WorkerMessage, WorkerStart } from './worker-protocol.ts'

/** Maximum modules kept, about a megabyte each. A cloud assembly has a few. */
const MOST_KEPT = 16

const kept = new Map<string, CompiledFile>()

/** Returns nothing while a debugger may attach, because breakpoints would find no place. */
export function compiledOf(module: string): CompiledFile | undefined {
  return inspectorUrl() === undefined ? kept.get(module) : undefined
}

/** Keeps the newest code of each module, because a worker of another assembly has another text. */
function keepCompiled(module: string, file: CompiledFile): void {
  kept.delete(module)
  const [oldest] = kept.keys()
  if (oldest !== undefined && kept.size >= MOST_KEPT) kept.delete(oldest)
  kept.set(module, file)
}

/** Maximum time of initialisation, which the function's time-out excludes. AWS allows 10 s, on a machine of its own. */
const INIT_LIMIT_MS = 30_000

export interface InstanceOptions {
  readonly definition: FunctionDefinition
  readonly codeHashes: CodeHashes
  readonly region: string
  readonly endpointUrl: string
  readonly callers: Callers
  readonly onLine: (line: string) => void
  readonly newId: () => string
  readonly machineVariables?: Readonly<Record<string, string>>
}

export type InstanceAnswer =
  | { readonly kind: 'answered'; readonly payload: string }
  | { readonly kind: 'failed'; readonly error: FunctionError }

export class FunctionInstance {
  readonly #definition: FunctionDefinition
  readonly #worker: Worker
  readonly #callers: Callers
  readonly #credentials: Credentials
  readonly #ready: Promise<FunctionError | undefined>
  #settleReady: (error: FunctionError | undefined) => void = () => undefined
  #settleAnswer: ((answer: InstanceAnswer) => void) | undefined
  #alive = true

  constructor(options: InstanceOptions) {
    const { definition, callers } = options
    this.#definition = definition
    this.#callers = callers
    this.#credentials = callers.register({
      functionName: definition.name,
      roleArn: definition.roleArn,
      functionArn: definition.arn,
      kill: () => this.kill(),
    })
    this.#ready = new Promise((resolve) => {
      this.#settleReady = resolve
    })
    this.#worker = this.#startWorker(options)
  }

  get alive(): boolean {
    return this.#alive
  }

  /** Resolves when the worker is ready, or can never be. */
  async untilReady(): Promise<void> {
    await this.#ready
  }

  async invoke(requestId: string, payload: string): Promise<InstanceAnswer> {
    const unusable = await this.#withLimit(INIT_LIMIT_MS, requestId, this.#ready)
    if (unusable !== undefined) return { kind: 'failed', error: unusable }
    const answer = new Promise<InstanceAnswer>((resolve) => {
      this.#settleAnswer = resolve
    })
    const timeoutMs = this.#definition.timeoutSeconds * 1000
    if (this.#alive) this.#worker.postMessage({ requestId, payload, timeoutMs } satisfies InvocationRequest)
    else this.#settle({ kind: 'failed', error: exited(1) })
    const result = await this.#withLimit(timeoutMs, requestId, answer)
    return 'errorType' in result ? { kind: 'failed', error: result } : result
  }

  /** Resolves when its code has stopped completely. */
  async kill(): Promise<void> {
    this.#end(1)
    await this.#worker.terminate()
  }

  /**
   * Resolves to the result of `work`, or to a time-out error after terminating the worker. While a debugger may attach
   * there is no time-out, because it would end the inspected worker.
   */
  async #withLimit<T>(limitMs: number, requestId: string, work: Promise<T>): Promise<T | FunctionError> {
    if (inspectorUrl() !== undefined) return work
    let timer: NodeJS.Timeout | undefined
    const timedOut = new Promise<'timed-out'>((resolve) => {
      timer = setTimeout(() => resolve('timed-out'), limitMs)
    })
    const result = await Promise.race([work, timedOut])
    clearTimeout(timer)
    // `T` is an answer of the worker, and never this text.
    if (result !== 'timed-out') return result as T
    await this.kill()
    const errorMessage = `RequestId: ${requestId} Error: Task timed out after ${(limitMs / 1000).toFixed(2)} seconds`
    return { errorType: 'Sandbox.Timedout', errorMessage, trace: [] }
  }

  #startWorker({
    codeHashes,
    definition,
    region,
    endpointUrl,
    onLine,
    newId,
    machineVariables = {},
  }: InstanceOptions): Worker {
    const logStreamName = newId()
    const compiled = compiledOf(definition.module)
    const workerData: WorkerStart = {
      // Node loads files by their real paths.
      codeDir: realpathSync(definition.codeDir),
      codeHashes,
      module: definition.module,
      exportName: definition.exportName,
      functionName: definition.name,
      functionArn: definition.arn,
      memoryMb: definition.memoryMb,
      logGroupName: logGroupName(definition),
      logStreamName,
      ...(compiled && { compiled }),
    }
    const worker = new Worker(new URL('./function-worker.mjs', import.meta.url), {
      workerData,
      env: functionEnvironment(definition, {
        region,
        endpointUrl,
        credentials: this.#credentials,
        logStreamName,
        machineVariables,
      }),
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: definition.memoryMb },
    })
    eachLine(worker.stdout, onLine)
    eachLine(worker.stderr, onLine)
    worker.on('message', (message: WorkerMessage) => this.#receive(message))
    // The worker ran out of memory, or its thread failed. The following exit settles the invocation.
    worker.on('error', (error) => onLine(`worker: ${error instanceof Error ? error.message : String(error)}`))
    worker.on('exit', (exitCode) => this.#end(exitCode))
    return worker
  }

  #receive(message: WorkerMessage): void {
    switch (message.kind) {
      case 'ready':
        this.#settleReady(undefined)
        break
      case 'unusable':
        this.#alive = false
        this.#settleReady(message.error)
        void this.#worker.terminate()
        break
      case 'compiled':
        keepCompiled(this.#definition.module, message.file)
        break
      case 'crashed':
        this.#alive = false
        this.#settle({ kind: 'failed', error: message.error })
        break
      default:
        this.#settle(message)
    }
  }

  #settle(answer: InstanceAnswer): void {
    this.#settleAnswer?.(answer)
    this.#settleAnswer = undefined
  }

  #end(exitCode: number): void {
    this.#alive = false
    this.#callers.forget(this.#credentials.accessKeyId)
    this.#settleReady(exited(exitCode))
    this.#settle({ kind: 'failed', error: exited(exitCode) })
  }
}

function exited(exitCode: number): FunctionError {
  const errorMessage = `Error: Runtime exited with error: exit status ${exitCode}`
  return { errorType: 'Runtime.ExitError', errorMessage, trace: [] }
}

/** Maximum characters of a line. CloudWatch Logs takes events of up to 256 KB. */
const LONGEST_LINE = 262_144

/** Splits the output of a function into lines of bounded length. */
function eachLine(stream: Readable, onLine: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(0, LONGEST_LINE)
    for (const line of lines) onLine(line.slice(0, LONGEST_LINE))
  })
  stream.on('end', () => {
    if (rest !== '') onLine(rest)
    rest = ''
  })
}

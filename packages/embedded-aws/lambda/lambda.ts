// Lambda: finds the function of an invocation and runs it in one of its workers. Returns the interpreter's Invocation.
// The caller has already checked whether the role may invoke.
import type { Invocation } from '../states/run.ts'
import { codeHashes, type FunctionDefinition } from './function-definition.ts'
import type { InstanceAnswer, InstanceOptions } from './function-instance.ts'
import { FunctionPool } from './function-pool.ts'

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

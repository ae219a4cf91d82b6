// Lambda: finds the function of an invocation and runs it in one of its workers. Answers are the
// interpreter's Invocation; whether a role may invoke is asked before that, by the caller.
import type { Invocation } from '../states/run.ts'
import { codeHashes } from './code-hashes.ts'
import type { FunctionDefinition } from './function-definition.ts'
import type { InstanceAnswer, InstanceOptions } from './function-instance.ts'
import { FunctionPool } from './function-pool.ts'

/** AWS: Lambda quotas, "Invocation payload", synchronous. */
export const PAYLOAD_LIMIT_BYTES = 6_291_456
/** Node's timers overflow beyond this. */
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

  /** The ARN of a function named by name or ARN; undefined where there is none. */
  findArn(functionId: string): string | undefined {
    return this.#options.functions.find((each) => each.arn === functionId || each.name === functionId)?.arn
  }

  /**
   * By the ARN of a function, or of a version of it. Executions go on with the definition of an earlier deployment, and
   * with the version that it names. Here all versions are the code of today.
   */
  #findPool(arn: string): FunctionPool | undefined {
    return this.#pools.get(arn) ?? this.#pools.get(arn.replace(/:\d{1,10}$/, ''))
  }

  /** An invocation that outlasts `timeoutMs` goes on, and nobody hears its answer. */
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
    const first = await Promise.race([answer.then((each) => invocationOf(each, requestId)), late])
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

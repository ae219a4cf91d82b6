// Runs in a worker thread and is what Lambda's runtime is on AWS: loads the bundle that the
// assembly ships, calls its handler, and reports answers and errors as Lambda does.
import { existsSync, readFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { FunctionError, InvocationRequest, WorkerMessage, WorkerStart } from './worker-protocol.ts'

type Handler = (event: unknown, context: object) => unknown

const start = workerData as WorkerStart
const port = parentPort
if (port === null) throw new Error('function-worker runs in a worker thread only')

function post(message: WorkerMessage): void {
  port?.postMessage(message)
}

function functionError(error: unknown, errorType?: string): FunctionError {
  if (!(error instanceof Error)) return { errorType: errorType ?? typeof error, errorMessage: String(error), trace: [] }
  return { errorType: errorType ?? error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') }
}

function packageType(): unknown {
  const file = path.join(start.codeDir, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { type?: unknown }).type : undefined
}

/**
 * A folder on Lambda is CommonJS unless its own package.json says otherwise. Node would ask the
 * package.json of the repo around the assembly, so files of the folder are compiled as CommonJS here.
 */
function compileAsCommonJs(): void {
  const { _extensions: extensions } = Module as unknown as {
    _extensions: Record<string, (module: { _compile(code: string, file: string): void }, file: string) => void>
  }
  const original = extensions['.js']
  extensions['.js'] = (module, file) => {
    if (file.startsWith(start.codeDir + path.sep)) module._compile(readFileSync(file, 'utf8'), file)
    else original?.(module, file)
  }
}

async function loadHandler(): Promise<Handler> {
  const base = path.join(start.codeDir, start.module)
  const file = [`${base}.js`, `${base}.cjs`, `${base}.mjs`].find(existsSync)
  if (file === undefined) throw new Error(`Cannot find module '${start.module}'`)
  const isModule = file.endsWith('.mjs') || (file.endsWith('.js') && packageType() === 'module')
  if (!isModule) compileAsCommonJs()
  const loaded: unknown = isModule ? await import(pathToFileURL(file).href) : createRequire(file)(file)
  const handler = (loaded as Readonly<Record<string, unknown>>)[start.exportName]
  if (typeof handler === 'function') return handler as Handler
  throw Object.assign(new Error(`${start.module}.${start.exportName} is undefined or not exported`), {
    name: 'Runtime.HandlerNotFound',
  })
}

function contextOf(request: InvocationRequest): object {
  const endMs = performance.now() + request.timeoutMs
  return {
    awsRequestId: request.requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: start.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: start.functionArn,
    logGroupName: start.logGroupName,
    logStreamName: start.logStreamName,
    memoryLimitInMB: String(start.memoryMb),
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(endMs - performance.now())),
  }
}

async function invoke(handler: Handler, request: InvocationRequest): Promise<void> {
  try {
    const answer = await handler(JSON.parse(request.payload), contextOf(request))
    post({ kind: 'answered', payload: JSON.stringify(answer) ?? 'null' })
  } catch (error) {
    post({ kind: 'failed', error: functionError(error) })
  }
}

/** What nobody caught fails the invocation, and ends the process after it. */
function failLoudly(): void {
  const end = (error: FunctionError, exitCode: number) => {
    post({ kind: 'failed', error })
    setImmediate(() => process.exit(exitCode))
  }
  process.on('uncaughtException', (error) => end(functionError(error), 129))
  process.on('unhandledRejection', (reason) => end(functionError(reason, 'Runtime.UnhandledPromiseRejection'), 128))
}

failLoudly()
try {
  const handler = await loadHandler()
  port.on('message', (request: InvocationRequest) => void invoke(handler, request))
  post({ kind: 'ready' })
} catch (error) {
  post({ kind: 'unusable', error: functionError(error) })
}

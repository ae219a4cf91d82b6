// @ts-check
// Runs in a worker thread and is what Lambda's runtime is on AWS: loads the bundle that the
// assembly ships, calls its handler, and reports answers and errors as Lambda does.
// JavaScript, because stripping types would load a compiler into every worker: half its cold start.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { url as inspectorUrl } from 'node:inspector'
import Module, { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { constants, Script } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'

/** @import { FunctionError, InvocationRequest, WorkerMessage, WorkerStart } from './worker-protocol.ts' */
/** @typedef {(event: unknown, context: object) => unknown} Handler */

/** @type {WorkerStart} */
const start = workerData

/** @param {WorkerMessage} message */
function post(message) {
  parentPort?.postMessage(message)
}

/**
 * @param {unknown} error
 * @param {string} [errorType]
 * @returns {FunctionError}
 */
function functionError(error, errorType) {
  if (!(error instanceof Error)) return { errorType: errorType ?? typeof error, errorMessage: String(error), trace: [] }
  return { errorType: errorType ?? error.name, errorMessage: error.message, trace: (error.stack ?? '').split('\n') }
}

/** @returns {unknown} */
function packageType() {
  const file = path.join(start.codeDir, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).type : undefined
}

/** @typedef {{ exports: object, _compile(code: string, file: string): void }} Loaded */

/**
 * A folder on Lambda is CommonJS unless its own package.json says otherwise. Node would ask the
 * package.json of the repo around the assembly, so files of the folder are compiled as CommonJS here.
 *
 * @param {boolean} isModule whether that is only so of files that say it by their name
 */
function compileAsCommonJs(isModule) {
  /** @type {Record<string, (module: Loaded, file: string) => void>} */
  const extensions = Reflect.get(Module, '_extensions')
  const original = extensions['.js']
  extensions['.js'] = (module, file) => {
    if (file.startsWith(start.codeDir + path.sep) && (!isModule || file.endsWith('.cjs'))) compile(module, file)
    else original?.(module, file)
  }
}

/**
 * A package is looked for beside the code alone. Node would look in every folder above it as well, such as the machine's
 * temporary one, where another user may have put one.
 */
function lookBesideCodeOnly() {
  /** @type {(from: string) => string[]} */
  const pathsFrom = Reflect.get(Module, '_nodeModulePaths')
  const within = start.codeDir + path.sep
  Reflect.set(Module, '_nodeModulePaths', (/** @type {string} */ from) =>
    pathsFrom(from).filter((folder) => folder.startsWith(within)),
  )
}

/**
 * Text of a file that is still what it was at the boot.
 *
 * @param {string} file
 */
function readCode(file) {
  const text = readFileSync(file, 'utf8')
  const hash = createHash('sha256').update(text).digest('base64')
  if (start.codeHashes[path.relative(start.codeDir, file)] === hash) return { text, hash }
  throw named('Runtime.CodeChanged', `${file} is not what it was when the embedded AWS was started: start it again`)
}

/** In characters: a smaller file takes less time to compile than what was kept of it takes to read. */
const LARGE = 100_000
/** @type {{ script: Script, hash: string } | undefined} */
let compiledHere

/**
 * As `module._compile`, but that it spares V8 what an earlier worker has done.
 *
 * @param {Loaded} module
 * @param {string} file
 */
function compile(module, file) {
  const { text, hash } = readCode(file)
  if (text.length < LARGE || inspectorUrl() !== undefined) {
    module._compile(text, file)
    return
  }
  const cachedData = start.compiled?.hash === hash ? start.compiled.code : undefined
  const [before] = /** @type {{ wrapper: string[] }} */ (/** @type {unknown} */ (Module)).wrapper
  const script = new Script(Module.wrap(text), {
    filename: file,
    // So that places in its first line are those of the file.
    columnOffset: -(before?.length ?? 0),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData && { cachedData }),
  })
  if (cachedData === undefined || script.cachedDataRejected === true) compiledHere = { script, hash }
  const { exports } = module
  script.runInThisContext().call(exports, exports, createRequire(file), module, file, path.dirname(file))
}

/** With the first answer, because V8 compiles a function when it is first called; before it, so that the next worker has it. */
function tellCompiled() {
  if (compiledHere === undefined) return
  const { hash, script } = compiledHere
  compiledHere = undefined
  post({ kind: 'compiled', file: { hash, code: script.createCachedData() } })
}

/** @returns {Promise<Handler>} */
async function loadHandler() {
  const base = path.join(start.codeDir, start.module)
  // In Lambda's own order.
  const file = [`${base}.js`, `${base}.mjs`, `${base}.cjs`].find((each) => existsSync(each))
  if (file === undefined) throw named('Runtime.ImportModuleError', `Cannot find module '${start.module}'`)
  const isModule = file.endsWith('.mjs') || (file.endsWith('.js') && packageType() === 'module')
  compileAsCommonJs(isModule)
  lookBesideCodeOnly()
  if (isModule) readCode(file)
  const loaded = isModule ? await import(pathToFileURL(file).href) : createRequire(file)(file)
  const handler = loaded[start.exportName]
  if (typeof handler === 'function') return handler
  throw named('Runtime.HandlerNotFound', `${start.module}.${start.exportName} is undefined or not exported`)
}

/**
 * @param {string} name
 * @param {string} message
 */
function named(name, message) {
  return Object.assign(new Error(message), { name })
}

/** @param {InvocationRequest} request */
function contextOf(request) {
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

/**
 * @param {Handler} handler
 * @param {InvocationRequest} request
 */
async function invoke(handler, request) {
  const message = await answerOf(handler, request)
  // What was printed comes another way. It is there before the answer, so that whoever hears that one can look at it.
  await Promise.all([process.stdout, process.stderr].map(untilWritten))
  tellCompiled()
  post(message)
}

/**
 * @param {Handler} handler
 * @param {InvocationRequest} request
 * @returns {Promise<WorkerMessage>}
 */
async function answerOf(handler, request) {
  try {
    const answer = await handler(JSON.parse(request.payload), contextOf(request))
    return { kind: 'answered', payload: JSON.stringify(answer) ?? 'null' }
  } catch (error) {
    return { kind: 'failed', error: functionError(error) }
  }
}

/** @param {NodeJS.WriteStream} stream */
async function untilWritten(stream) {
  if (stream.writableLength > 0) await new Promise((resolve) => stream.write('', resolve))
}

/**
 * What nobody caught fails the invocation, and ends the process after it.
 *
 * @param {FunctionError} error
 * @param {number} exitCode
 */
function crash(error, exitCode) {
  post({ kind: 'crashed', error })
  setImmediate(() => process.exit(exitCode))
}

process.on('uncaughtException', (error) => crash(functionError(error), 129))
process.on('unhandledRejection', (reason) => crash(functionError(reason, 'Runtime.UnhandledPromiseRejection'), 128))

try {
  const handler = await loadHandler()
  parentPort?.on('message', (request) => void invoke(handler, request))
  post({ kind: 'ready' })
} catch (error) {
  post({ kind: 'unusable', error: functionError(error) })
}

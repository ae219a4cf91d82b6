// @ts-check
// The runtime of a function in a worker thread. Like Lambda's runtime on AWS, it loads the bundle of the assembly, calls
// its handler, and reports answers and errors.
// Written in JavaScript, because stripping types would load a compiler into every worker, which is half its cold start.
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
 * Makes Node compile files of the code folder as CommonJS. On Lambda a folder is CommonJS unless its own package.json
 * says otherwise. Node would also read the package.json of the repository around the assembly.
 *
 * @param {boolean} isModule true when only files named `.cjs` are CommonJS
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
 * Makes Node search packages only within the code folder. Node would also search every folder above it, such as the
 * machine's temporary folder, where another user may have put a package.
 */
function searchCodeFolderOnly() {
  /** @type {(from: string) => string[]} */
  const pathsFrom = Reflect.get(Module, '_nodeModulePaths')
  const within = start.codeDir + path.sep
  Reflect.set(Module, '_nodeModulePaths', (/** @type {string} */ from) =>
    pathsFrom(from).filter((folder) => folder.startsWith(within)),
  )
}

/**
 * Returns the text of a file that has not changed since the boot. Throws Runtime.CodeChanged for a changed one.
 *
 * @param {string} file
 */
function readCode(file) {
  const text = readFileSync(file, 'utf8')
  const hash = createHash('sha256').update(text).digest('base64')
  if (start.codeHashes[path.relative(start.codeDir, file)] === hash) return { text, hash }
  throw named('Runtime.CodeChanged', `${file} has changed since the embedded AWS was started: start it again`)
}

/**
 * Minimum characters of a file whose compiled code is kept. Compiling a smaller file is faster than reading kept code.
 */
const LARGE = 100_000
/** @type {{ script: Script, hash: string } | undefined} */
let compiledHere

/**
 * Compiles a file like `module._compile`, but reuses the compiled code of an earlier worker.
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
  const [opening] = /** @type {{ wrapper: string[] }} */ (/** @type {unknown} */ (Module)).wrapper
  const script = new Script(Module.wrap(text), {
    filename: file,
    // Makes positions in the first line those of the file.
    columnOffset: -(opening?.length ?? 0),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData && { cachedData }),
  })
  if (cachedData === undefined || script.cachedDataRejected === true) compiledHere = { script, hash }
  const { exports } = module
  script.runInThisContext().call(exports, exports, createRequire(file), module, file, path.dirname(file))
}

/**
 * Sends the compiled code with the first answer, because V8 compiles a function at its first call. It goes opening the
 * answer, so that the next worker has it.
 */
function sendCompiled() {
  if (compiledHere === undefined) return
  const { hash, script } = compiledHere
  compiledHere = undefined
  post({ kind: 'compiled', file: { hash, code: script.createCachedData() } })
}

/** @returns {Promise<Handler>} */
async function loadHandler() {
  const base = path.join(start.codeDir, start.module)
  // The order of Lambda.
  const file = [`${base}.js`, `${base}.mjs`, `${base}.cjs`].find((candidate) => existsSync(candidate))
  if (file === undefined) throw named('Runtime.ImportModuleError', `Cannot find module '${start.module}'`)
  const isModule = file.endsWith('.mjs') || (file.endsWith('.js') && packageType() === 'module')
  compileAsCommonJs(isModule)
  searchCodeFolderOnly()
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
  // Waits for the function's printed lines, which take another way. They are complete opening the answer, so that its
  // receiver can read them.
  await Promise.all([process.stdout, process.stderr].map(untilWritten))
  sendCompiled()
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
 * Fails the invocation with an uncaught error, then ends the process.
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

// Returns the cloud assembly of this source and configuration. It is synthesized once, and cached under the hash of all
// its inputs. The caller holds the state lock, so no other process uses the directory's cache. Synthesis runs in its
// own process, because the CDK takes seconds to load, and memory that the run does not need.
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { DURABLE } from '@sluice/embedded-aws'
import { failedWith, type OperationError } from '../operation-error.ts'
import { copyShared, share } from './shared-assemblies.ts'
import { isAsWritten, rememberWritten } from './written-code.ts'

/** Assemblies in the cache, about 1 MB each. */
const KEPT = 4
const PARTIAL = '.partial'

interface AssemblyRequest {
  readonly rootDir: string
  readonly configFile: string
  readonly cacheDir: string
  /** The checkout's cache of assemblies and bundles for all its state directories. */
  readonly sharedDir?: string
  /** Distinguishes assemblies of the same source and configuration. */
  readonly variant?: string
  /**
   * Writes an assembly into an empty directory; called only when the cache has none. `bundleDir` has the bundled
   * functions of this source. Where it is empty, they are written there as well.
   */
  readonly synthesize: (configFile: string, outDir: string, bundleDir: string) => Promise<void>
}

/** @returns the directory of a complete assembly. */
export async function findOrSynthesize(request: AssemblyRequest): Promise<string> {
  const { cacheDir, configFile, rootDir, sharedDir, synthesize, variant = '' } = request
  const source = hashSources(rootDir)
  const name = `${hashConfiguration(source, configFile)}${variant}`
  const dir = path.join(cacheDir, name)
  DURABLE.makeFolder(cacheDir)
  prune(cacheDir, name)
  if (existsSync(dir)) {
    // The code of an assembly runs with keys, so it must be what this installation wrote.
    if (isAsWritten(sharedDir, name, dir)) {
      touch(dir)
      return dir
    }
    rmSync(dir, { recursive: true })
  }
  // An assembly is made under another name, synced and renamed, so that a directory under its hash is always complete.
  const partial = path.join(cacheDir, `${name}.${randomBytes(8).toString('hex')}${PARTIAL}`)
  mkdirSync(partial, { mode: 0o700 })
  const wasShared = sharedDir !== undefined && copyShared(sharedDir, name, partial)
  if (!wasShared) {
    const bundleDir = partial.replace(PARTIAL, `.bundle${PARTIAL}`)
    mkdirSync(bundleDir, { mode: 0o700 })
    const bundleName = `${source}${variant}.bundle`
    const isBundled = sharedDir !== undefined && copyShared(sharedDir, bundleName, bundleDir)
    await synthesize(configFile, partial, bundleDir)
    if (sharedDir !== undefined && !isBundled) {
      rememberWritten(sharedDir, bundleName, bundleDir)
      share(sharedDir, bundleName, bundleDir)
    }
    rmSync(bundleDir, { recursive: true })
  }
  for (const entry of readdirSync(partial, { recursive: true, withFileTypes: true })) {
    const name = path.join(entry.parentPath, entry.name)
    // The assembly holds the configuration: contacts, limits, the address of the service.
    chmodSync(name, entry.isDirectory() ? 0o700 : 0o600)
    DURABLE.sync(name)
  }
  DURABLE.sync(partial)
  rememberWritten(sharedDir, name, partial)
  DURABLE.move(partial, dir)
  if (sharedDir !== undefined && !wasShared) share(sharedDir, name, dir)
  return dir
}

/** In the package, below its root: the hash of the sources that it was made of. */
export const SOURCE_HASH_FILE = 'infra/source-hash'

/** SHA-256 over names and contents of everything that bundling and synthesis read, except the configuration. */
export function hashSources(rootDir: string): string {
  const packed = path.join(rootDir, SOURCE_HASH_FILE)
  if (existsSync(packed)) return readFileSync(packed, 'utf8')
  const hash = createHash('sha256')
  const files = ['infra', 'functions', 'core', 'packages/schedules'].flatMap((folder) =>
    readdirSync(path.join(rootDir, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(rootDir, path.join(entry.parentPath, entry.name))),
  )
  for (const file of [...files, 'package-lock.json'].sort()) {
    addFile(hash, file.replaceAll(path.sep, '/'), readFileSync(path.join(rootDir, file)))
  }
  return hash.digest('hex').slice(0, 32)
}

function hashConfiguration(source: string, configFile: string): string {
  const hash = createHash('sha256')
  addFile(hash, source, readFileSync(configFile))
  return hash.digest('hex').slice(0, 32)
}

function addFile(hash: ReturnType<typeof createHash>, name: string, content: Buffer): void {
  // Lengths come first, so that two different lists of files never give the same bytes.
  hash.update(`${name.length}:${name}:${content.length}:`).update(content)
}

/** Keeps the newest few and the one about to be used; removes what a killed synthesis left. */
function prune(cacheDir: string, inUse: string): void {
  const entries = readdirSync(cacheDir)
  const complete = entries
    .filter((name) => !name.endsWith(PARTIAL) && name !== inUse)
    .sort((left, right) => usedAtMs(cacheDir, right) - usedAtMs(cacheDir, left))
  const partial = entries.filter((name) => name.endsWith(PARTIAL))
  for (const name of [...complete.slice(KEPT - 1), ...partial]) {
    rmSync(path.join(cacheDir, name), { recursive: true, force: true })
  }
}

function usedAtMs(cacheDir: string, name: string): number {
  return statSync(path.join(cacheDir, name)).mtimeMs
}

function touch(dir: string): void {
  const now = new Date()
  utimesSync(dir, now, now)
}

const TIMEOUT_MS = 120_000
/** Lines of the child's output that an error repeats. */
const TAIL_LINES = 12
const TAIL_BYTES = 16 * 1024

/** @throws OperationError (exit 1) with the end of the output of synthesis. */
export function synthesizeInChild(
  rootDir: string,
  configFile: string,
  outDir: string,
  bundleDir: string,
): Promise<void> {
  const ownScript = path.join(rootDir, 'infra', 'synth.ts')
  // In the package it is bundled.
  const script = existsSync(ownScript) ? ownScript : path.join(rootDir, 'infra', 'synth.mjs')
  const files = ['--config', configFile, '--out', outDir, '--bundle', bundleDir]
  const child = spawn(process.execPath, ['--disable-sigusr1', script, '--desk', ...files], {
    cwd: rootDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    // `npm run synth` and CI validate the templates; here it would only cost time.
    env: { ...process.env, CDK_VALIDATION: 'false' },
  })
  let tail = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-TAIL_BYTES)
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(synthError(error.message, tail)))
    child.on('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(synthError(signal === null ? `exit code ${code}` : `ended by ${signal}`, tail))
    })
  })
}

function synthError(reason: string, tail: string): OperationError {
  const output = tail.trimEnd().split('\n').slice(-TAIL_LINES).join('\n')
  return failedWith(
    'synth_failed',
    `the cloud assembly could not be synthesized (${reason}); nothing was sent${output === '' ? '' : `\n${output}`}`,
    'run `npm run synth` to see it fail on its own',
  )
}

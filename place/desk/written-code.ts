// Remembers the code that this installation has written for its functions. Files in a state directory may be somebody
// else's, even where they belong to this user: a `chown -R` makes everything theirs. So the digests of assemblies and
// bundles are kept in the checkout, beside the source, and nothing else is run.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const FOLDER = 'digests'
/** Maximum digests, enough for the assemblies of many state directories. An assembly without a digest is made again. */
const MOST_DIGESTS = 256

/** Digests of this process, for a checkout that cannot be written. */
const writtenHere = new Set<string>()

/** `sharedDir`: the checkout's cache; absent where it has none. `folder` is complete. */
export function rememberWritten(sharedDir: string | undefined, name: string, folder: string): void {
  const entry = entryOf(name, folder)
  if (entry === undefined) return
  writtenHere.add(entry)
  if (sharedDir === undefined) return
  const digests = path.join(sharedDir, FOLDER)
  try {
    mkdirSync(sharedDir, { recursive: true, mode: 0o700 })
    if (!isOurs(sharedDir)) return
    mkdirSync(digests, { recursive: true, mode: 0o700 })
    prune(digests)
    writeFileSync(path.join(digests, entry), '', { mode: 0o600, flag: 'wx' })
  } catch {
    // The user may not write to the checkout, or the digest is known already.
  }
}

/** Whether every file of the folder is what this installation has written under this name. */
export function isAsWritten(sharedDir: string | undefined, name: string, folder: string): boolean {
  const entry = entryOf(name, folder)
  if (entry === undefined) return false
  if (writtenHere.has(entry)) return true
  return sharedDir !== undefined && isOurs(sharedDir) && existsSync(path.join(sharedDir, FOLDER, entry))
}

/** Whether the folder exists, and only this user may have written its content. */
export function isOurs(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false })
  return found !== undefined && found.uid === process.getuid?.() && (found.mode & 0o077) === 0
}

/** Whether an entry of the checkout's cache is an assembly or a bundle. */
export function isKeptCode(name: string): boolean {
  return name !== FOLDER
}

/** Undefined where the folder holds anything but files and folders. */
function entryOf(name: string, folder: string): string | undefined {
  const hash = createHash('sha256')
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  if (!entries.every((entry) => entry.isFile() || entry.isDirectory())) return undefined
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  for (const file of files.sort()) {
    const content = readFileSync(file)
    const named = path.relative(folder, file)
    // Lengths come first, so that two different lists of files never give the same bytes.
    hash.update(`${named.length}:${named}:${content.length}:`).update(content)
  }
  return `${name}.${hash.digest('hex')}`
}

function prune(digests: string): void {
  const files = readdirSync(digests).map((name) => path.join(digests, name))
  if (files.length < MOST_DIGESTS) return
  const writtenMs = new Map(files.map((file) => [file, statSync(file).mtimeMs]))
  const newestFirst = files.sort((one, other) => (writtenMs.get(other) ?? 0) - (writtenMs.get(one) ?? 0))
  for (const file of newestFirst.slice(MOST_DIGESTS - 1)) rmSync(file, { force: true })
}
